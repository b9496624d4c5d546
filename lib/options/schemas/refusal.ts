import { readRefusalTemplate, type Template } from '../../auth/template'
import { HttpError } from '../../errors'
import type { Problem } from './sentences'

/** What front ends read most: `errors` by field, and `message` beside it. */
const BODY: Template = { message: '$message', error: '$message', errors: '$errors' }

const VALUES = ['message', 'errors', 'first', 'list', 'texts', 'status']

/** Makes the error for what is wrong. */
export type Refuse = (problems: readonly Problem[]) => HttpError

/** Names that the log can repeat. */
const PLAIN_NAME = /^[\w.-]+$/

/**
 * Reads how a record is refused that does not fit its schema.
 *
 * @throws OptionError for what is neither a status nor a template
 */
export function readSchemaRefusal(given: Template | undefined): Refuse {
  const usual = { status: 422, body: BODY }
  const { status, fill } = readRefusalTemplate(given, usual, { option: 'schema-refusal', names: VALUES })
  return (problems) => {
    const texts = problems.map(({ message }) => message)
    const byField = new Map<string, string[]>()
    for (const { field, message } of problems) byField.set(field, [...(byField.get(field) ?? []), message])
    const message = `${texts.join('; ')}.`
    const details = {
      texts,
      errors: Object.fromEntries(byField),
      first: Object.fromEntries([...byField].map(([field, [first]]) => [field, first])),
      list: problems.map((problem) => ({
        field: problem.field,
        path: problem.field,
        param: problem.field,
        message: problem.message,
        msg: problem.message,
      })),
    }
    const names = [...byField.keys()].filter((field) => PLAIN_NAME.test(field)).slice(0, 5)
    return new HttpError({
      status,
      message,
      reason: `it does not fit the schema${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
      details,
      body: fill({ ...details, message, status }),
    })
  }
}
