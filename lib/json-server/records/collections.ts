import type { DataSource } from '../../data/data-source'
import type { Data } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { isRecord } from '../../is-record'
import { CollectionIndex } from './collection-index'

export interface CollectionsOptions {
  data: DataSource
  /** The name of the id property, as it is at the moment. */
  idProperty: () => string
  /** json-server's own createId, for ids that are not all numbers. */
  createId: (collection: unknown) => unknown
}

/** The collections as they are now, and the index of each. */
export class Collections {
  constructor(private readonly options: CollectionsOptions) {}

  /** All collections and singular resources. */
  get state(): Data {
    return this.options.data.state
  }

  get idProperty(): string {
    return this.options.idProperty()
  }

  /** The records of a collection, or undefined if there is no collection of this name. */
  named(name: string): readonly unknown[] | undefined {
    const collection = Object.hasOwn(this.state, name) ? this.state[name] : undefined
    return Array.isArray(collection) ? collection : undefined
  }

  /**
   * The index of a collection, which must be told of each change: a new one, for this tick, if other code may
   * change the collection unnoticed.
   */
  index(collection: readonly unknown[]): CollectionIndex {
    if (this.options.data.isShared) return new CollectionIndex(collection, this.idProperty)
    return CollectionIndex.of(collection, this.idProperty)
  }

  /** As an index finds it; but a number finds only that number, even if another record has its digits. */
  findSame(collection: readonly unknown[], id: string | number): unknown {
    const found = this.index(collection).find(id)
    const isSame = (record: unknown) => isRecord(record) && record[this.idProperty] === id
    return typeof id === 'string' || found === undefined || isSame(found) ? found : collection.find(isSame)
  }

  /**
   * The id for a record that has none. If not all ids are numbers, json-server may give one that another
   * record has as a string.
   *
   * @throws HttpError 409 when there is no larger number: json-server would give the same id again and again
   */
  newId(collection: readonly unknown[], index: CollectionIndex): unknown {
    let id = index.nextId() ?? this.options.createId(collection)
    while (typeof id === 'number' && id <= Number.MAX_SAFE_INTEGER && index.find(id) !== undefined) id += 1
    if (typeof id === 'number' && id > Number.MAX_SAFE_INTEGER)
      throw new HttpError({
        status: 409,
        message: 'The largest id leaves no number for the next record: send an id.',
      })
    return id
  }
}
