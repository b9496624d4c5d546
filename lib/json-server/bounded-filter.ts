import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { HttpError } from '../errors'
import { isPattern } from './query-guard'

/** Milliseconds for all the regular expressions of a request together: every other request waits meanwhile. */
const TIME_LIMIT = 250

const script = new Script('search()', { filename: 'bounded-search' })

type Filter = (collection: unknown, predicate: unknown) => unknown

/**
 * The router's `filter` with an end: a regular expression that backtracks without one is stopped in the middle, which
 * only Node's `vm` can do. That takes some 100 us, so other filters go without.
 */
export class BoundedFilter {
  readonly #filter: Filter
  /** What the script can reach. Made into a context, which takes a millisecond, for the first search. */
  readonly #reach: { search?: () => unknown } = {}
  /** Milliseconds left to the request that is being handled, infinite without a `_like`; undefined between requests. */
  #timeLeft: number | undefined

  /** @param lodash the router's, before this filter is mixed into it */
  constructor({ filter }: { filter: Filter }) {
    this.#filter = filter
  }

  /**
   * Handles a request within the time limit.
   *
   * @param work what a resource does with the request, all in one turn
   */
  limit(query: object, work: () => void): void {
    this.#timeLeft = Object.keys(query).some(isPattern) ? TIME_LIMIT : Number.POSITIVE_INFINITY
    try {
      work()
    } finally {
      this.#timeLeft = undefined
    }
  }

  /**
   * In place of lodash's `filter`; the same as that one for whoever calls it between requests.
   *
   * @throws HttpError 400 when a regular expression is not valid or the time is over
   */
  filter(collection: unknown, predicate: unknown): unknown {
    if (this.#timeLeft === undefined) return this.#filter(collection, predicate)
    // lodash takes an object with a large `length` for an array and walks it to the end.
    if (!Array.isArray(collection)) return []
    // `_embed` filters by an object.
    if (this.#timeLeft === Number.POSITIVE_INFINITY || typeof predicate !== 'function')
      return this.#filter(collection, predicate)
    return this.#search(() => this.#filter(collection, predicate), this.#timeLeft)
  }

  #search(search: () => unknown, timeLeft: number): unknown {
    if (timeLeft <= 0) throw tooSlow()
    if (!isContext(this.#reach)) createContext(this.#reach)
    this.#reach.search = search
    const before = process.cpuUsage()
    try {
      return script.runInContext(this.#reach, { timeout: Math.ceil(timeLeft) })
    } catch (error) {
      if (error instanceof SyntaxError) throw invalid()
      if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      delete this.#reach.search
      const { user, system } = process.cpuUsage(before)
      this.#timeLeft = timeLeft - (user + system) / 1000
    }
    // The script is stopped by the clock, and the processor may have been busy with something else.
    return this.#search(search, this.#timeLeft)
  }
}

function invalid(): HttpError {
  return new HttpError(
    400,
    'The regular expression in "_like" is not valid: put a backslash before each special character.',
  )
}

function tooSlow(): HttpError {
  return new HttpError(400, 'The regular expressions in "_like" take too long on this data: simplify them.')
}
