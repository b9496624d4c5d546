import type { Chained } from 'json-server'
import type { Chain } from 'lodash'
import type { Data } from '../data/valid-data'
import { HttpError } from '../errors'
import { isObject } from '../is-record'
import { CollectionIndex, type StoredRecord } from './collection-index'
import { derived } from './derived'
import { checkId } from './guards'
import { lodash } from './lodash'
import { refersTo } from './references'

export interface TransactionOptions {
  /** All collections and singular resources. */
  state: Data
  idProperty: string
  foreignKeySuffix: string
  /** Whether other code may change the data by hand. */
  isShared: boolean
  /** Called before the body of the request is stored; it throws for a body that must not be stored. */
  checkBody: () => void
}

/**
 * The data of one request. A change makes a new state, with new arrays and objects in the place of those that
 * it changes: the old one stays as it was, so that there is nothing to take back when the request fails.
 *
 * Its chains are lodash's, with other functions in the place of those that crash, walk a collection for each
 * record, or corrupt data (a missing foreign key, a duplicate id, a DELETE that also removes unrelated
 * records).
 */
export class Transaction {
  /** The data as the request leaves it. */
  state: Data
  readonly #chains = new Map<string, object>()

  private readonly options: TransactionOptions

  constructor(options: TransactionOptions) {
    this.options = options
    this.state = options.state
  }

  get hasChanges(): boolean {
    return this.state !== this.options.state
  }

  hasResource(name: string): boolean {
    return Object.hasOwn(this.state, name)
  }

  /** The chain of a resource, or of what is at a path in the data. Relations ask for it for each record. */
  get(path: string): object {
    const known = this.#chains.get(path)
    if (known !== undefined) return known
    const resource: unknown = lodash().get(this.state, path)
    const chain = lodash().chain(resource)
    const functions = Array.isArray(resource)
      ? { ...this.#relations(resource, chain), ...this.#changesOfCollection(path, resource) }
      : { ...this.#relations([], chain), ...this.#singular(path, resource) }
    this.#chains.set(path, Object.assign(chain, functions))
    return chain
  }

  /** Replaces a singular resource: POST and PUT. */
  set(name: string, content: object): Chained {
    this.options.checkBody()
    return this.#replace(name, content)
  }

  /** Nothing is remembered of data that other code may change by hand. */
  #derived<Value>(collection: readonly unknown[], key: string, make: () => Value): Value {
    return this.options.isShared ? make() : derived(collection, key, make)
  }

  #index(collection: readonly unknown[]): CollectionIndex {
    const { idProperty } = this.options
    return this.#derived(collection, `index ${idProperty}`, () => new CollectionIndex(collection, idProperty))
  }

  /** How `_embed`, `_expand` and the route of a record read a collection. */
  #relations(collection: readonly unknown[], _chain: Chain) {
    const index = this.#index(collection)
    const list = (records: readonly unknown[]): object => {
      const chain = lodash().chain(records)
      const { orderBy, slice } = chain
      return Object.assign(chain, {
        filter: (keeps: object) =>
          typeof keeps === 'function'
            ? list(records.filter(keeps as never))
            : this.#referring(index, records, keeps),
        orderBy: (...by: unknown[]) =>
          list(
            this.#derived(records, `order ${JSON.stringify(by)}`, () =>
              orderBy.apply(lodash().chain(records), by).value(),
            ),
          ),
        slice: (a: number, b: number) => list(records.slice(a, b)),
        cloneDeep: () => lodash().chain(records.map((record) => lodash().clone(record))),
      })
    }
    const { filter, orderBy, slice, cloneDeep } = list(collection) as Record<string, unknown>
    return { filter, orderBy, slice, cloneDeep, getById: (id: unknown): Chained => chained(index.find(id)) }
  }

  #referring(index: CollectionIndex, collection: readonly unknown[], query: object): Chained {
    const [[foreignKey, id] = ['']] = Object.entries(query)
    if (id === undefined || isObject(id)) return chained(lodash().filter(collection, query))
    return chained([...index.recordsWith(foreignKey, id)])
  }

  #singular(name: string, resource: unknown) {
    return {
      // A copy is sent, as of a record.
      value: () => lodash().cloneDeep(resource),
      /** PATCH */
      assign: (changes: object): Chained => {
        this.options.checkBody()
        const content = Object(resource)
        return this.#replace(name, withClassOf(content, { ...content, ...changes }))
      },
    }
  }

  #changesOfCollection(name: string, collection: readonly unknown[]) {
    const { idProperty } = this.options
    const index = this.#index(collection)

    const replaceRecord = (record: StoredRecord | undefined, content: StoredRecord): Chained => {
      if (record === undefined) return chained(undefined)
      const replacement = withClassOf(record, { ...content, [idProperty]: record[idProperty] })
      this.#replace(name, collection.with(collection.indexOf(record), replacement))
      return chained(lodash().cloneDeep(replacement))
    }

    return {
      /** POST */
      insert: (record: StoredRecord): Chained => {
        this.options.checkBody()
        const id = record[idProperty]
        checkId(id, idProperty)
        if (id && index.find(id) !== undefined)
          throw new HttpError({
            status: 409,
            message: `A record with the ${idProperty} ${JSON.stringify(id)} already exists.`,
            reason: `a record with this ${idProperty} already exists`,
          })
        record[idProperty] = id || index.newId()
        this.#replace(name, [...collection, record])
        return chained(lodash().cloneDeep(record))
      },
      /** PATCH */
      updateById: (id: unknown, changes: StoredRecord): Chained => {
        this.options.checkBody()
        const record = index.find(id)
        return replaceRecord(record, { ...record, ...changes })
      },
      /** PUT */
      replaceById: (id: unknown, content: StoredRecord): Chained => {
        this.options.checkBody()
        return replaceRecord(index.find(id), content)
      },
      /** DELETE, also of the records that refer to it; json-server removes each whose foreign key leads nowhere. */
      removeById: (id: unknown): Chained => {
        const removed = index.find(id)
        if (removed === undefined) return chained(undefined)
        const rest = collection.filter((record) => record !== removed)
        this.#replace(name, rest)
        // Others may refer to another record whose id is the same text, such as "1" beside 1.
        if (this.#index(rest).find(id) === undefined) this.#removeReferring(name, String(id))
        return chained(removed)
      },
    }
  }

  #removeReferring(parent: string, id: string): void {
    const refers = refersTo(parent, id, this.options.foreignKeySuffix)
    for (const [name, resource] of Object.entries(this.state))
      if (Array.isArray(resource) && resource.some(refers))
        this.#replace(
          name,
          resource.filter((record) => !refers(record)),
        )
  }

  #replace(name: string, content: object): Chained {
    this.state = { ...this.state, [name]: content }
    this.#chains.delete(name)
    return chained(content)
  }
}

/** A chain that has come to its end. */
function chained(value: unknown): Chained {
  return { value: () => value }
}

/** Gives an object the class of another, as json-server keeps it: its `toJSON` may leave out a password. */
function withClassOf<Fields extends object>(model: object, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
}
