import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from './error-code'

const script = new Script('work()', { filename: 'in-limited-time' })

/** The globals of the script. Made into a context at the first use, because that takes a millisecond. */
const globals: { work?: () => unknown } = {}

/** Thrown by work whose time is up. */
export class TimeIsUp extends Error {}

/**
 * A limit of processor time for work that may run a regular expression forever: only Node's `vm` can
 * interrupt one. That costs about 100 microseconds.
 */
export class TimeLimit {
  #left: number

  /** @param milliseconds for all work together */
  constructor(milliseconds: number) {
    this.#left = milliseconds
  }

  /**
   * Gives the result of the work, which may start several times: only processor time counts, and on a busy
   * machine, work that was stopped before it had used its time starts again.
   *
   * @throws TimeIsUp, or what the work throws
   */
  run<Result>(work: () => Result): Result {
    if (!isContext(globals)) createContext(globals)
    let done: { result: Result } | undefined
    globals.work = () => {
      done = { result: work() }
    }
    while (this.#left > 0) {
      const start = process.cpuUsage()
      try {
        script.runInContext(globals, { timeout: Math.ceil(this.#left) })
        if (done !== undefined) return done.result
      } catch (error) {
        if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      } finally {
        const { user, system } = process.cpuUsage(start)
        this.#left -= (user + system) / 1000
      }
    }
    throw new TimeIsUp()
  }
}
