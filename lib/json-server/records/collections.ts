import type { DataSource } from '../../data/data-source'
import type { Data } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { isRecord } from '../../is-record'
import { CollectionIndex } from './collection-index'
import { findRecord, idAfter, type StoredRecord } from './collection-scan'
import type { ResultCache } from './result-cache'

export interface CollectionsOptions {
  data: DataSource
  /** The name of the id property, as it is at the moment. */
  idProperty: () => string
  /** json-server's own createId, for ids that are not all numbers. */
  createId: (collection: unknown) => unknown
}

/** Finds records and the next id: by an index, or by a scan if other code may change them in place. */
export class Collections {
  readonly #data: DataSource
  readonly #createOtherId: CollectionsOptions['createId']
  /** The name of the id property, as it is at the moment. */
  readonly idProperty: () => string

  constructor({ data, idProperty, createId }: CollectionsOptions) {
    this.#data = data
    this.idProperty = idProperty
    this.#createOtherId = createId
  }

  /** All collections and singular resources, as they are now. */
  get state(): Data {
    return this.#data.state
  }

  /** The records of a collection as they are now, or undefined if there is no collection of this name. */
  named(name: string): readonly unknown[] | undefined {
    const collection = Object.hasOwn(this.state, name) ? this.state[name] : undefined
    return Array.isArray(collection) ? collection : undefined
  }

  /** The index that must be told of each change, or undefined if a change would go unnoticed. */
  indexOf(collection: readonly unknown[]): CollectionIndex | undefined {
    return this.#data.isShared ? undefined : CollectionIndex.of(collection, this.idProperty())
  }

  /** The cache for a stored collection, or undefined if a change would go unnoticed. */
  cacheOf(collection: readonly unknown[]): ResultCache | undefined {
    return Object.values(this.state).includes(collection) ? this.indexOf(collection)?.cache : undefined
  }

  /** The record with this id, or undefined; a missing id finds nothing instead of crashing. */
  find(collection: unknown, id: unknown): StoredRecord | undefined {
    if (!Array.isArray(collection)) return undefined
    const index = this.indexOf(collection)
    return index === undefined ? findRecord(collection, this.idProperty(), id) : index.find(id)
  }

  /** As `find`, but a number finds only that number, even if another record has its digits as a string. */
  findSame(collection: readonly unknown[] | undefined, id: string | number): unknown {
    const found = this.find(collection, id)
    const isSame = (record: unknown) => isRecord(record) && record[this.idProperty()] === id
    return typeof id === 'string' || found === undefined || isSame(found) ? found : collection?.find(isSame)
  }

  /** As `find`, for many ids: valid until the end of the tick, because nothing can change the collection. */
  finder(collection: unknown): (id: unknown) => StoredRecord | undefined {
    if (!Array.isArray(collection)) return () => undefined
    const index = this.indexOf(collection) ?? new CollectionIndex(collection, this.idProperty())
    return (id) => index.find(id)
  }

  /**
   * The id for a record that has none.
   *
   * @throws HttpError 409 when there is no larger integer: json-server would give the same id again and again
   */
  newId(collection: readonly unknown[]): unknown {
    const index = this.indexOf(collection)
    const next = index === undefined ? idAfter(collection, this.idProperty()) : index.nextId()
    const id = next ?? this.#freeId(collection)
    if (typeof id === 'number' && id > Number.MAX_SAFE_INTEGER)
      throw new HttpError({
        status: 409,
        message: 'The largest id leaves no integer for the next record: send an id.',
      })
    return id
  }

  /**
   * An id for a collection that also has string ids: json-server gives the number after the largest, which
   * another record may have as a string.
   */
  #freeId(collection: readonly unknown[]): unknown {
    let id = this.#createOtherId(collection)
    const find = this.finder(collection)
    while (typeof id === 'number' && id <= Number.MAX_SAFE_INTEGER && find(id) !== undefined) id += 1
    return id
  }
}
