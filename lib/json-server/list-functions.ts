import type { Request } from 'express'
import type { Database } from 'json-server'
import { isRecord } from '../is-record'
import { ChainResults } from './chain-results'
import type { KeptResults } from './kept-results'
import { sortRecords } from './sort-records'

export interface ListFunctionsOptions {
  /** lodash's own functions. */
  lodash: Pick<Database['_'], 'orderBy' | 'map'>
  /** What is kept of a collection, or undefined when it may change unnoticed. */
  resultsOf: (collection: readonly unknown[]) => KeptResults | undefined
}

/** What json-server's lists do with a whole collection for each request, and here only when it has changed. */
export class ListFunctions {
  readonly #lodash: ListFunctionsOptions['lodash']
  readonly #resultsOf: ListFunctionsOptions['resultsOf']
  readonly #chainResults = new ChainResults()

  constructor({ lodash, resultsOf }: ListFunctionsOptions) {
    this.#lodash = lodash
    this.#resultsOf = resultsOf
  }

  /** In place of lodash's `orderBy`. */
  orderBy(collection: unknown, paths: unknown, orders: unknown): unknown {
    const lodash = this.#lodash
    if (!Array.isArray(collection) || !areStrings(paths) || !areStrings(orders))
      return lodash.orderBy(collection, paths, orders)
    const sort = () => {
      const fields = paths.map((path) => lodash.map(collection, path))
      return sortRecords(collection, fields, orders) ?? lodash.orderBy(collection, paths, orders)
    }
    const key = paths.map((path, index) => (orders[index] === 'desc' ? `-${path}` : `+${path}`))
    return this.#chainResults.get(collection, paths, () =>
      keep(this.#resultsOf(collection), key.join(), sort),
    )
  }

  /**
   * Keeps `_page` from being taken for a filter: json-server leaves it among them, and then looks in every record for a field
   * of that name. What is not enumerable can still be read.
   *
   * @param collection whose list is asked for; where a record has such a field, it is a filter
   */
  hidePage(query: Request['query'], collection: readonly unknown[] | undefined): void {
    if (query._page === undefined || collection === undefined) return
    const find = () => collection.some((record) => isRecord(record) && '_page' in record)
    if (keep(this.#resultsOf(collection), '_page', find) === false)
      Object.defineProperty(query, '_page', { enumerable: false })
  }
}

/** Takes `_embed` and `_expand` out of the query of a list without objects, to which json-server cannot add anything. */
export function leaveOutRelations(query: Request['query'], collection: readonly unknown[]): void {
  if (collection.some(isRecord)) return
  delete query._embed
  delete query._expand
}

function keep(results: KeptResults | undefined, key: string, work: () => unknown): unknown {
  return results === undefined ? work() : results.get(key, work)
}

function areStrings(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
}
