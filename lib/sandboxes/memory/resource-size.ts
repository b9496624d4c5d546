import { isRecord } from '../../is-record'
import type { HeapSize } from './heap-size'

/** What the routes of a resource take, in bytes: 200 of them take 1.3 MB. */
const ROUTES = 8 * 1024

/**
 * What a record takes beside its own content: its places in its collection, in the index by id and in four
 * cached orders.
 */
const RECORD = 128

/** The same for what is no record, which has no place in the index. */
const PLACES = 48

/**
 * What V8 reserves at most for a record with a field such as "1000" when a PATCH copies it: an array with so
 * many elements.
 */
const SPARSE = 12_500

/** What a record takes in memory at most, in bytes. */
export function recordSize(heap: HeapSize, record: unknown): number {
  // Fields that are indexes come first.
  const [first = ''] = isRecord(record) ? Object.keys(record) : []
  return (isRecord(record) ? RECORD : PLACES) + heap.of(record) + (/^\d{1,4}$/.test(first) ? SPARSE : 0)
}

/**
 * What a collection or a singular resource takes in memory at most, in bytes.
 *
 * @param sizeOf the size of a record, which may be known
 */
export function resourceSize(
  heap: HeapSize,
  resource: unknown,
  sizeOf = (record: unknown) => recordSize(heap, record),
): number {
  if (!Array.isArray(resource)) return ROUTES + sizeOf(resource)
  return resource.reduce<number>((size, record) => size + sizeOf(record), ROUTES)
}
