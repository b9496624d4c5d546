import { isRecord } from '../../is-record'
import type { StoredRecord } from '../../json-server/collection-index'

/** How many records show whether a time is a number: json-server's own example has `Date.now()`. */
const SHOWN = 20

/** The fields for the times at which a record was added and last changed. */
export class Stamps {
  readonly #added: string | undefined
  readonly #changed: string | undefined

  /** @param names none, that of the first time, or both */
  constructor([added, changed]: readonly string[]) {
    this.#added = added
    this.#changed = changed
  }

  /** A new record with those that it does not have: a test may bring records that are old. */
  add(record: StoredRecord, collection: readonly unknown[], now: number): StoredRecord {
    const missing = [this.#added, this.#changed].filter((name) => name !== undefined && !record[name])
    return {
      ...record,
      ...Object.fromEntries(missing.map((name) => [name, timeLike(collection.slice(0, SHOWN), name, now)])),
    }
  }

  /** A record that takes the place of another: whatever was sent, the first time stays. */
  change(record: StoredRecord, before: StoredRecord, now: number): StoredRecord {
    const stamped = { ...record }
    if (this.#changed !== undefined) stamped[this.#changed] = timeLike([before], this.#changed, now)
    if (this.#added === undefined) return stamped
    if (Object.hasOwn(before, this.#added)) stamped[this.#added] = before[this.#added]
    else delete stamped[this.#added]
    return stamped
  }
}

/** A time as it stands in other records. */
function timeLike(records: readonly unknown[], name: string | undefined, now: number): number | string {
  const isNumber = (record: unknown) =>
    name !== undefined && isRecord(record) && typeof record[name] === 'number'
  return records.some(isNumber) ? now : new Date(now).toJSON()
}
