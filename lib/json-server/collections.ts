import type { Chained } from 'json-server'
import pluralize from 'pluralize'
import type { Data } from '../data/valid-data'
import { HttpError } from '../errors'
import { isObject, isRecord } from '../is-record'
import { CollectionIndex, type StoredRecord } from './collection-index'
import { checkId } from './guards'
import { chained, lodash, type Target } from './handlers'

/** For all requests, as long as only the server changes the data. */
const lastingIndexes = new WeakMap<readonly unknown[], CollectionIndex>()

export interface CollectionsOptions {
  /** All collections and singular resources. */
  state: Data
  idProperty: string
  foreignKeySuffix: string
  /** Whether other code may change the data unnoticed, so that nothing is known of it from before. */
  isShared: boolean
}

/**
 * The data of one request, and its changes: in place of those of lodash-id and json-server, which crash or
 * corrupt data (a missing foreign key, a duplicate id, a DELETE that also removes unrelated records), and so
 * that they can be taken back.
 *
 * A record never changes: a new one replaces it, so that its text and the responses that hold it stay the
 * same.
 */
export class Collections {
  readonly #indexes: typeof lastingIndexes
  /** Each puts back what one change has found. */
  readonly #undo: (() => void)[] = []

  constructor(readonly options: CollectionsOptions) {
    this.#indexes = options.isShared ? new WeakMap() : lastingIndexes
  }

  index(collection: readonly unknown[]): CollectionIndex {
    const index = this.#indexes.get(collection) ?? new CollectionIndex(collection, this.options.idProperty)
    this.#indexes.set(collection, index)
    return index
  }

  get areChanged(): boolean {
    return this.#undo.length > 0
  }

  /** Takes back what has been changed: the request fails. */
  takeBack(): void {
    for (const undo of this.#undo.reverse()) undo()
  }

  /**
   * The collections as json-server's handlers read them, to find a record and to add relations to it. They
   * walk a collection for each record; here, its index is asked.
   *
   * @param name of the requested collection
   * @returns gives the collection at a path in the data
   */
  reading(name: string): Target['get'] {
    const { state, foreignKeySuffix } = this.options
    let foreignKey: string | undefined
    return (path) => {
      const collection = lodash().get(state, path)
      // lodash treats an object with a large `length` as an array and walks it to the end.
      const records = Array.isArray(collection) ? collection : []
      const index = this.index(records)
      return {
        value: () => collection,
        /** `_embed`: the query has only the foreign key, made of a name that is not the collection's. */
        filter: (query: object) => {
          const [id]: unknown[] = Object.values(query)
          foreignKey ??= pluralize.singular(name) + foreignKeySuffix
          if (id === undefined || isObject(id)) return chained(lodash().filter(records, { [foreignKey]: id }))
          return chained([...index.having(foreignKey, id)])
        },
        /** A record, and `_expand` */
        getById: (id: unknown) => chained(index.find(id)),
      }
    }
  }

  /** A resource as json-server's handlers change it. */
  changing(name: string): Target {
    const { state } = this.options
    const resource = state[name]
    if (Array.isArray(resource)) return this.#changingCollection(name, resource)
    const set = (content: object): Chained => {
      this.#undo.push(() => {
        state[name] = resource
      })
      state[name] = content
      return chained(content)
    }
    const chain = {
      value: () => state[name],
      assign: (changes: object) => set(like(resource, { ...Object(resource), ...changes })),
    }
    return { get: () => chain, set }
  }

  #changingCollection(name: string, collection: unknown[]): Target {
    const { idProperty } = this.options
    const index = this.index(collection)

    const replace = (record: StoredRecord | undefined, content: StoredRecord): Chained => {
      if (record === undefined) return chained(undefined)
      const replacement = like(record, { ...content, [idProperty]: record[idProperty] })
      this.#keep(collection)
      collection[collection.indexOf(record)] = replacement
      index.put(replacement)
      return chained(replacement)
    }

    const chain = {
      insert: (record: StoredRecord) => {
        const id = record[idProperty]
        checkId(id, idProperty)
        if (id && index.find(id) !== undefined)
          throw new HttpError({
            status: 409,
            message: `A record with the ${idProperty} ${JSON.stringify(id)} already exists.`,
          })
        record[idProperty] = id || index.newId()
        this.#keep(collection)
        collection.push(record)
        index.put(record)
        return chained(record)
      },
      updateById: (id: unknown, changes: StoredRecord) => {
        const record = index.find(id)
        return replace(record, { ...record, ...changes })
      },
      replaceById: (id: unknown, content: StoredRecord) => replace(index.find(id), content),
      removeById: (id: unknown) => {
        const record = index.find(id)
        if (record !== undefined) this.#remove(record, name, collection, String(id))
        return chained(record)
      },
    }
    return { get: () => chain }
  }

  #keep(collection: unknown[]): void {
    const records = [...collection]
    this.#undo.push(() => this.#fill(collection, records))
  }

  #fill(collection: unknown[], records: readonly unknown[]): void {
    collection.length = 0
    for (const record of records) collection.push(record)
    this.#indexes.delete(collection)
  }

  /**
   * Removes a record and those that refer to it; json-server removes each whose foreign key leads nowhere.
   */
  #remove(removed: StoredRecord, parent: string, collection: unknown[], id: string): void {
    this.#filter(collection, (record) => record !== removed)
    // Others may refer to another record whose id is the same text, such as "1" beside 1.
    if (this.index(collection).find(id) !== undefined) return
    const suffix = this.options.foreignKeySuffix
    // Finding a plural takes 4 us, and each record may have the same field.
    const plural = lodash().memoize((key: string) =>
      pluralize.plural(key.slice(0, key.length - suffix.length)),
    )
    const isReference = (key: string) => key.endsWith(suffix) && plural(key) === parent
    const refers = (record: StoredRecord) => {
      for (const key in record)
        if (isReference(key) && !isObject(record[key]) && String(record[key]) === id) return true
      return false
    }
    for (const owner of Object.values(this.options.state))
      if (Array.isArray(owner)) this.#filter(owner, (record) => !isRecord(record) || !refers(record))
  }

  #filter(collection: unknown[], isKept: (record: unknown) => boolean): void {
    const kept = collection.filter(isKept)
    if (kept.length === collection.length) return
    this.#keep(collection)
    this.#fill(collection, kept)
  }
}

/**
 * What json-server adds relations to in place of a record, of which it would copy every value: a copy may
 * take a hundred times the memory of the record. lodash copies only the fields of the object itself.
 */
export function standIn(record: unknown): object {
  return Object.create({ ...Object(record), constructor: Object })
}

/** A record, with the fields that have been set on what stands in for it. */
export function withFields(record: unknown, fields?: object): unknown {
  return isRecord(record) ? like(record, { ...record, ...fields }) : record
}

/** An object of the same class, which may have a `toJSON`. */
function like<Fields extends object>(model: unknown, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
}
