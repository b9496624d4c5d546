import { type Context, createContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { badRequest } from '../errors'

/** Milliseconds by the clock that regular expressions may take. */
const TIME = 1000

/** Milliseconds for each record besides: an honest pattern takes a twentieth of it on 500 characters. */
const TIME_OF_RECORD = 0.01

const script = new Script('work()', { filename: 'in-limited-time' })

let context: Context | undefined

/**
 * Runs the regular expressions of a query. Only Node's `vm` can interrupt one that takes forever.
 *
 * @param records how many records they are tried on
 * @throws HttpError 400 for a pattern that is not valid, overflows the stack, or takes too long
 */
export function runInLimitedTime<Result>(work: () => Result, records: number): Result {
  // It is made for the first query that needs it, because that takes a millisecond or two.
  context ??= createContext()
  context.work = work
  try {
    return script.runInContext(context, { timeout: Math.ceil(TIME + TIME_OF_RECORD * records) })
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw badRequest('The regular expressions of this query take too long on this data: use simpler ones.')
    if (error instanceof SyntaxError)
      throw badRequest(
        'The regular expression in "_like" is not valid: put a backslash before each special character.',
      )
    // The stack is too small to compile or to run the regular expression.
    if (error instanceof RangeError)
      throw badRequest('The regular expression in "_like" is nested too deeply: simplify it.')
    throw error
  } finally {
    // It holds the records, which must not stay in memory when they are deleted.
    context.work = undefined
  }
}
