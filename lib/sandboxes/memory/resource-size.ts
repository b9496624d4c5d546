import { isRecord } from '../../is-record'
import type { HeapSize } from './heap-size'

/** The bytes that the routes of a resource take: 200 resources take 1.3 MB. */
const ROUTES = 8 * 1024

/**
 * The bytes that a record takes besides its own content: its places in its collection, in the index by id and
 * in four cached orders.
 */
const RECORD = 128

/** The same for a value that is not a record, and so is not in the index. */
const OTHER_VALUE = 48

/**
 * The most bytes that V8 reserves for a record with a field such as "1000" when a PATCH copies it: an array
 * with that many elements.
 */
const SPARSE = 12_500

/** The most memory that a record can take, in bytes. */
export function recordSize(heap: HeapSize, record: unknown): number {
  // Fields that are indexes come first.
  const [first = ''] = isRecord(record) ? Object.keys(record) : []
  return (isRecord(record) ? RECORD : OTHER_VALUE) + heap.of(record) + (/^\d{1,4}$/.test(first) ? SPARSE : 0)
}

/**
 * The most memory that a collection or a singular resource can take, in bytes.
 *
 * @param sizeOf gives the size of a record, which may be known already
 */
export function resourceSize(
  heap: HeapSize,
  resource: unknown,
  sizeOf = (record: unknown) => recordSize(heap, record),
): number {
  if (!Array.isArray(resource)) return ROUTES + sizeOf(resource)
  return resource.reduce<number>((size, record) => size + sizeOf(record), ROUTES)
}
