import type { Request } from 'express'
import type { Database, Mixins } from 'json-server'
import { HttpError } from '../../errors'
import type { ResultCache } from '../records/result-cache'
import { isField, isFilter, isOneField } from '../requests/query-guard'
import type { CurrentSearch } from './search'
import { sortRecords } from './sort-records'

/**
 * How many characters of names may be read to look for the filters of a query, or the fields of `_sort`, in
 * all records, which takes about half a second.
 */
const MOST_CHARACTERS = 200_000_000

/** Looking at a record takes as long as reading this many characters, however short the name is. */
const ONE_LOOK = 100

export interface ListFunctionsOptions {
  /** lodash's functions. */
  lodash: Pick<Database['_'], 'map' | 'has'>
  search: CurrentSearch
  /** The cache for a collection, or undefined if a change would go unnoticed. */
  cacheOf: (collection: readonly unknown[]) => ResultCache | undefined
}

/**
 * Values that json-server computes from a whole collection for each list request; here, only after a change.
 */
export function listFunctions({ lodash, search, cacheOf }: ListFunctionsOptions) {
  function cached(collection: readonly unknown[], key: string, work: () => unknown): unknown {
    const cache = cacheOf(collection)
    return cache === undefined ? work() : cache.get(key, work)
  }

  /**
   * In place of lodash's `orderBy`.
   *
   * @returns a function that throws HttpError 400 for too many or too long names for a list of this size
   */
  const orderBy: Mixins['orderBy'] = (collection, paths, orders) => {
    const key = paths.map((path, index) => (orders[index] === 'desc' ? `-${path}` : `+${path}`))
    const sort = () => {
      // Any list can be sorted by one field: the others only order records that have the same value.
      const characters = paths.join().length + ONE_LOOK * (paths.length - 1)
      if (collection.length * characters > MOST_CHARACTERS)
        throw new HttpError({
          status: 400,
          message:
            'The query parameter "_sort" has too many or too long names for a list of this size: use fewer.',
        })
      const fields = paths.map((path) => lodash.map(collection, path))
      return sortRecords(collection, fields, orders)
    }
    return search.get().once(collection, paths, () => cached(collection, key.join(), sort))
  }

  /**
   * Hides the parameters that are not a field of any record: json-server looks for each of them, `_page`
   * included, in every record, and then ignores it. A parameter that is not enumerable can still be read.
   *
   * @param collection the requested collection
   * @throws HttpError 400 when json-server would look for the others for seconds
   */
  function hideUnknown(query: Request['query'], collection: readonly unknown[]): void {
    const names = Object.keys(query).filter(isFilter)
    if (names.length === 0) return
    const fields = cached(collection, 'fields', () => fieldsOf(collection))
    if (!(fields instanceof Set)) return
    let characters = 0
    for (const name of names) {
      const [first = ''] = /^[^.[\]]+/.exec(name) ?? []
      const mayBeKnown = !isField(name) || fields.has(first) || fields.has(name)
      if (mayBeKnown) characters += collection.length * (name.length + ONE_LOOK)
      if (characters > MOST_CHARACTERS)
        throw new HttpError({
          status: 400,
          message: 'The query has too many or too long filters for a list of this size: use fewer.',
        })
      const isKnown =
        mayBeKnown &&
        (!isField(name) || isOneField(name) || collection.some((record) => lodash.has(record, name)))
      if (!isKnown) Object.defineProperty(query, name, { enumerable: false })
    }
  }

  return { orderBy, hideUnknown }
}

/** The names of all fields. Strings and lists also have a `length`. */
function fieldsOf(collection: readonly unknown[]): ReadonlySet<string> {
  const fields = new Set(['length'])
  for (const record of collection) for (const name in Object(record)) fields.add(name)
  return fields
}
