import { isRecord } from '../is-record'
import { holdsToString } from './holds-to-string'

/** The functions of the router's lodash that compare values of records. */
interface Comparing {
  filter(collection: unknown, predicate: unknown): unknown
  orderBy(collection: unknown, iteratees: unknown[], orders: unknown): unknown
  get(value: unknown, path: string): unknown
}

/**
 * Filtering and sorting for data that holds an object with a field named `toString`. json-server turns values into text by
 * that name and fails on every filter and sort of such a collection, so here they see a copy without the field.
 *
 * @param lodash the router's lodash, before these functions are mixed into it
 */
export function safeComparisons({ filter, orderBy, get }: Comparing): object {
  return {
    filter: (collection: unknown, predicate: unknown) =>
      filter(
        collection,
        typeof predicate === 'function' ? (record: unknown) => predicate(comparable(record)) : predicate,
      ),
    orderBy: (collection: unknown, paths: string[], orders: unknown) =>
      orderBy(
        collection,
        paths.map((path) => (record: unknown) => get(comparable(record), path)),
        orders,
      ),
  }
}

function comparable(value: unknown): unknown {
  if (!holdsToString(value)) return value
  if (Array.isArray(value)) return value.map(comparable)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'toString')
      .map(([name, item]) => [name, comparable(item)]),
  )
}
