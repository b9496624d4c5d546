import type { Chained } from 'json-server'
import type { Chain } from 'lodash'
import { isObject } from '../is-record'
import { recordsWith } from './collection-index'
import { derived } from './derived'
import { lodash, lodashOfJsonServer } from './lodash'

const orders = derived<readonly unknown[]>()
const pages = derived<readonly unknown[]>()

/** What json-server filters by: a function in a list, and a foreign key with its value for `_embed`. */
type Filter = ((record: unknown) => unknown) | Record<string, unknown>

interface ListOptions {
  /** The names that json-server filters by, or leaves in the query: it looks for each in the records. */
  query: object
  /** Whether json-server adds relations to the records: only then it needs copies, one level deep. */
  hasRelations: boolean
  /** All records of the collection, in which relations are looked for. */
  collection: readonly unknown[]
}

/**
 * A chain of lodash over records, for json-server's handlers, with other functions in the place of those that
 * would do the same work again. A list is filtered and sorted at once, because json-server asks a chain twice,
 * for the header X-Total-Count and for the page. Orders and pages are remembered, so that their texts can be.
 */
export function listChain(records: readonly unknown[], options: ListOptions): Chain {
  const chainOf = (others: readonly unknown[]) => listChain(others, options)
  const { collection, hasRelations, query } = options
  const slice = (start: number, end: number) => {
    const page = pages(records, `${start} ${end}`, () => records.slice(start, end))
    return Object.assign(chainOf(page), { length: page.length })
  }
  return Object.assign(lodashOfJsonServer().chain(records), {
    filter: (filter: Filter) =>
      typeof filter === 'function' ? chainOf(records.filter(filter)) : chained(embedded(collection, filter)),
    orderBy: (fields: readonly string[], directions: readonly string[]) => {
      const sort = () => lodash().orderBy(records, fields, directions)
      return chainOf(orders(records, JSON.stringify([fields, directions]), sort))
    },
    slice,
    cloneDeep: () => lodash().chain(hasRelations ? records.map(lodash().clone) : records),
    /**
     * json-server takes a page of it, and looks in all of it for a record that has a name of the query. Each
     * name that is left has one, and V8 takes 12 ms to begin a `for in` over 100,000 records.
     */
    value: () => (records.length === 0 ? [] : { length: records.length, slice, query }),
  })
}

/** The records with a foreign key, in an array of their own: they are put into another record. */
function embedded(records: readonly unknown[], query: Record<string, unknown>): unknown[] {
  const [[foreignKey, id] = ['']] = Object.entries(query)
  // lodash compares objects by their content, and tells a missing field from one that is undefined.
  if (id === undefined || isObject(id)) return lodash().filter(records, query)
  return [...recordsWith(records, foreignKey, id)]
}

/** A chain that has come to its end. */
export function chained(value: unknown): Chained {
  return { value: () => value }
}
