import { isObject, isRecord } from '../../is-record'

export type StoredRecord = Record<string, unknown>

/** How many orders of a collection are cached: they take less memory than its records. */
const MOST_ORDERS = 4

/** Of how many names it is cached whether a record has them: clients choose the names. */
const MOST_FIELDS = 100

/**
 * Finds the records of a collection as fast at 100,000 of them as at ten. It must be told of every change, so
 * there is one for each collection, whoever changes it.
 */
export class CollectionIndex {
  static readonly #indexes = new WeakMap<readonly unknown[], CollectionIndex>()

  /** The first record with each id. Undefined until one has been looked for. */
  #records: Map<string, StoredRecord> | undefined
  #nextId: number | undefined
  /** The collection in other orders. The least recently used comes first. */
  readonly #orders = new Map<string, readonly unknown[]>()
  /** Whether some record has a field of this name. */
  readonly #fields = new Map<string, boolean>()
  #isNew = true

  /** An index for one tick; {@link of} gives a lasting one. */
  constructor(
    private readonly collection: readonly unknown[],
    private readonly idProperty: string,
  ) {}

  /** The index of a collection, shared by everything that changes it. */
  static of(collection: readonly unknown[], idProperty: string): CollectionIndex {
    const known = CollectionIndex.#indexes.get(collection)
    if (known?.idProperty === idProperty) return known
    const index = new CollectionIndex(collection, idProperty)
    CollectionIndex.#indexes.set(collection, index)
    return index
  }

  /**
   * The first record with this id, or undefined. json-server compares ids as text: `/posts/1` finds the id 1.
   */
  find(id: unknown): StoredRecord | undefined {
    const key = keyOf(id)
    if (key === undefined) return undefined
    if (this.#isNew) {
      // For one record, a look at each is faster than an index.
      this.#isNew = false
      for (const record of this.collection) if (isRecord(record) && this.#keyIn(record) === key) return record
      return undefined
    }
    if (this.#records === undefined) {
      this.#records = new Map()
      for (const record of this.collection) if (isRecord(record)) this.#add(this.#records, record)
    }
    return this.#records.get(key)
  }

  /** The id after the largest one, or undefined when not all ids are numbers. */
  nextId(): number | undefined {
    if (this.#nextId !== undefined) return this.#nextId
    const ids = this.collection.filter(isRecord).map((record) => record[this.idProperty])
    let largest: number | undefined
    for (const id of ids) {
      if (typeof id === 'number') largest = Math.max(largest ?? id, id)
      else if (keyOf(id) !== undefined) return undefined
    }
    this.#nextId = (largest ?? 0) + 1
    return this.#nextId
  }

  /** The records in an order, sorted only after a change. */
  order(key: string, sort: () => readonly unknown[]): readonly unknown[] {
    const order = this.#orders.get(key) ?? sort()
    this.#orders.delete(key)
    this.#orders.set(key, order)
    const [oldest = key] = this.#orders.keys()
    if (this.#orders.size > MOST_ORDERS) this.#orders.delete(oldest)
    return order
  }

  /** Whether some record has a field, looked for only after a change. */
  hasField(name: string, look: () => boolean): boolean {
    const has = this.#fields.get(name) ?? look()
    if (this.#fields.size >= MOST_FIELDS) this.#fields.clear()
    this.#fields.set(name, has)
    return has
  }

  /** Called after a record was added at the end. */
  added(record: StoredRecord): void {
    this.#forgetResults()
    const id = record[this.idProperty]
    // After an unexpected id, all ids are looked at again.
    this.#nextId = typeof id === 'number' && id === this.#nextId ? id + 1 : undefined
    if (this.#records !== undefined) this.#add(this.#records, record)
  }

  /** Called after a record replaced another with the same id. */
  replaced(record: StoredRecord): void {
    this.#forgetResults()
    this.#records?.set(this.#keyIn(record) ?? '', record)
  }

  /** Called after any other change. */
  clear(): void {
    this.#forgetResults()
    this.#nextId = undefined
    this.#records = undefined
  }

  #forgetResults(): void {
    this.#orders.clear()
    this.#fields.clear()
  }

  #keyIn(record: StoredRecord): string | undefined {
    return keyOf(record[this.idProperty])
  }

  #add(records: Map<string, StoredRecord>, record: StoredRecord): void {
    const key = this.#keyIn(record)
    if (key !== undefined && !records.has(key)) records.set(key, record)
  }
}

function keyOf(id: unknown): string | undefined {
  return id === undefined || id === null ? undefined : asText(id)
}

/**
 * A value as text; undefined for an object with a field named `toString`, which only the data file can
 * contain: it hides the function that turns an object into text.
 */
export function asText(value: unknown): string | undefined {
  if (!isObject(value)) return String(value)
  try {
    return String(value)
  } catch {
    return undefined
  }
}
