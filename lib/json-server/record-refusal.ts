import { readRefusalTemplate, type Template } from '../auth/template'
import type { HttpErrorOptions } from '../errors'

/** What is wrong with a record, and in which of its fields: empty where it is in none. */
export interface Problem {
  /** A path: `address.city`. */
  readonly field: string
  readonly message: string
}

/** How it is said what is wrong with fields, by whatever a record is refused. */
interface RecordRefusal {
  /** The status of what does not fit a schema. */
  readonly status: number
  /** Whether the body is the application's own. */
  readonly hasOwnBody: boolean
  /** Adds to an error what is wrong with fields, and the body that says it. */
  readonly withProblems: (
    problems: readonly Problem[],
    error: Pick<HttpErrorOptions, 'status' | 'message' | 'reason'>,
  ) => HttpErrorOptions
}

/** What front ends read most: `errors` by field, and `message` beside it. */
const BODY: Template = { message: '$message', error: '$message', errors: '$errors' }

const VALUES = ['message', 'errors', 'first', 'list', 'texts', 'status']

/**
 * Reads how a record is refused.
 *
 * @throws OptionError for what is neither a status nor a template
 */
export function readRecordRefusal(given: Template | undefined): RecordRefusal {
  const usual = { status: 422, body: BODY }
  const { status, fill, hasOwnBody } = readRefusalTemplate(given, usual, {
    option: 'schema-refusal',
    names: VALUES,
  })
  return {
    status,
    hasOwnBody,
    withProblems(problems, error) {
      const details = detailsOf(problems)
      return { ...error, details, body: fill({ ...details, ...error }) }
    },
  }
}

/** What templates can say of fields. */
function detailsOf(problems: readonly Problem[]) {
  const byField = new Map<string, string[]>()
  for (const { field, message } of problems) byField.set(field, [...(byField.get(field) ?? []), message])
  return {
    texts: problems.map(({ message }) => message),
    errors: Object.fromEntries(byField),
    first: Object.fromEntries([...byField].map(([field, [first]]) => [field, first])),
    list: problems.map(({ field, message }) => ({ field, path: field, param: field, message, msg: message })),
  }
}
