import type { Template } from '../../auth/template'
import { HttpError } from '../../errors'
import { type Problem, readRecordRefusal } from '../../json-server/record-refusal'

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
  const { status, withProblems } = readRecordRefusal(given)
  return (problems) => {
    const message = `${problems.map((problem) => problem.message).join('; ')}.`
    const fields = [...new Set(problems.map(({ field }) => field))]
    const names = fields.filter((field) => PLAIN_NAME.test(field)).slice(0, 5)
    return new HttpError({
      ...withProblems(problems, { status, message }),
      reason: `it does not fit the schema${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
    })
  }
}
