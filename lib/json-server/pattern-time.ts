import { badRequest } from '../errors'
import { runInLimitedTime } from '../limited-time'

/** Milliseconds by the clock that regular expressions may take. */
const TIME = 1000

/** Milliseconds for each record besides: an honest pattern takes a twentieth of it on 500 characters. */
const TIME_OF_RECORD = 0.01

/**
 * Runs the regular expressions of a query.
 *
 * @param records how many records they are tried on
 * @throws HttpError 400 for a pattern that is not valid, overflows the stack, or takes too long
 */
export function runPatterns<Result>(work: () => Result, records: number): Result {
  try {
    const done = runInLimitedTime(work, Math.ceil(TIME + TIME_OF_RECORD * records))
    if (done !== undefined) return done.result
  } catch (error) {
    if (error instanceof SyntaxError)
      throw badRequest(
        'The regular expression in "_like" is not valid: put a backslash before each special character.',
      )
    // The stack is too small to compile or to run the regular expression.
    if (error instanceof RangeError)
      throw badRequest('The regular expression in "_like" is nested too deeply: simplify it.')
    throw error
  }
  throw badRequest('The regular expressions of this query take too long on this data: use simpler ones.')
}
