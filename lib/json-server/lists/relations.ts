import { badRequest } from '../../errors'
import { isObject, isRecord } from '../../is-record'
import { chained, lodash } from '../handlers'
import type { CollectionIndex } from '../records/collection-index'
import type { Collections } from '../records/collections'

/**
 * Characters of JSON that may be added more than once: enough for a whole collection several times over, and
 * a fifth of Node's longest string.
 */
const MOST_REPEATED = 100_000_000

/** The braces, the indentation and the line ends around each record. */
const AROUND = 20

/** The records of a collection by their value at a key. */
interface Groups {
  byValue: Map<unknown, unknown[]>
  /** Those whose value is an object, which lodash compares by its content. */
  others: unknown[]
}

/**
 * The other collections, as json-server calls them to add relations to the records of one request: in one
 * tick, so that nothing can change them meanwhile. json-server walks a collection for each record; this walks
 * it once.
 */
export class Relations {
  readonly #groups = new Map<unknown, Groups>()
  readonly #indexes = new Map<unknown, CollectionIndex>()
  /** The length of each record that was added, from the second time on. */
  readonly #lengths = new Map<unknown, number | undefined>()
  #repeated = 0

  /**
   * @param foreignKey the name of the key by which other records refer to those of the requested collection
   */
  constructor(
    private readonly collections: Collections,
    private readonly foreignKey: string,
    private readonly list: readonly unknown[] | undefined,
  ) {}

  /**
   * @param path the name of a collection, which json-server treats as a path in the data
   * @returns an object whose functions throw HttpError 400 when the response would be too large
   */
  get(path: string) {
    const collection = lodash().get(this.collections.state, path)
    // lodash treats an object with a large `length` as an array and walks it to the end.
    const records = Array.isArray(collection) ? collection : []
    return {
      value: () => collection,
      /** `_embed`: the query has only the foreign key. */
      filter: (query: object) => {
        const embedded = this.#embedded(records, Object.values(query)[0])
        for (const record of embedded) this.#count(record)
        return chained(embedded)
      },
      /** `_expand` */
      getById: (id: unknown) => {
        const expanded = this.#indexOf(records).find(id)
        this.#count(expanded)
        return chained(expanded)
      },
    }
  }

  /** Adding the same large record to many others can make a response too large for the memory. */
  #count(record: unknown): void {
    if (!isObject(record)) return
    // Most records are added once, so they need not be turned into text.
    if (!this.#lengths.has(record)) return void this.#lengths.set(record, undefined)
    const length = this.#lengths.get(record) ?? JSON.stringify(record).length + AROUND
    this.#lengths.set(record, length)
    this.#repeated += length
    if (this.#repeated > MOST_REPEATED)
      throw badRequest(
        'The response would be too large: ask for a page (_page, _limit), or for fewer relations.',
      )
  }

  #indexOf(records: readonly unknown[]): CollectionIndex {
    const index = this.#indexes.get(records) ?? this.collections.index(records)
    this.#indexes.set(records, index)
    return index
  }

  #embedded(records: readonly unknown[], id: unknown): unknown[] {
    const query = { [this.foreignKey]: id }
    if (this.list === undefined) return lodash().filter(records, query)
    const groups = this.#groups.get(records) ?? groupBy(records, this.foreignKey, this.list)
    this.#groups.set(records, groups)
    return isComparable(id) ? [...(groups.byValue.get(id) ?? [])] : lodash().filter(groups.others, query)
  }
}

/** Only the records that refer to one of the list, and those whose value is an object. */
function groupBy(records: readonly unknown[], key: string, list: readonly unknown[]): Groups {
  const byValue = new Map<unknown, unknown[]>()
  for (const record of list) if (isRecord(record)) byValue.set(record.id, [])
  const others: unknown[] = []
  for (const record of records) {
    const fields = Object(record)
    // A missing field is not the same as one that is undefined.
    if (!(key in fields)) continue
    const value: unknown = fields[key]
    const group = isComparable(value) ? byValue.get(value) : others
    group?.push(record)
  }
  return { byValue, others }
}

/** Whether lodash compares a value by `===` alone. */
function isComparable(value: unknown): boolean {
  return !isObject(value) && !Number.isNaN(value)
}
