import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { HttpError } from '../errors'
import { isObject, isRecord } from '../is-record'
import { chainResults } from './chain-results'
import { isOneField, isPattern } from './query-guard'
import { withGivenValues } from './with-given-values'

/** Milliseconds of processor time for all the filters of a request together: every other request waits meanwhile. */
const TIME_LIMIT = 250

/** How many values a query may have, without a regular expression, to be compared with each record in as long as it takes. */
const MOST_UNTIMED = 20

const script = new Script('search()', { filename: 'bounded-search' })

type Filter = (collection: unknown, predicate: unknown) => unknown

/**
 * The router's `filter` with a time limit: only Node's `vm` can stop a regular expression in the middle. That takes about
 * 100 microseconds, so a few filters without a regular expression run without it.
 *
 * @param lodash the router's, before this filter is mixed into it
 */
export function boundedFilter({ filter: unbounded }: { filter: Filter }) {
  const onceInChain = chainResults()
  /** The globals of the script. Made into a context, which takes a millisecond, for the first search. */
  const globals: { search?: () => unknown } = {}
  /** The query of the current request: json-server removes from it the parameters that are not filters. */
  let filters: object = {}
  /** Milliseconds of processor time that this request has left. */
  let timeLeft = TIME_LIMIT
  let isCostly = false

  /** Called before each request: the router runs all of its filters in the same tick. */
  function begin(query: object): void {
    filters = query
    timeLeft = TIME_LIMIT
    const names = Object.keys(query)
    const compared = Object.entries(query).flatMap(([name, values]) => (isOneField(name) ? [] : values))
    isCostly = names.some(isPattern) || compared.length > MOST_UNTIMED
  }

  /**
   * In place of lodash's `filter`.
   *
   * @throws HttpError 400 when a regular expression is not valid or the time is up
   */
  function filter(collection: unknown, predicate: unknown): unknown {
    // lodash takes an object with a large `length` for an array and walks it to the end.
    if (!Array.isArray(collection)) return []
    if (isRecord(predicate)) {
      // `_embed` filters by an object. lodash compares each value of a list in it with each of another.
      const search = () => unbounded(collection, predicate)
      return Object.values(predicate).some(isObject) ? searchInTime(search) : search()
    }
    if (typeof predicate !== 'function') return unbounded(collection, predicate)
    const search = () => unbounded(withGivenValues(collection, filters), predicate)
    return onceInChain(collection, predicate, () => (isCostly ? searchInTime(search) : search()))
  }

  function searchInTime(search: () => unknown): unknown {
    if (!isContext(globals)) createContext(globals)
    globals.search = search
    // Only processor time counts: on a busy machine, a search that was stopped before it had its time starts again.
    while (timeLeft > 0) {
      const start = process.cpuUsage()
      try {
        return script.runInContext(globals, { timeout: Math.ceil(timeLeft) })
      } catch (error) {
        if (error instanceof SyntaxError) {
          throw new HttpError(
            400,
            'The regular expression in "_like" is not valid: put a backslash before each special character.',
          )
        }
        // The stack is too small to compile or to run it.
        if (error instanceof RangeError)
          throw new HttpError(400, 'The regular expression in "_like" is nested too deep: simplify it.')
        if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      } finally {
        const { user, system } = process.cpuUsage(start)
        timeLeft -= (user + system) / 1000
      }
    }
    throw new HttpError(
      400,
      'The filters of this query take too long on this data: use fewer or simpler ones.',
    )
  }

  return { begin, filter }
}
