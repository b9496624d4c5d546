import type { Mixins } from 'json-server'
import { isRecord } from '../../is-record'
import { keyOf, type StoredRecord } from './collection-scan'
import type { Collections } from './collections'
import { isPlural } from './plurals'

/**
 * Removes a record and exactly those that refer to it: json-server removes all records whose foreign key
 * leads nowhere.
 *
 * @param suffix what ends the name of a foreign key
 * @returns the router's `removeById`
 */
export function removal(collections: Collections, suffix: string): Mixins['removeById'] {
  function removeById(collection: unknown[], id: unknown): unknown {
    const record = collections.find(collection, id)
    if (record === undefined) return undefined
    const { state } = collections
    const parent = Object.keys(state).find((name) => state[name] === collection) ?? ''
    const changes = Object.values(state)
      .filter((resource) => Array.isArray(resource))
      .map((owner: unknown[]) => {
        const isRemoved = (other: unknown): other is StoredRecord =>
          isRecord(other) &&
          (refersTo(other, parent, String(id)) || (other === record && owner === collection))
        return { owner, removed: new Set(owner.filter(isRemoved)) }
      })
    for (const { owner, removed } of changes) if (removed.size > 0) removeAll(owner, removed)
    return record
  }

  /** Whether a record refers to the one with this id in the collection of this name. */
  function refersTo(record: StoredRecord, parent: string, id: string): boolean {
    for (const key in record) {
      const isForeignKey = key.endsWith(suffix) && keyOf(record[key]) === id
      if (isForeignKey && isPlural(parent, key.slice(0, -suffix.length))) return true
    }
    return false
  }

  function removeAll(collection: unknown[], removed: ReadonlySet<StoredRecord>): void {
    const kept = collection.filter((record) => !isRecord(record) || !removed.has(record))
    for (const [position, record] of kept.entries()) collection[position] = record
    collection.length = kept.length
    collections.indexOf(collection)?.removed(removed)
  }

  return removeById
}
