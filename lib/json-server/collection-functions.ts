import pluralize from 'pluralize'
import type { DataSource } from '../data/data-source'
import { HttpError } from '../errors'
import { isRecord } from '../is-record'
import { CollectionIndex } from './collection-index'
import { CollectionScan, isId, type StoredRecord } from './collection-scan'
import type { KeptResults } from './kept-results'

export interface CollectionFunctionsOptions {
  data: DataSource
  /** The name of the id property, as it is at the moment. */
  idProperty: () => string
  /** What ends the name of a foreign key. */
  foreignKeySuffix: string
  /** json-server's own createId, for ids that are not all numbers. */
  createId: (collection: unknown) => unknown
}

/**
 * What json-server's router does to its collections, in place of lodash-id and json-server's mixins: by an index instead
 * of a scan, and without what crashes or corrupts there (a missing foreign key, a duplicate id, a DELETE that takes
 * unrelated records along).
 *
 * Each change is prepared first and made at the end, so that an error leaves everything as it was. A record never changes: a
 * new one takes its place, so that its text and the responses that hold it stay what they are.
 */
export class CollectionFunctions {
  readonly #options: CollectionFunctionsOptions

  constructor(options: CollectionFunctionsOptions) {
    this.#options = options
  }

  /** The functions by the names under which the router's lodash calls them. */
  mixins(): object {
    return {
      getById: (collection: unknown, id: unknown) => this.find(collection, id),
      createId: (collection: unknown) => this.#createId(collection),
      insert: (collection: unknown, record: unknown) => this.#insert(collection, record),
      updateById: (collection: unknown, id: unknown, changes: unknown) =>
        this.#replace(collection, id, (record) => ({ ...record, ...asRecord(changes) })),
      replaceById: (collection: unknown, id: unknown, replacement: unknown) =>
        this.#replace(collection, id, () => ({ ...asRecord(replacement) })),
      removeById: (collection: unknown, id: unknown) => this.#remove(collection, id),
      // `removeById` has removed them already.
      getRemovable: () => [],
    }
  }

  /** The record with this id, or undefined; a missing id finds nothing instead of crashing. */
  find(collection: unknown, id: unknown): StoredRecord | undefined {
    return Array.isArray(collection) ? this.#lookup(collection).find(id) : undefined
  }

  /** Where results about a stored collection are kept, or undefined where a change would go unnoticed. */
  resultsOf(collection: readonly unknown[]): KeptResults | undefined {
    const { data, idProperty } = this.#options
    const isKept = !data.isShared && Object.values(data.state).includes(collection)
    return isKept ? CollectionIndex.of(collection, idProperty()).results : undefined
  }

  /** What somebody else may change in place can only be scanned. */
  #lookup(collection: readonly unknown[]): CollectionScan {
    const { data, idProperty } = this.#options
    return data.isShared
      ? new CollectionScan(collection, idProperty())
      : CollectionIndex.of(collection, idProperty())
  }

  #createId(collection: unknown): unknown {
    const next = Array.isArray(collection) ? this.#lookup(collection).nextId() : undefined
    return next ?? this.#options.createId(collection)
  }

  #insert(collection: unknown, record: unknown): unknown {
    if (!Array.isArray(collection) || !isRecord(record)) return record
    const idProperty = this.#options.idProperty()
    const id = record[idProperty] || this.#createId(collection)
    if (record[idProperty] && this.find(collection, id) !== undefined) {
      throw new HttpError(409, `A record with the ${idProperty} ${JSON.stringify(id)} exists already.`)
    }
    record[idProperty] = id
    collection.push(record)
    this.#lookup(collection).added(record)
    return record
  }

  #replace(collection: unknown, id: unknown, change: (record: StoredRecord) => StoredRecord): unknown {
    const record = this.find(collection, id)
    if (!Array.isArray(collection) || record === undefined) return undefined
    const idProperty = this.#options.idProperty()
    const replacement = { ...change(record), [idProperty]: record[idProperty] }
    Object.setPrototypeOf(replacement, Object.getPrototypeOf(record))
    // Throws, before anything has changed, when the record could not be sent.
    JSON.stringify(replacement)
    collection[collection.indexOf(record)] = replacement
    this.#lookup(collection).replaced(replacement)
    return replacement
  }

  /** Removes a record and exactly those that refer to it: json-server removes all whose foreign key leads nowhere. */
  #remove(collection: unknown, id: unknown): unknown {
    const record = this.find(collection, id)
    if (record === undefined) return undefined
    const { state } = this.#options.data
    const refersTo = this.#reference(
      Object.keys(state).find((name) => state[name] === collection),
      String(id),
    )
    const removed = Object.values(state)
      .filter((resource) => Array.isArray(resource))
      .map((owner: unknown[]) => ({
        owner,
        records: new Set(
          owner
            .filter(isRecord)
            .filter((other) => refersTo(other) || (other === record && owner === collection)),
        ),
      }))
    for (const { owner, records } of removed) if (records.size > 0) this.#removeAll(owner, records)
    return record
  }

  /** Tells whether a record refers to the one with this id in the collection of this name. */
  #reference(parent: string | undefined, id: string): (record: StoredRecord) => boolean {
    const { foreignKeySuffix: suffix } = this.#options
    const isForeignKey = memoize(
      (key) => key.endsWith(suffix) && pluralize.plural(key.slice(0, -suffix.length)) === parent,
    )
    return (record) =>
      Object.keys(record).some((key) => {
        const value = isForeignKey(key) ? record[key] : undefined
        return isId(value) && String(value) === id
      })
  }

  #removeAll(collection: unknown[], removed: ReadonlySet<StoredRecord>): void {
    let length = 0
    for (const record of collection) {
      if (isRecord(record) && removed.has(record)) continue
      collection[length] = record
      length += 1
    }
    collection.length = length
    const lookup = this.#lookup(collection)
    for (const record of removed) lookup.removed(record)
  }
}

function asRecord(value: unknown): StoredRecord {
  return isRecord(value) ? value : {}
}

function memoize(decide: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = decide(key)
      known.set(key, value)
    }
    return value
  }
}
