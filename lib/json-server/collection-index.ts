import { HttpError } from '../errors'
import { isRecord } from '../is-record'
import { derived } from './derived'
import { lodash } from './lodash'

export type StoredRecord = Record<string, unknown>

/** To find one of 100,000 records, a look at each takes 3 ms, and a map of all 40 ms. */
const SEARCHES_WITHOUT_MAP = 10

/** What is remembered of the ids of a collection. */
interface IdMemory {
  /** The first record with each id, after the first searches. */
  records?: Map<string | undefined, StoredRecord>
  searches: number
  nextId?: number
}

const memories = derived<IdMemory>()
const groups = derived<ReadonlyMap<unknown, readonly unknown[]>>()
const fields = derived<boolean>()

/** Whether a record of a collection has a field, which may be a path. */
export function hasField(collection: readonly unknown[], field: string): boolean {
  return fields(collection, field, () => collection.some((record) => lodash().has(record, field)))
}

/** The names of the fields that the first records of a collection have. */
export function fieldNamesOf(collection: readonly unknown[]): string[] {
  return [...new Set(collection.slice(0, 20).filter(isRecord).flatMap(Object.keys))]
}

/** The records of a collection that have a value in a field; undefined is the same as a missing field. */
export function recordsWith(
  collection: readonly unknown[],
  field: string,
  value: unknown,
): readonly unknown[] {
  return groups(collection, field, () => groupBy(collection, field)).get(value) ?? []
}

/** Finds the records of a collection by their ids, which are remembered as long as the collection is there. */
export class CollectionIndex {
  readonly #collection: readonly unknown[]
  readonly #idProperty: string
  readonly #memory: IdMemory

  constructor(collection: readonly unknown[], idProperty: string) {
    this.#collection = collection
    this.#idProperty = idProperty
    this.#memory = memories(collection, idProperty, () => ({ searches: 0 }))
  }

  /** A record's id as text, by which json-server compares ids: `/posts/1` finds the id 1. */
  #idOf(record: unknown): string | undefined {
    return isRecord(record) ? asText(record[this.#idProperty]) : undefined
  }

  /** The first record with this id, or undefined. */
  find(id: unknown): StoredRecord | undefined {
    const text = asText(id)
    if (text === undefined) return undefined
    const memory = this.#memory
    memory.searches += 1
    if (memory.searches <= SEARCHES_WITHOUT_MAP) return this.#search(text)
    // The records are reversed, so that of several with one id the map keeps the first.
    memory.records ??= new Map(
      this.#collection
        .filter(isRecord)
        .reverse()
        .map((record) => [this.#idOf(record), record]),
    )
    return memory.records.get(text)
  }

  /** Looks at one record after the other. */
  #search(text: string): StoredRecord | undefined {
    // Of many numbers, only the one that it may be becomes text: that takes half of the time.
    const number = Number(text)
    return this.#collection.find((record): record is StoredRecord => {
      const id = isRecord(record) ? record[this.#idProperty] : undefined
      return typeof id === 'number' && id !== number ? false : asText(id) === text
    })
  }

  /**
   * The id for a record that has none: json-server's next one, or, because another record may have that
   * number as a string, the first number from there on that no record has.
   *
   * @param taken ids that no record has, and a new one must not get: a number is above all of them. Default: none
   * @throws HttpError 409 when there is no larger number: json-server would give the same id again and again
   */
  newId(taken: ReadonlySet<unknown> = new Set()): unknown {
    const next = this.#memory.nextId ?? this.#createId()
    if (typeof next !== 'number') return next
    const numbers = [...taken].filter((one) => typeof one === 'number')
    let id = numbers.reduce((least, one) => Math.max(least, Math.floor(one) + 1), next)
    while (id <= Number.MAX_SAFE_INTEGER && this.find(id) !== undefined) id += 1
    if (id > Number.MAX_SAFE_INTEGER)
      throw new HttpError({
        status: 409,
        message: 'The largest id leaves no number for the next record: send an id.',
      })
    this.#memory.nextId = id
    return id
  }

  /** json-server's next id, which is an error there if no record has an id. */
  #createId(): unknown {
    const hasId = this.#collection.some((record) => this.#idOf(record) !== undefined)
    // All collections share these functions, even those whose id property has another name.
    lodash().id = this.#idProperty
    return lodash().createId(hasId ? this.#collection : [])
  }

  /**
   * Hands on what is known of ids to the index of the array that takes the place of this one's: to make a map
   * of 100,000 records takes 40 ms. This index starts anew, where its array is asked for again.
   *
   * @param record the only one that is new, at the end, or in the place of another with the same id
   */
  handOn(collection: readonly unknown[], record: StoredRecord): void {
    const memory = this.#memory
    const next = new CollectionIndex(collection, this.#idProperty).#memory
    next.records = memory.records?.set(this.#idOf(record), record)
    next.searches = memory.searches
    const id = record[this.#idProperty]
    if (typeof id === 'number' && memory.nextId !== undefined) next.nextId = Math.max(memory.nextId, id + 1)
    memory.records = undefined
  }
}

/** Gives an object the class of another, as json-server keeps it: its `toJSON` may leave out a password. */
export function withClassOf<Fields extends object>(model: object, fields: Fields): Fields {
  return Object.setPrototypeOf(fields, Object.getPrototypeOf(model))
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
