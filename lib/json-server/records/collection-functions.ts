import type { Mixins } from 'json-server'
import type { DataSource } from '../../data/data-source'
import { HttpError } from '../../errors'
import { BODY_LIMITS } from '../../http/body-limits'
import { isRecord } from '../../is-record'
import { CollectionIndex } from './collection-index'
import { findRecord, idAfter, keyOf, type StoredRecord } from './collection-scan'
import { isPlural } from './plurals'
import type { ResultCache } from './result-cache'

export interface CollectionFunctionsOptions {
  data: DataSource
  /** The name of the id property, as it is at the moment. */
  idProperty: () => string
  /** What ends the name of a foreign key. */
  foreignKeySuffix: string
  /** json-server's own createId, for ids that are not all numbers. */
  createId: (collection: unknown) => unknown
}

export interface CollectionFunctions {
  /** The functions by the names under which the router's lodash calls them. */
  readonly mixins: Omit<Mixins, 'filter' | 'orderBy'>
  /** The record with this id, or undefined; a missing id finds nothing instead of crashing. */
  find(collection: unknown, id: unknown): StoredRecord | undefined
  /** As `find` for many ids: until the end of the tick, in which nobody else can change the collection. */
  finder(collection: unknown): (id: unknown) => StoredRecord | undefined
  /** The cache for a stored collection, or undefined where a change would go unnoticed. */
  cacheOf(collection: readonly unknown[]): ResultCache | undefined
}

/**
 * What json-server's router does to its collections, in place of lodash-id and json-server's mixins: by an
 * index instead of a scan, and without what crashes or corrupts there (a missing foreign key, a duplicate id,
 * a DELETE that also deletes unrelated records).
 *
 * Each change is prepared first and made at the end, so that an error leaves everything as it was. A record
 * never changes: a new one takes its place, so that its text and the responses that hold it stay what they
 * are.
 */
export function collectionFunctions({
  data,
  idProperty,
  foreignKeySuffix: suffix,
  createId: createOtherId,
}: CollectionFunctionsOptions): CollectionFunctions {
  /** What somebody else may change in place has no index: it can only be scanned. */
  function indexOf(collection: readonly unknown[]): CollectionIndex | undefined {
    return data.isShared ? undefined : CollectionIndex.of(collection, idProperty())
  }

  function find(collection: unknown, id: unknown): StoredRecord | undefined {
    if (!Array.isArray(collection)) return undefined
    const index = indexOf(collection)
    return index === undefined ? findRecord(collection, idProperty(), id) : index.find(id)
  }

  function finder(collection: unknown): (id: unknown) => StoredRecord | undefined {
    if (!Array.isArray(collection)) return () => undefined
    const index = indexOf(collection) ?? new CollectionIndex(collection, idProperty())
    return (id) => index.find(id)
  }

  /**
   * @throws HttpError 409 when there is no larger integer: json-server would give the same id again and again
   */
  function createId(collection: readonly unknown[]): unknown {
    const index = indexOf(collection)
    const next = index === undefined ? idAfter(collection, idProperty()) : index.nextId()
    const id = next ?? freeId(collection)
    if (typeof id === 'number' && id > Number.MAX_SAFE_INTEGER)
      throw new HttpError(409, 'The largest id leaves no integer for the next record: send an id.')
    return id
  }

  /**
   * An id beside strings: json-server gives the number after the largest, which another record may have as a
   * string.
   */
  function freeId(collection: readonly unknown[]): unknown {
    let id = createOtherId(collection)
    const find = finder(collection)
    while (typeof id === 'number' && id <= Number.MAX_SAFE_INTEGER && find(id) !== undefined) id += 1
    return id
  }

  function insert(collection: unknown[], record: StoredRecord): StoredRecord {
    const name = idProperty()
    const id = record[name]
    if (id && find(collection, id) !== undefined)
      throw new HttpError(409, `A record with the ${name} ${JSON.stringify(id)} exists already.`)
    record[name] = id || createId(collection)
    collection.push(record)
    indexOf(collection)?.added(record)
    return record
  }

  function updateById(collection: unknown[], id: unknown, changes: StoredRecord) {
    return replaceById(collection, id, merged(find(collection, id) ?? {}, changes))
  }

  /**
   * A change of one field must not cost what a record of hundreds of thousands does. @throws HttpError 413
   */
  function merged(record: StoredRecord, changes: StoredRecord): StoredRecord {
    const result = { ...record, ...changes }
    const count = Object.keys(result).length
    if (count > BODY_LIMITS.names && count > Object.keys(record).length)
      throw new HttpError(413, `A record must not have more than ${BODY_LIMITS.names} fields.`)
    return result
  }

  function replaceById(collection: unknown[], id: unknown, content: StoredRecord) {
    const record = find(collection, id)
    if (record === undefined) return undefined
    const replacement = { ...content, [idProperty()]: record[idProperty()] }
    Object.setPrototypeOf(replacement, Object.getPrototypeOf(record))
    // Throws, before anything has changed, when the record could not be sent.
    JSON.stringify(replacement)
    collection[collection.indexOf(record)] = replacement
    indexOf(collection)?.replaced(replacement)
    return replacement
  }

  /**
   * Removes a record and exactly those that refer to it: json-server removes all whose foreign key leads
   * nowhere.
   */
  function removeById(collection: unknown[], id: unknown): unknown {
    const record = find(collection, id)
    if (record === undefined) return undefined
    const { state } = data
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
    indexOf(collection)?.removed(removed)
  }

  return {
    find,
    finder,
    cacheOf: (collection) =>
      Object.values(data.state).includes(collection) ? indexOf(collection)?.cache : undefined,
    mixins: {
      getById: find,
      createId,
      insert,
      updateById,
      replaceById,
      removeById,
      // Of a singular resource, which the router changes in place.
      assign: (resource: StoredRecord, changes: StoredRecord) =>
        Object.assign(resource, merged(resource, changes)),
      // `removeById` has removed them already.
      getRemovable: () => [],
    },
  }
}
