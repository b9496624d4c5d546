import type { Chained } from 'json-server'
import type { Chain } from 'lodash'
import { isObject } from '../is-record'
import { derived } from './derived'
import { recordsReferringTo } from './id-lists'
import { lodash, lodashOfJsonServer } from './lodash'

const orders = derived<readonly unknown[]>()
const pages = derived<readonly unknown[]>()

/** What json-server filters by: a function in a list, and a foreign key with its value for `_embed`. */
type Predicate = ((record: unknown) => unknown) | Record<string, unknown>

/** A list as json-server's handler makes it. */
export interface List {
  /** All records, in which relations are looked for. */
  collection: readonly unknown[]
  /** Those of the collection that are in it before json-server filters. */
  records: readonly unknown[]
  /** Has the names of its query that a record has: json-server takes all others from the query. */
  fields: Readonly<Record<string, true>>
  /** Whether json-server adds relations to the records: only then it needs copies, one level deep. */
  hasRelations: boolean
}

/**
 * A chain of lodash over records, for json-server's handlers, with other functions in the place of those that
 * would do the same work again. A list is filtered and sorted at once, because json-server asks a chain twice,
 * for the header X-Total-Count and for the page. Orders and pages are remembered, so that their texts can be.
 */
export function listChain(list: List): Chain {
  const { collection, records, fields, hasRelations } = list
  const chainOf = (others: readonly unknown[]) => listChain({ ...list, records: others })
  const slice = (start: number, end: number) => {
    const page = pages(records, `${start} ${end}`, () => records.slice(start, end))
    return Object.assign(chainOf(page), { length: page.length })
  }
  return Object.assign(lodashOfJsonServer().chain(records), {
    filter: (filter: Predicate) =>
      typeof filter === 'function' ? chainOf(records.filter(filter)) : chained(embedded(collection, filter)),
    orderBy: (fields: readonly string[], directions: readonly string[]) => {
      const sort = () => lodash().orderBy(records, fields, directions)
      return chainOf(orders(records, JSON.stringify([fields, directions]), sort))
    },
    slice,
    cloneDeep: () => {
      const copies = hasRelations ? records.map(lodash().clone) : records
      return {
        /** json-server adds relations to each record, and fails on null and on a number. */
        forEach: (addRelations: (copy: unknown) => void) => {
          if (hasRelations) copies.filter(isObject).forEach(addRelations)
          return chained(copies)
        },
      }
    },
    /**
     * json-server takes a page of it, and looks for each name of the query in all that `for in` finds in it. So
     * that is not the records: three names that none has take 97 ms at 100,000, and V8 takes 12 ms to begin.
     */
    value: () =>
      collection.length === 0
        ? []
        : Object.defineProperties({ fields }, { length: { value: records.length }, slice: { value: slice } }),
  })
}

/** The records with a foreign key, in an array of their own: they are put into another record. */
function embedded(records: readonly unknown[], query: Record<string, unknown>): unknown[] {
  const [[foreignKey, id] = ['']] = Object.entries(query)
  return recordsReferringTo(records, foreignKey, id)
}

/** A chain that has come to its end. */
export function chained(value: unknown): Chained {
  return { value: () => value }
}
