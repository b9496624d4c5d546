import { HttpError } from '../errors'
import { isRecord } from '../is-record'
import { fieldPath } from './field-path'
import { lodash } from './lodash'

export type StoredRecord = Record<string, unknown>

/** How many orders, fields and groups of a collection are remembered: clients choose their names. */
const MOST_REMEMBERED = 20

/** To find one of 100,000 records, a look at each takes 3 ms, and a map of all 40 ms. */
const SEARCHES_WITHOUT_MAP = 10

/**
 * What is known of a collection, which makes most reads as fast at 100,000 records as at ten. It must be told
 * of a record that is added or replaced; after any other change the collection needs a new index.
 */
export class CollectionIndex {
  /** The first record with each id, after the first searches. */
  #records: Map<string | undefined, StoredRecord> | undefined
  #searches = 0
  #nextId: number | undefined
  readonly #orders = new Map<string, readonly unknown[]>()
  readonly #fields = new Map<string, boolean>()
  /** The records by the value of a field, by the field's name. */
  readonly #groups = new Map<string, ReadonlyMap<unknown, readonly unknown[]>>()

  readonly collection: readonly unknown[]
  readonly idProperty: string

  constructor(collection: readonly unknown[], idProperty: string) {
    this.collection = collection
    this.idProperty = idProperty
  }

  /** A record's id as text, by which json-server compares ids: `/posts/1` finds the id 1. */
  #idOf(record: unknown): string | undefined {
    return isRecord(record) ? asText(record[this.idProperty]) : undefined
  }

  /** The first record with this id, or undefined. */
  find(id: unknown): StoredRecord | undefined {
    const text = asText(id)
    if (text === undefined) return undefined
    this.#searches += 1
    if (this.#searches <= SEARCHES_WITHOUT_MAP) return this.#search(text)
    // The records are reversed, so that of several with one id the map keeps the first.
    this.#records ??= new Map(
      this.collection
        .filter(isRecord)
        .reverse()
        .map((record) => [this.#idOf(record), record]),
    )
    return this.#records.get(text)
  }

  /** Looks at one record after the other. */
  #search(text: string): StoredRecord | undefined {
    // Of many numbers, only the one that it may be becomes text: that takes half of the time.
    const number = Number(text)
    return this.collection.find((record): record is StoredRecord => {
      const id = isRecord(record) ? record[this.idProperty] : undefined
      return typeof id === 'number' && id !== number ? false : asText(id) === text
    })
  }

  /**
   * The id for a record that has none: json-server's next one, or, because another record may have that
   * number as a string, the first number from there on that no record has.
   *
   * @throws HttpError 409 when there is no larger number: json-server would give the same id again and again
   */
  newId(): unknown {
    let id = this.#nextId ?? this.#createId()
    if (typeof id !== 'number') return id
    while (id <= Number.MAX_SAFE_INTEGER && this.find(id) !== undefined) id += 1
    if (id > Number.MAX_SAFE_INTEGER)
      throw new HttpError({
        status: 409,
        message: 'The largest id leaves no number for the next record: send an id.',
      })
    this.#nextId = id
    return id
  }

  /** json-server's next id, which is an error there if no record has an id. */
  #createId(): unknown {
    const hasId = this.collection.some((record) => this.#idOf(record) !== undefined)
    // All collections share these functions, even those whose id property has another name.
    lodash().id = this.idProperty
    return lodash().createId(hasId ? this.collection : [])
  }

  /** Called after a record was added at the end, or has replaced another with the same id. */
  recordChanged(record: StoredRecord): void {
    const id = record[this.idProperty]
    const next = this.#nextId
    this.#nextId = typeof id === 'number' && next !== undefined ? Math.max(next, id + 1) : undefined
    this.#records?.set(this.#idOf(record), record)
    for (const remembered of [this.#orders, this.#fields, this.#groups]) remembered.clear()
  }

  /** All records in an order, sorted only after a change. */
  sorted(key: string, sort: () => readonly unknown[]): readonly unknown[] {
    return rememberedValue(this.#orders, key, sort)
  }

  /** Whether some record has a field, which may be a path, looked for only after a change. */
  hasField(path: string): boolean {
    return rememberedValue(this.#fields, path, () => this.collection.some(fieldPath(path).isIn))
  }

  /** The records that have a value in a field; undefined is the same as a missing field. */
  recordsWith(field: string, value: unknown): readonly unknown[] {
    const groups = rememberedValue(this.#groups, field, () => groupBy(this.collection, field))
    return groups.get(value) ?? []
  }
}

/** The indexes of collections, each made when it is first asked for. */
export class Indexes {
  readonly #known = new WeakMap<readonly unknown[], CollectionIndex>()

  /** The index of a collection. */
  of(collection: readonly unknown[], idProperty: string): CollectionIndex {
    const known = this.#known.get(collection)
    // Two applications may serve one collection, with ids of other names. It has one index at a time, because
    // only that one is told of changes.
    if (known?.idProperty === idProperty) return known
    const index = new CollectionIndex(collection, idProperty)
    this.#known.set(collection, index)
    return index
  }

  /** Called after a change of a collection of which its index was not told. */
  forget(collection: readonly unknown[]): void {
    this.#known.delete(collection)
  }
}

/**
 * The indexes of all data that only the server changes. All applications share them, because two may serve
 * the same data.
 */
const lastingIndexes = new Indexes()

/**
 * The indexes for one request.
 *
 * @param isShared whether other code may change the data unnoticed: then nothing is known of it from before
 */
export function indexesFor(isShared: boolean): Indexes {
  return isShared ? new Indexes() : lastingIndexes
}

/** The value that is remembered under a key, or a new one, which is remembered from then on. */
function rememberedValue<Value>(remembered: Map<string, Value>, key: string, make: () => Value): Value {
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const value = make()
  remembered.set(key, value)
  return value
}

function groupBy(collection: readonly unknown[], field: string): Map<unknown, unknown[]> {
  const groups = new Map<unknown, unknown[]>()
  for (const record of collection) {
    const value: unknown = Object(record)[field]
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [record])
    else group.push(record)
  }
  return groups
}

function asText(id: unknown): string | undefined {
  return id === undefined || id === null ? undefined : String(id)
}
