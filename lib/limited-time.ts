import { type Context, createContext, Script } from 'node:vm'
import { errorCode } from './error-code'

const script = new Script('work()', { filename: 'in-limited-time' })

let context: Context | undefined

/**
 * Runs what may take forever, such as a regular expression, and interrupts it after a time: only Node's `vm` can. A
 * call takes about 70 us.
 *
 * @param work must leave nothing half done that counts: where it is interrupted, no `catch` and no `finally` in it runs
 * @param limit milliseconds by the clock, which passes while a busy machine lets the process wait, too
 * @returns what the work returns; undefined where it was interrupted
 * @throws what the work throws
 * @see https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options
 */
export function runInLimitedTime<Result>(work: () => Result, limit: number): { result: Result } | undefined {
  // It is made for the first work, because that takes a millisecond or two.
  context ??= createContext()
  let done: { result: Result } | undefined
  context.work = () => {
    done = { result: work() }
  }
  try {
    script.runInContext(context, { timeout: limit })
    return done
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    // It may hold records, which must not stay in memory when they are deleted.
    context.work = undefined
  }
}
