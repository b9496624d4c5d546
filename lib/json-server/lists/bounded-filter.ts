import type { Mixins } from 'json-server'
import { isObject, isRecord } from '../../is-record'
import { isOneField, isPattern } from '../requests/query-guard'
import type { CurrentSearch } from './search'
import { withGivenValues } from './with-given-values'

/** A query with more values than this, or with a regular expression, has a time limit. */
const MOST_UNTIMED = 20

/**
 * Replaces lodash's `filter`, and adds a time limit. A few filters without a regular expression run without
 * the limit, because it takes time itself.
 *
 * @param unbounded lodash's own
 * @returns a function that throws HttpError as {@link Search.inTime} does
 */
export function boundedFilter(unbounded: Mixins['filter'], current: CurrentSearch): Mixins['filter'] {
  return function filter(collection, predicate) {
    // lodash treats an object with a large `length` as an array and walks it to the end.
    if (!Array.isArray(collection)) return []
    const search = current.get()
    if (isRecord(predicate)) {
      // `_embed` filters by an object. lodash compares each value of a list in it with each of another.
      const work = () => unbounded(collection, predicate)
      return Object.values(predicate).some(isObject) ? search.inTime(work) : work()
    }
    if (typeof predicate !== 'function') return unbounded(collection, predicate)
    const work = () => unbounded(withGivenValues(collection, search.query), predicate)
    return search.once(collection, predicate, () => (isCostly(search.query) ? search.inTime(work) : work()))
  }
}

function isCostly(query: object): boolean {
  if (Object.keys(query).some(isPattern)) return true
  const compared = Object.entries(query).flatMap(([name, values]) => (isOneField(name) ? [] : values))
  return compared.length > MOST_UNTIMED
}
