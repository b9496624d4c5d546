import type { Chained } from 'json-server'
import pluralize from 'pluralize'
import { HttpError } from '../../errors'
import { isObject, isRecord } from '../../is-record'
import { chained, type Target } from '../handlers'
import { checkId } from '../requests/body-guard'
import { CollectionIndex, type StoredRecord } from './collection-index'
import type { Collections } from './collections'

/** The greatest difference in length between a word and its plural: that of "itself" and "themselves". */
const MOST_DIFFERENCE = 4

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
  /** All resources as the request has found them, with the records of the collections. */
  readonly #before: readonly { name: string; resource: unknown; records: readonly unknown[] }[]
  areMade = false

  constructor(collections: Collections, foreignKeySuffix: string) {
    this.#collections = collections
    this.#foreignKeySuffix = foreignKeySuffix
    this.#before = Object.entries(collections.state).map(([name, resource]) => ({
      name,
      resource,
      records: Array.isArray(resource) ? resource.slice() : [],
    }))
  }

  /** Takes back what has been changed: the request fails. */
  takeBack(): void {
    if (!this.areMade) return
    for (const { name, resource, records } of this.#before) {
      this.#collections.state[name] = resource
      if (Array.isArray(resource)) this.#fill(resource, records)
    }
  }

  /** A collection as json-server's handlers change it. */
  ofCollection(name: string, collection: unknown[]): Target {
    const index = this.#collections.index(collection)
    const { idProperty } = this.#collections

    const replace = (record: StoredRecord | undefined, content: StoredRecord): Chained => {
      if (record === undefined) return chained(undefined)
      const replacement = like(record, { ...content, [idProperty]: record[idProperty] })
      this.areMade = true
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
        this.areMade = true
        collection.push(record)
        index.added(record)
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

  /** A singular resource as json-server's handlers read and change it. */
  ofSingular(name: string): Target {
    const { state } = this.#collections
    const set = (content: object): Chained => {
      this.areMade = true
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
  #remove(removed: StoredRecord, parent: string, collection: unknown[], id: string): void {
    const others = collection.filter((record) => record !== removed)
    this.#fill(collection, others)
    // Others may refer to another record whose id is the same text, such as "1" beside 1.
    if (this.#collections.index(collection).find(id) !== undefined) return
    const isReference = this.#referencesTo(parent)
    const refers = (record: StoredRecord): boolean => {
      for (const key in record)
        if (isReference(key) && !isObject(record[key]) && String(record[key]) === id) return true
      return false
    }
    for (const owner of Object.values(this.#collections.state)) {
      if (!Array.isArray(owner)) continue
      const kept = owner.filter((record) => !isRecord(record) || !refers(record))
      if (kept.length < owner.length) this.#fill(owner, kept)
    }
  }

  /** Whether a field refers to the collection of this name. */
  #referencesTo(parent: string): (key: string) => boolean {
    const suffix = this.#foreignKeySuffix
    // Finding a plural takes 4 us, and each record may have the same field.
    const plurals = new Map<string, string>()
    return (key) => {
      if (!key.endsWith(suffix)) return false
      const word = key.slice(0, key.length - suffix.length)
      if (Math.abs(word.length - parent.length) > MOST_DIFFERENCE) return false
      const plural = plurals.get(word) ?? pluralize.plural(word)
      plurals.set(word, plural)
      return plural === parent
    }
  }

  #fill(collection: unknown[], records: readonly unknown[]): void {
    this.areMade = true
    for (const [position, record] of records.entries()) collection[position] = record
    collection.length = records.length
    CollectionIndex.forget(collection)
  }
}

/** An object of the same class, which may have a `toJSON`. */
function like<Fields extends object>(model: unknown, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
}
