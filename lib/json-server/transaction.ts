import type { Chained } from 'json-server'
import { type Change, makeChange } from '../data/change'
import type { Data } from '../data/valid-data'
import { HttpError } from '../errors'
import { isObject } from '../is-record'
import type { CollectionIndex, Indexes, StoredRecord } from './collection-index'
import { checkId } from './guards'
import { lodash } from './lodash'
import { refersTo } from './references'

export interface TransactionOptions {
  /** All collections and singular resources. */
  state: Data
  idProperty: string
  foreignKeySuffix: string
  indexes: Indexes
  /** Called before the body of the request is stored; it throws for a body that must not be stored. */
  checkBody: () => void
}

/**
 * The data of one request, and its changes, which can be taken back.
 *
 * The functions of its chains are named after those that json-server's handlers call. They take the place of
 * those of lodash and lodash-id, which walk a collection for each record, crash, or corrupt data (a missing
 * foreign key, a duplicate id, a DELETE that also removes unrelated records).
 *
 * A record never changes: a new one replaces it, so that its text and the responses that hold it stay the
 * same.
 */
export class Transaction {
  readonly #chains = new Map<string, object>()
  /** Each takes back one change. */
  readonly #undo: Change[] = []

  private readonly options: TransactionOptions

  constructor(options: TransactionOptions) {
    this.options = options
  }

  index(collection: readonly unknown[]): CollectionIndex {
    const { idProperty, indexes } = this.options
    return indexes.of(collection, idProperty)
  }

  get hasChanges(): boolean {
    return this.#undo.length > 0
  }

  /** Takes back all changes: the request fails. */
  rollBack(): void {
    for (const change of this.#undo.splice(0).reverse()) this.#make(change)
  }

  hasResource(name: string): boolean {
    return Object.hasOwn(this.options.state, name)
  }

  /** The value at a path in the data. */
  valueAt(path: string): unknown {
    return lodash().get(this.options.state, path)
  }

  /** The chain of a resource, or of what is at a path in the data. Relations ask for it for each record. */
  get(path: string): object {
    const known = this.#chains.get(path)
    if (known !== undefined) return known
    const resource = this.valueAt(path)
    const chain = Array.isArray(resource)
      ? { ...this.#relations(resource), ...this.#changesOfCollection(path, resource) }
      : { ...this.#relations([]), ...this.#changesOfSingular(path) }
    const complete = { value: () => this.valueAt(path), ...chain }
    this.#chains.set(path, complete)
    return complete
  }

  /** Sets the chain by which json-server reads a collection for this request. */
  setChain(name: string, chain: object): void {
    this.#chains.set(name, chain)
  }

  /** Replaces a singular resource: POST and PUT. */
  set(name: string, content: object): Chained {
    this.options.checkBody()
    return this.#replaceSingular(name, content)
  }

  /** How `_embed`, `_expand` and the route of a record read a collection. */
  #relations(collection: readonly unknown[]) {
    return {
      /** `_embed`: the query has the foreign key alone. */
      filter: (query: object): Chained => {
        const [[foreignKey, id] = ['']] = Object.entries(query)
        // lodash compares objects by their content, and tells a missing field from one that is undefined.
        if (id === undefined || isObject(id)) return chained(lodash().filter(collection, query))
        return chained([...this.index(collection).recordsWith(foreignKey, id)])
      },
      /** A record, and `_expand`: undefined where a record does not refer to one. */
      getById: (id: unknown): Chained => chained(this.index(collection).find(id)),
    }
  }

  #changesOfSingular(name: string) {
    return {
      /** PATCH */
      assign: (changes: object): Chained => {
        this.options.checkBody()
        const resource = Object(this.options.state[name])
        return this.#replaceSingular(name, withClassOf(resource, { ...resource, ...changes }))
      },
    }
  }

  #replaceSingular(name: string, content: object): Chained {
    this.#change({ name, content })
    return chained(content)
  }

  #changesOfCollection(name: string, collection: readonly unknown[]) {
    const { idProperty } = this.options

    const replaceRecord = (record: StoredRecord | undefined, content: StoredRecord): Chained => {
      if (record === undefined) return chained(undefined)
      const replacement = withClassOf(record, { ...content, [idProperty]: record[idProperty] })
      this.#changeRecord(name, { at: collection.indexOf(record), remove: 1, record: replacement })
      return chained(replacement)
    }

    return {
      /** POST */
      insert: (record: StoredRecord): Chained => {
        this.options.checkBody()
        const id = record[idProperty]
        checkId(id, idProperty)
        if (id && this.index(collection).find(id) !== undefined)
          throw new HttpError({
            status: 409,
            message: `A record with the ${idProperty} ${JSON.stringify(id)} already exists.`,
            reason: `a record with this ${idProperty} already exists`,
          })
        record[idProperty] = id || this.index(collection).newId()
        this.#changeRecord(name, { at: collection.length, remove: 0, record })
        return chained(record)
      },
      /** PATCH */
      updateById: (id: unknown, changes: StoredRecord): Chained => {
        this.options.checkBody()
        const record = this.index(collection).find(id)
        return replaceRecord(record, { ...record, ...changes })
      },
      /** PUT */
      replaceById: (id: unknown, content: StoredRecord): Chained => {
        this.options.checkBody()
        return replaceRecord(this.index(collection).find(id), content)
      },
      /** DELETE */
      removeById: (id: unknown): Chained => {
        const record = this.index(collection).find(id)
        if (record !== undefined) this.#remove(record, name, String(id))
        return chained(record)
      },
    }
  }

  /**
   * Removes a record and those that refer to it; json-server removes each whose foreign key leads nowhere.
   */
  #remove(removed: StoredRecord, parent: string, id: string): void {
    this.#removeWhere(parent, (record) => record === removed)
    // Others may refer to another record whose id is the same text, such as "1" beside 1.
    if (this.index(this.#collection(parent)).find(id) !== undefined) return
    const refers = refersTo(parent, id, this.options.foreignKeySuffix)
    for (const name of Object.keys(this.options.state)) this.#removeWhere(name, refers)
  }

  /** Removes all that a predicate is true for, with one change from the first of them to the last. */
  #removeWhere(name: string, isRemoved: (record: unknown) => boolean): void {
    const collection = this.#collection(name)
    const at = collection.findIndex(isRemoved)
    if (at === -1) return
    const end = collection.findLastIndex(isRemoved) + 1
    const add = collection.slice(at, end).filter((record) => !isRemoved(record))
    this.#change({ name, at, remove: end - at, add })
  }

  /** The records of a resource as they are now; none for a singular one. */
  #collection(name: string): readonly unknown[] {
    const resource = this.options.state[name]
    return Array.isArray(resource) ? resource : []
  }

  /** Adds a record at the end, or puts one in the place of another with the same id: the index follows. */
  #changeRecord(
    name: string,
    { at, remove, record }: { at: number; remove: 0 | 1; record: StoredRecord },
  ): void {
    this.#undo.push(makeChange(this.options.state, { name, at, remove, add: [record] }))
    this.index(this.#collection(name)).recordChanged(record)
  }

  #change(change: Change): void {
    this.#undo.push(this.#make(change))
  }

  /** Makes a change after which the index of the collection is of no use. */
  #make(change: Change): Change {
    const inverse = makeChange(this.options.state, change)
    this.options.indexes.forget(this.#collection(change.name))
    return inverse
  }
}

/** A chain that has come to its end. */
export function chained(value: unknown): Chained {
  return { value: () => value }
}

/** Gives an object the class of another, as json-server keeps it: its `toJSON` may leave out a password. */
function withClassOf<Fields extends object>(model: object, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
}
