import type { Chained } from 'json-server'
import type { Chain } from 'lodash'
import { isObject } from '../is-record'
import { recordsWith } from './collection-index'
import { derived } from './derived'
import { lodash } from './lodash'

const orders = derived<readonly unknown[]>()

/** What json-server filters by: a function in a list, and a foreign key with its value for `_embed`. */
type Filter = ((record: unknown) => unknown) | Record<string, unknown>

/**
 * A chain of lodash over records, for json-server's handlers, with four functions in the place of lodash's. A
 * list is filtered and sorted at once, because json-server asks a chain twice, for the header X-Total-Count
 * and for the page, and lodash would do both again. An order is remembered.
 *
 * @param isCopied whether json-server adds relations to the records: only then it needs copies, one level deep
 */
export function listChain(records: readonly unknown[], isCopied: boolean): Chain {
  return Object.assign(lodash().chain(records), {
    filter: (filter: Filter) =>
      typeof filter === 'function'
        ? listChain(records.filter(filter), isCopied)
        : chained(embedded(records, filter)),
    orderBy: (fields: readonly string[], directions: readonly string[]) => {
      const sort = () => lodash().orderBy(records, fields, directions)
      return listChain(orders(records, JSON.stringify([fields, directions]), sort), isCopied)
    },
    slice: (start: number, end: number) => listChain(records.slice(start, end), isCopied),
    cloneDeep: () => lodash().chain(isCopied ? records.map(lodash().clone) : records),
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
