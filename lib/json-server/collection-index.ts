import { HttpError } from '../errors'
import { isRecord } from '../is-record'
import { lodash } from './lodash'

export type StoredRecord = Record<string, unknown>

/** Relations search for many records: then a map of all is quicker, though it takes ten searches to make. */
const SEARCHES_WITHOUT_MAP = 10

/** Finds the records of a collection for one request, which does not change it. */
export class CollectionIndex {
  /** The first record with each id, after the first searches. */
  #records: Map<string | undefined, StoredRecord> | undefined
  #searches = 0
  /** The records by the value of a field, by the field's name. */
  readonly #groups = new Map<string, ReadonlyMap<unknown, readonly unknown[]>>()

  private readonly collection: readonly unknown[]
  private readonly idProperty: string

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
    if (this.#searches <= SEARCHES_WITHOUT_MAP)
      return this.collection.find(
        (record): record is StoredRecord => isRecord(record) && asText(record[this.idProperty]) === text,
      )
    // The records are reversed, so that of several with one id the map keeps the first.
    this.#records ??= new Map(
      this.collection
        .filter(isRecord)
        .reverse()
        .map((record) => [this.#idOf(record), record]),
    )
    return this.#records.get(text)
  }

  /**
   * The id for a record that has none: json-server's next one, or, because another record may have that
   * number as a string, the first number from there on that no record has.
   *
   * @throws HttpError 409 when there is no larger number: json-server would give the same id again and again
   */
  newId(): unknown {
    // All collections share these functions, even those whose id property has another name.
    lodash().id = this.idProperty
    // json-server's next id is an error if no record has an id.
    const hasId = this.collection.some((record) => this.#idOf(record) !== undefined)
    let id = lodash().createId(hasId ? this.collection : [])
    if (typeof id !== 'number') return id
    while (id <= Number.MAX_SAFE_INTEGER && this.find(id) !== undefined) id += 1
    if (id > Number.MAX_SAFE_INTEGER)
      throw new HttpError({
        status: 409,
        message: 'The largest id leaves no number for the next record: send an id.',
      })
    return id
  }

  /** The records that have a value in a field; undefined is the same as a missing field. */
  recordsWith(field: string, value: unknown): readonly unknown[] {
    const groups = this.#groups.get(field) ?? groupBy(this.collection, field)
    this.#groups.set(field, groups)
    return groups.get(value) ?? []
  }
}

function asText(id: unknown): string | undefined {
  return id === undefined || id === null ? undefined : String(id)
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
