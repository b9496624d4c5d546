import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { HttpError } from '../errors'

/**
 * Every other request waits while a regular expression blocks the event loop, so it gets a fixed time and a little for each
 * record, in milliseconds: several times what any sensible expression takes.
 */
const TIME_FOR_SEARCH = 200
const TIME_FOR_RECORD = 0.01

const script = new Script('search()', { filename: 'bounded-search' })

interface Filtering {
  filter(collection: unknown, predicate: unknown): unknown
}

/**
 * The router's `filter` with an end: a regular expression that backtracks without one is stopped in the middle, which
 * only Node's `vm` can do. That takes some 100 us, so other filters go without.
 *
 * @param lodash the router's lodash, before this function is mixed into it
 * @param hasPattern whether the filter at hand may use a regular expression from a request
 * @returns throws HttpError 400 when the time is over
 */
export function boundedFilter({ filter }: Filtering, hasPattern: () => boolean): object {
  /** What the script can reach. Made into a context, which takes a millisecond, for the first search. */
  const reach: { search?: () => unknown } = {}
  return {
    filter(collection: unknown, predicate: unknown): unknown {
      if (!hasPattern()) return filter(collection, predicate)
      if (!isContext(reach)) createContext(reach)
      reach.search = () => filter(collection, predicate)
      try {
        return runFor(timeFor(collection), (timeout) => script.runInContext(reach, { timeout }))
      } finally {
        delete reach.search
      }
    },
  }
}

/**
 * Stops a script by the clock, the only way there is, and begins again where the processor was busy with something else
 * for more than half of the time.
 *
 * @param time milliseconds
 * @throws HttpError 400 when they are over
 */
function runFor(time: number, run: (timeout: number) => unknown): unknown {
  const before = process.cpuUsage()
  for (;;) {
    try {
      return run(time)
    } catch (error) {
      if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1000 >= time / 2) throw tooSlow()
    }
  }
}

function tooSlow(): HttpError {
  return new HttpError(400, 'The regular expression in "_like" takes too long on this data: simplify it.')
}

function timeFor(collection: unknown): number {
  return TIME_FOR_SEARCH + (Array.isArray(collection) ? Math.ceil(collection.length * TIME_FOR_RECORD) : 0)
}
