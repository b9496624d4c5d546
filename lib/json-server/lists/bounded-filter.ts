import { HttpError } from '../../errors'
import { isObject, isRecord } from '../../is-record'
import { TimeIsUp, TimeLimit } from '../../time-limit'
import { isOneField, isPattern } from '../requests/query-guard'
import { chainResults } from './chain-results'
import { withGivenValues } from './with-given-values'

/**
 * Milliseconds of processor time for all the filters of a request together: every other request waits
 * meanwhile.
 */
const TIME_LIMIT = 250

/**
 * How many values a query may have, without a regular expression, to be compared with each record in as long
 * as it takes.
 */
const MOST_UNTIMED = 20

type Filter = (collection: unknown, predicate: unknown) => unknown

/**
 * The router's `filter` with a time limit. A few filters without a regular expression run without it, because
 * it takes time itself.
 *
 * @param lodash the router's, before this filter is mixed into it
 */
export function boundedFilter({ filter: unbounded }: { filter: Filter }) {
  const onceInChain = chainResults()
  /** The query of the current request: json-server removes from it the parameters that are not filters. */
  let filters: object = {}
  /** The time that this request has left. */
  let limit = new TimeLimit(TIME_LIMIT)
  let isCostly = false

  /** Called before each request: the router runs all of its filters in the same tick. */
  function begin(query: object): void {
    filters = query
    limit = new TimeLimit(TIME_LIMIT)
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
      return Object.values(predicate).some(isObject) ? searchInTime(limit, search) : search()
    }
    if (typeof predicate !== 'function') return unbounded(collection, predicate)
    const search = () => unbounded(withGivenValues(collection, filters), predicate)
    return onceInChain(collection, predicate, () => (isCostly ? searchInTime(limit, search) : search()))
  }

  return { begin, filter }
}

function searchInTime(limit: TimeLimit, search: () => unknown): unknown {
  try {
    return limit.run(search)
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
    if (!(error instanceof TimeIsUp)) throw error
    throw new HttpError(
      400,
      'The filters of this query take too long on this data: use fewer or simpler ones.',
    )
  }
}
