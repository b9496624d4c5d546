import { isObject, isRecord } from '../../is-record'

export type StoredRecord = Record<string, unknown>

/** How many orders of a collection are cached: they take less memory than its records. */
const MOST_ORDERS = 4

/** Of how many names it is cached whether a record has them: clients choose the names. */
const MOST_FIELDS = 100

/**
 * What is known of a collection as it is now, which makes reads and changes as fast at 100,000 records as at
 * ten. It must be told of a record that is added or replaced, and forgotten after any other change.
 */
export class CollectionIndex {
  static readonly #indexes = new WeakMap<readonly unknown[], CollectionIndex>()

  /** The first record with each id. Undefined until a second one is looked for. */
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

  /** The index of a collection, shared by everything that reads it. */
  static of(collection: readonly unknown[], idProperty: string): CollectionIndex {
    const known = CollectionIndex.#indexes.get(collection)
    if (known?.idProperty === idProperty) return known
    const index = new CollectionIndex(collection, idProperty)
    CollectionIndex.#indexes.set(collection, index)
    return index
  }

  /** Called when a collection is changed in any other way, whoever changes it. */
  static forget(collection: readonly unknown[]): void {
    CollectionIndex.#indexes.delete(collection)
  }

  /**
   * The first record with this id, or undefined. json-server compares ids as text: `/posts/1` finds the id 1.
   */
  find(id: unknown): StoredRecord | undefined {
    const key = keyOf(id)
    if (key === undefined) return undefined
    if (this.#isNew) {
      // For one record, a look at each is faster than a map of all.
      this.#isNew = false
      return this.collection.find(
        (record): record is StoredRecord => isRecord(record) && keyOf(record[this.idProperty]) === key,
      )
    }
    this.#records ??= this.#byId()
    return this.#records.get(key)
  }

  #byId(): Map<string, StoredRecord> {
    const records = new Map<string, StoredRecord>()
    for (const record of this.collection) if (isRecord(record)) this.#add(records, record)
    return records
  }

  #add(records: Map<string, StoredRecord>, record: StoredRecord): void {
    const key = keyOf(record[this.idProperty])
    if (key !== undefined && !records.has(key)) records.set(key, record)
  }

  /** The id after the largest one, or undefined when not all ids are numbers. */
  nextId(): number | undefined {
    if (this.#nextId !== undefined) return this.#nextId
    let largest: number | undefined
    for (const record of this.collection) {
      const id = isRecord(record) ? record[this.idProperty] : undefined
      if (typeof id === 'number') largest = Math.max(largest ?? id, id)
      else if (keyOf(id) !== undefined) return undefined
    }
    this.#nextId = (largest ?? 0) + 1
    return this.#nextId
  }

  /** Called after a record was added at the end. */
  added(record: StoredRecord): void {
    const id = record[this.idProperty]
    // After an unexpected id, all ids are looked at again.
    this.#nextId = typeof id === 'number' && id === this.#nextId ? id + 1 : undefined
    if (this.#records !== undefined) this.#add(this.#records, record)
    this.#forgetOrders()
  }

  /** Called after a record replaced another with the same id. */
  replaced(record: StoredRecord): void {
    this.#records?.set(keyOf(record[this.idProperty]) ?? '', record)
    this.#forgetOrders()
  }

  #forgetOrders(): void {
    this.#orders.clear()
    this.#fields.clear()
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
