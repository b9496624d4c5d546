import pluralize from 'pluralize'
import { HttpError } from '../errors'
import { isRecord } from '../is-record'
import { CollectionIndex } from './collection-index'

export interface CollectionFunctionsOptions {
  /** The name of the id property. */
  idProperty: string
  /** json-server's own createId, for ids that are not all numbers. */
  createId: (collection: unknown) => unknown
  /** Told of a record whose fields have changed; of undefined when anything may have changed. */
  onChange: (record?: object) => void
}

/**
 * What json-server's router does to its collections, in place of lodash-id and json-server's mixins: by an index instead
 * of a scan, and without what crashes or corrupts there (a missing foreign key, a duplicate id, a DELETE that takes
 * unrelated records along).
 */
export class CollectionFunctions {
  readonly #options: CollectionFunctionsOptions
  #indexes = new WeakMap<readonly unknown[], CollectionIndex>()
  /** What the last DELETE took out: the router asks for its dependents in the same turn. */
  #removed: { collection: readonly unknown[]; id: unknown } | undefined
  /** What the functions have done since the last `settle`. */
  #outcome: 'not called' | 'nothing found' | 'changed' = 'not called'

  constructor(options: CollectionFunctionsOptions) {
    this.#options = options
  }

  /**
   * To be called whenever the database is to be written.
   *
   * @returns whether there is anything to write: not for a PUT or a DELETE whose id was not found
   */
  settle(): boolean {
    const outcome = this.#outcome
    this.#outcome = 'not called'
    if (outcome === 'not called') this.forget()
    return outcome !== 'nothing found'
  }

  /** To be called when the data may have been changed by other means than these functions. */
  forget(): void {
    this.#indexes = new WeakMap()
    this.#options.onChange()
  }

  /** The functions by the names under which the router's lodash calls them. */
  mixins(): object {
    return {
      getById: (collection: unknown, id: unknown) => this.find(collection, id),
      createId: (collection: unknown) => this.#createId(collection),
      insert: (collection: unknown, record: unknown) => this.#insert(collection, record),
      updateById: (collection: unknown, id: unknown, changes: unknown) =>
        this.#update(collection, id, changes),
      replaceById: (collection: unknown, id: unknown, record: unknown) =>
        this.#replace(collection, id, record),
      removeById: (collection: unknown, id: unknown) => this.#remove(collection, id),
      getRemovable: (data: Record<string, unknown>, options: { foreignKeySuffix: string }) =>
        this.#dependents(data, options.foreignKeySuffix),
    }
  }

  /** The record with this id, or undefined; a missing id finds nothing instead of crashing. */
  find(collection: unknown, id: unknown): Record<string, unknown> | undefined {
    return Array.isArray(collection) ? this.#indexOf(collection).find(id) : undefined
  }

  #indexOf(collection: readonly unknown[]): CollectionIndex {
    let index = this.#indexes.get(collection)
    if (index === undefined) {
      index = new CollectionIndex(collection, this.#options.idProperty)
      this.#indexes.set(collection, index)
    }
    return index
  }

  #createId(collection: unknown): unknown {
    const next = Array.isArray(collection) ? this.#indexOf(collection).nextId() : undefined
    return next ?? this.#options.createId(collection)
  }

  #insert(collection: unknown, record: unknown): unknown {
    if (!Array.isArray(collection) || !isRecord(record)) return record
    const { idProperty } = this.#options
    const id = record[idProperty] || this.#createId(collection)
    if (this.find(collection, id) !== undefined) {
      throw new HttpError(409, `A record with the ${idProperty} ${JSON.stringify(id)} exists already.`)
    }
    record[idProperty] = id
    collection.push(record)
    this.#indexOf(collection).added(record)
    this.#outcome = 'changed'
    return record
  }

  #findToChange(collection: unknown, id: unknown): Record<string, unknown> | undefined {
    const record = this.find(collection, id)
    if (record !== undefined) this.#outcome = 'changed'
    else if (this.#outcome === 'not called') this.#outcome = 'nothing found'
    return record
  }

  #update(collection: unknown, id: unknown, changes: unknown): unknown {
    const record = this.#findToChange(collection, id)
    if (record === undefined) return undefined
    const { idProperty, onChange } = this.#options
    onChange(record)
    return Object.assign(record, changes, { [idProperty]: record[idProperty] })
  }

  #replace(collection: unknown, id: unknown, replacement: unknown): unknown {
    const record = this.#findToChange(collection, id)
    if (record === undefined) return undefined
    const { idProperty, onChange } = this.#options
    onChange(record)
    const kept = record[idProperty]
    // lodash-id walks a record that has a numeric `length` as if it were an array, and keeps its old fields.
    for (const name of Object.keys(record)) delete record[name]
    return Object.assign(record, replacement, { [idProperty]: kept })
  }

  #remove(collection: unknown, id: unknown): unknown {
    this.#removed = undefined
    const record = this.#findToChange(collection, id)
    if (!Array.isArray(collection) || record === undefined) return undefined
    this.#removed = { collection, id: record[this.#options.idProperty] }
    collection.splice(collection.indexOf(record), 1)
    this.#indexOf(collection).removed(record)
    return record
  }

  /**
   * The records that refer to the one just removed. json-server gives every record of the database whose foreign
   * key leads nowhere, even when the DELETE itself removed nothing.
   */
  #dependents(data: Record<string, unknown>, foreignKeySuffix: string): { name: string; id: unknown }[] {
    const removed = this.#removed
    const parent = Object.keys(data).find((name) => data[name] === removed?.collection)
    if (removed === undefined || parent === undefined) return []
    const isForeignKey = memoize(
      (key: string) =>
        key.endsWith(foreignKeySuffix) && pluralize.plural(key.slice(0, -foreignKeySuffix.length)) === parent,
    )
    const refersTo = (record: Record<string, unknown>): boolean =>
      Object.keys(record).some(
        (key) => isForeignKey(key) && record[key] !== null && String(record[key]) === String(removed.id),
      )
    return Object.entries(data).flatMap(([name, collection]) =>
      Array.isArray(collection)
        ? collection
            .filter(isRecord)
            .filter(refersTo)
            .map((record) => ({ name, id: record[this.#options.idProperty] }))
        : [],
    )
  }
}

function memoize(answer: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = answer(key)
      known.set(key, value)
    }
    return value
  }
}
