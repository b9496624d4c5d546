import { isRecord } from '../is-record'
import { CollectionScan, idAfter, isId, type StoredRecord } from './collection-scan'

/**
 * Finds the records of a collection as fast at 100,000 of them as at ten. It must be told of every change, so there is one
 * for each collection, whoever changes it.
 */
export class CollectionIndex extends CollectionScan {
  static readonly #indexes = new WeakMap<readonly unknown[], CollectionIndex>()

  /** The first record with each id, by the id as a string. */
  readonly #records = new Map<string, StoredRecord>()
  #hasDuplicates = false
  /** How many ids are something else than a number. */
  #otherIds = 0
  /** The largest id, undefined until it is asked for. */
  #largest: number | undefined

  /** The index of a collection, the same for everybody who changes it. */
  static of(collection: readonly unknown[], idProperty: string): CollectionIndex {
    const known = CollectionIndex.#indexes.get(collection)
    if (known?.idProperty === idProperty) return known
    const index = new CollectionIndex(collection, idProperty)
    CollectionIndex.#indexes.set(collection, index)
    return index
  }

  private constructor(collection: readonly unknown[], idProperty: string) {
    super(collection, idProperty)
    for (const record of collection) if (isRecord(record)) this.added(record)
  }

  override find(id: unknown): StoredRecord | undefined {
    return isId(id) ? this.#records.get(String(id)) : undefined
  }

  override nextId(): number | undefined {
    if (this.#otherIds > 0) return undefined
    this.#largest ??= this.#findLargest()
    return idAfter(this.#largest)
  }

  override added(record: StoredRecord): void {
    const id = record[this.idProperty]
    if (!isId(id)) return
    const key = String(id)
    if (this.#records.has(key)) this.#hasDuplicates = true
    else this.#records.set(key, record)
    if (typeof id !== 'number') this.#otherIds += 1
    else if (this.#largest !== undefined && id > this.#largest) this.#largest = id
  }

  override replaced(record: StoredRecord): void {
    this.#records.set(String(record[this.idProperty]), record)
  }

  override removed(record: StoredRecord): void {
    const id = record[this.idProperty]
    if (!isId(id)) return
    if (typeof id !== 'number') this.#otherIds -= 1
    if (id === this.#largest) this.#largest = undefined
    const key = String(id)
    if (this.#records.get(key) !== record) return
    this.#records.delete(key)
    const next = this.#hasDuplicates ? super.find(id) : undefined
    if (next !== undefined) this.#records.set(key, next)
  }

  #findLargest(): number | undefined {
    let largest: number | undefined
    for (const record of this.#records.values()) {
      const id = record[this.idProperty]
      if (typeof id === 'number' && (largest === undefined || id > largest)) largest = id
    }
    return largest
  }
}
