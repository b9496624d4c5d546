import { isRecord } from '../../is-record'

export type StoredRecord = Record<string, unknown>

/**
 * The first record with this id, or undefined. json-server compares ids as strings: `/posts/1` finds the id
 * 1.
 */
export function findRecord(
  collection: readonly unknown[],
  idProperty: string,
  id: unknown,
): StoredRecord | undefined {
  const key = keyOf(id)
  if (key === undefined) return undefined
  for (const record of collection) if (isRecord(record) && keyOf(record[idProperty]) === key) return record
  return undefined
}

/** The id after the largest one, or undefined when not all ids are numbers. */
export function idAfter(collection: readonly unknown[], idProperty: string): number | undefined {
  let largest: number | undefined
  for (const record of collection) {
    const id = isRecord(record) ? record[idProperty] : undefined
    if (typeof id === 'number') largest = Math.max(largest ?? id, id)
    else if (keyOf(id) !== undefined) return undefined
  }
  return (largest ?? 0) + 1
}

/** An id as json-server compares it, or undefined for a value that is not an id. */
export function keyOf(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'boolean' ? String(id) : undefined
}
