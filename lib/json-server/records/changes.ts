import type { Chained } from 'json-server'
import type { Data } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { isObject, isRecord } from '../../is-record'
import { chained, type Target } from '../handlers'
import { checkId } from '../requests/body-guard'
import type { StoredRecord } from './collection-index'
import type { Collections } from './collections'
import { isPlural } from './plurals'

/**
 * The changes of one request, in place of those of lodash-id and json-server, which crash or corrupt data: a
 * missing foreign key, a duplicate id, a DELETE that also removes unrelated records. They can be taken back.
 *
 * A record never changes: a new one replaces it, so that its text and the responses that hold it stay the
 * same.
 */
export class Changes {
  readonly #collections: Collections
  readonly #foreignKeySuffix: string
  #resourcesBefore: Data | undefined
  readonly #recordsBefore = new Map<unknown[], readonly unknown[]>()
  areMade = false

  constructor(collections: Collections, foreignKeySuffix: string) {
    this.#collections = collections
    this.#foreignKeySuffix = foreignKeySuffix
  }

  /** Takes back what has been changed: the request fails. */
  takeBack(): void {
    for (const [collection, records] of this.#recordsBefore) this.#fill(collection, records)
    Object.assign(this.#collections.state, this.#resourcesBefore)
  }

  /** A collection as json-server's handlers change it. */
  ofCollection(collection: unknown[]): Target {
    const index = this.#collections.index(collection)
    const { idProperty } = this.#collections

    const replaceById = (id: unknown, content: StoredRecord): Chained => {
      const record = index.find(id)
      if (record === undefined) return chained(undefined)
      const replacement = like(record, { ...content, [idProperty]: record[idProperty] })
      this.#keep(collection)
      collection[collection.indexOf(record)] = replacement
      index.replaced(replacement)
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
        record[idProperty] = id || this.#collections.newId(collection, index)
        this.#keep(collection)
        collection.push(record)
        index.added(record)
        return chained(record)
      },
      updateById: (id: unknown, changes: StoredRecord) => replaceById(id, { ...index.find(id), ...changes }),
      replaceById,
      removeById: (id: unknown) => {
        const record = index.find(id)
        if (record !== undefined) this.#remove(record, collection, String(id))
        return chained(record)
      },
    }
    return { get: () => chain }
  }

  /** A singular resource as json-server's handlers read and change it. */
  ofSingular(name: string): Target {
    const { state } = this.#collections
    const set = (content: object): Chained => {
      this.areMade = true
      this.#resourcesBefore ??= { ...state }
      state[name] = content
      return chained(content)
    }
    const chain = {
      value: () => state[name],
      assign: (changes: object) => set(like(state[name], { ...Object(state[name]), ...changes })),
    }
    return { get: () => chain, set }
  }

  /**
   * Removes a record and those that refer to it; json-server removes each whose foreign key leads nowhere.
   */
  #remove(record: StoredRecord, collection: unknown[], id: string): void {
    const others = collection.filter((other) => other !== record)
    this.#fill(this.#keep(collection), others)
    // The others may then refer to another record whose id is the same text, such as "1" beside 1.
    if (this.#collections.index(collection).find(id) !== undefined) return
    const { state } = this.#collections
    const parent = Object.keys(state).find((name) => state[name] === collection) ?? ''
    for (const owner of Object.values(state)) {
      if (!Array.isArray(owner)) continue
      const kept = owner.filter((other) => !isRecord(other) || !this.#refers(other, parent, id))
      if (kept.length < owner.length) this.#fill(this.#keep(owner), kept)
    }
  }

  /** Whether a record refers to the one with this id in the collection of this name. */
  #refers(record: StoredRecord, parent: string, id: string): boolean {
    const suffix = this.#foreignKeySuffix
    for (const key in record) {
      const value = record[key]
      const isForeignKey = key.endsWith(suffix) && !isObject(value) && String(value) === id
      if (isForeignKey && isPlural(parent, key.slice(0, key.length - suffix.length))) return true
    }
    return false
  }

  #keep(collection: unknown[]): unknown[] {
    this.areMade = true
    if (!this.#recordsBefore.has(collection)) this.#recordsBefore.set(collection, collection.slice())
    return collection
  }

  #fill(collection: unknown[], records: readonly unknown[]): void {
    for (const [position, record] of records.entries()) collection[position] = record
    collection.length = records.length
    this.#collections.index(collection).clear()
  }
}

/** An object of the same class, which may have a `toJSON`. */
function like<Fields extends object>(model: unknown, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
}
