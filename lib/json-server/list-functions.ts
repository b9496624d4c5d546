import type { Request } from 'express'
import type { Database } from 'json-server'
import { chainResults } from './chain-results'
import { isField } from './query-guard'
import type { ResultCache } from './result-cache'
import { sortRecords } from './sort-records'

export interface ListFunctionsOptions {
  /** lodash's own functions. */
  lodash: Pick<Database['_'], 'orderBy' | 'map'>
  /** The cache for a collection, or undefined where a change would go unnoticed. */
  cacheOf: (collection: readonly unknown[]) => ResultCache | undefined
}

/** What json-server computes from a whole collection for each request to a list, and here only after a change. */
export function listFunctions({ lodash, cacheOf }: ListFunctionsOptions) {
  const onceInChain = chainResults()

  function cached(collection: readonly unknown[], key: string, work: () => unknown): unknown {
    const cache = cacheOf(collection)
    return cache === undefined ? work() : cache.get(key, work)
  }

  /** In place of lodash's `orderBy`. */
  function orderBy(
    collection: readonly unknown[],
    paths: readonly string[],
    orders: readonly string[],
  ): unknown {
    const sort = () => {
      const fields = paths.map((path) => lodash.map(collection, path))
      return sortRecords(collection, fields, orders) ?? lodash.orderBy(collection, paths, orders)
    }
    const key = paths.map((path, index) => (orders[index] === 'desc' ? `-${path}` : `+${path}`))
    return onceInChain(collection, paths, () => cached(collection, key.join(), sort))
  }

  /**
   * Hides the parameters that no record has as a field: json-server looks for each of them, `_page` included, in every record,
   * and then ignores it. A parameter that is not enumerable can still be read.
   *
   * @param collection whose list is asked for
   */
  function hideUnknown(query: Request['query'], collection: readonly unknown[]): void {
    const names = Object.keys(query).filter(isField)
    if (names.length === 0) return
    const fields = cached(collection, 'fields', () => fieldsOf(collection))
    if (!(fields instanceof Set)) return
    for (const name of names) {
      // A name such as `author.name` may lead through several fields.
      const [first = ''] = /^[^.[\]]+/.exec(name) ?? []
      if (!fields.has(first) && !fields.has(name)) Object.defineProperty(query, name, { enumerable: false })
    }
  }

  return { orderBy, hideUnknown }
}

/** The names of all fields. Strings and lists, too, have a `length`. */
function fieldsOf(collection: readonly unknown[]): ReadonlySet<string> {
  const fields = new Set(['length'])
  for (const record of collection) for (const name in Object(record)) fields.add(name)
  return fields
}
