import { HttpError } from '../errors'
import { isRecord } from '../is-record'

export type StoredRecord = Record<string, unknown>

/** Finds the records of one collection by looking at each: right whatever anybody has done to it. */
export class CollectionScan {
  constructor(
    protected readonly collection: readonly unknown[],
    readonly idProperty: string,
  ) {}

  /** The first record with this id, or undefined. json-server compares ids as strings: `/posts/1` finds the id 1. */
  find(id: unknown): StoredRecord | undefined {
    if (!isId(id)) return undefined
    const key = String(id)
    const number = String(Number(key)) === key ? Number(key) : undefined
    for (const record of this.collection) {
      if (!isRecord(record)) continue
      const stored = record[this.idProperty]
      if (typeof stored === 'number' ? stored === number : isId(stored) && String(stored) === key)
        return record
    }
    return undefined
  }

  /**
   * The id after the largest one, or undefined when not all ids are numbers.
   *
   * @throws HttpError 409 when there is no larger integer: json-server would give the same id again and again
   */
  nextId(): number | undefined {
    const { areNumbers, largest } = this.ids()
    return areNumbers ? idAfter(largest) : undefined
  }

  /** Called after a record was added at the end. */
  added(_record: StoredRecord): void {}

  /** Called after a record took the place of another with the same id. */
  replaced(_record: StoredRecord): void {}

  /** Called after a record was taken out. */
  removed(_record: StoredRecord): void {}

  /** Looks at all records, or at those up to the first id that is no number. */
  protected ids(): Ids {
    let largest: number | undefined
    for (const record of this.collection) {
      const id = isRecord(record) ? record[this.idProperty] : undefined
      if (typeof id === 'number') {
        if (largest === undefined || id > largest) largest = id
      } else if (isId(id)) return { areNumbers: false, largest: undefined }
    }
    return { areNumbers: true, largest }
  }
}

/** What the next id depends on. */
export interface Ids {
  readonly areNumbers: boolean
  /** Undefined where there is no id. */
  readonly largest: number | undefined
}

/** @throws HttpError 409 when there is no larger integer */
function idAfter(largest = 0): number {
  const next = largest + 1
  if (next > Number.MAX_SAFE_INTEGER) {
    throw new HttpError(409, 'The largest id leaves no integer for the next record: send an id.')
  }
  return next
}

export function isId(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
