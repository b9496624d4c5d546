import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { HttpError } from '../errors'
import { ChainResults } from './chain-results'
import { isPattern } from './query-guard'
import { withGivenValues } from './with-given-values'

/** Milliseconds of processor time for all the filters of a request together: every other request waits meanwhile. */
const TIME_LIMIT = 250

const script = new Script('search()', { filename: 'bounded-search' })

type Filter = (collection: unknown, predicate: unknown) => unknown

/**
 * The router's `filter` with an end: a regular expression that backtracks without one is stopped in the middle, which
 * only Node's `vm` can do. That takes some 100 us, so other filters go without.
 */
export class BoundedFilter {
  readonly #filter: Filter
  readonly #results = new ChainResults()
  /** What the script can reach. Made into a context, which takes a millisecond, for the first search. */
  readonly #reach: { search?: () => unknown } = {}
  /** Of the request that is being handled: json-server takes from it what is no filter. */
  #query: object = {}
  /** Milliseconds left to that request. */
  #timeLeft = Number.POSITIVE_INFINITY

  /** @param lodash the router's, before this filter is mixed into it */
  constructor({ filter }: { filter: Filter }) {
    this.#filter = filter
  }

  /** Called before each request, of which the router calls all filters in the same tick. */
  begin(query: object): void {
    this.#query = query
    this.#timeLeft = Object.keys(query).some(isPattern) ? TIME_LIMIT : Number.POSITIVE_INFINITY
  }

  /**
   * In place of lodash's `filter`.
   *
   * @throws HttpError 400 when a regular expression is not valid or the time is over
   */
  filter(collection: unknown, predicate: unknown): unknown {
    // lodash takes an object with a large `length` for an array and walks it to the end.
    if (!Array.isArray(collection)) return []
    // `_embed` filters by an object.
    if (typeof predicate !== 'function') return this.#filter(collection, predicate)
    const search = () => this.#filter(withGivenValues(collection, this.#query), predicate)
    return this.#results.get(collection, predicate, () =>
      this.#timeLeft === Number.POSITIVE_INFINITY ? search() : this.#search(search),
    )
  }

  #search(search: () => unknown): unknown {
    if (!isContext(this.#reach)) createContext(this.#reach)
    this.#reach.search = search
    // Only processor time counts: on a busy machine, what was stopped before it had its time begins again.
    while (this.#timeLeft > 0) {
      const start = process.cpuUsage()
      try {
        return script.runInContext(this.#reach, { timeout: Math.ceil(this.#timeLeft) })
      } catch (error) {
        if (error instanceof SyntaxError) {
          throw new HttpError(
            400,
            'The regular expression in "_like" is not valid: put a backslash before each special character.',
          )
        }
        if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      } finally {
        const { user, system } = process.cpuUsage(start)
        this.#timeLeft -= (user + system) / 1000
      }
    }
    throw new HttpError(400, 'The regular expressions in "_like" take too long on this data: simplify them.')
  }
}
