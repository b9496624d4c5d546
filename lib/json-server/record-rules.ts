import type { StoredRecord } from './collection-index'

/** How the body of a request was sent. */
export interface SentBody {
  /** Whether all values in it are texts, as those of a form are. */
  readonly isForm: boolean
  /** The body before json-server has put into it, as a text, the id that its path names. */
  readonly fields: Readonly<StoredRecord>
}

/** A record that a request adds. */
export interface Addition {
  readonly name: string
  readonly collection: readonly unknown[]
  readonly sent: StoredRecord
  /**
   * Gives the record that is stored its id.
   *
   * @param makeId makes one, where the record has none; undefined for json-server's
   * @throws HttpError 400 for an id that cannot be used, 409 for one that another record has
   */
  identify(record: StoredRecord, makeId?: () => unknown): void
}

/** What a request makes of a record, or of a singular resource. */
export interface RecordChange {
  readonly name: string
  /** The records beside it; none for a singular resource. */
  readonly collection?: readonly unknown[]
  readonly before: StoredRecord
  readonly sent: StoredRecord
  /** Whether fields that were not sent stay: PATCH, and a change of what is nested in the record. */
  readonly isPartial: boolean
}

/** What has become of a collection. */
export interface StoredChange {
  readonly name: string
  readonly collection: readonly unknown[]
  /** The array in its place. */
  readonly next: readonly unknown[]
  /** The only record that is new in it, at its end, or in the place of another with the same id. */
  readonly record: StoredRecord
  readonly before?: StoredRecord | undefined
}

/** What is stored of what a request sends. */
export interface RecordRules {
  /** Gives the record that a POST adds. @throws HttpError for one that must not be stored */
  add(addition: Addition): StoredRecord
  /** Gives the record that takes the place of another. @throws HttpError for one that must not be stored */
  change(change: RecordChange): StoredRecord
  /** Called when an array has taken the place of a collection. */
  stored(change: StoredChange): void
}

/** As json-server stores it. */
export const PLAIN_RULES: RecordRules = {
  add({ sent, identify }) {
    identify(sent)
    return sent
  },
  change: ({ before, sent, isPartial }) => (isPartial ? { ...before, ...sent } : sent),
  stored() {},
}
