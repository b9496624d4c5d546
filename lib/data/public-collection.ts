/** One collection, for the public reads. */
export interface PublicCollection {
  /** All records as they are now, or undefined when the data has no such collection. */
  records(): readonly unknown[] | undefined
  /** The record whose id is this string, or this number, or undefined. */
  find(id: string | number): unknown
  /** Calls the listener after each reload of the data. */
  onReload(listener: () => void): void
  /**
   * Calls the listener before other code may begin to change records in place; until then, a changed record
   * is another object. Without this, a record may be changed in place at any time.
   */
  onShare?(listener: () => void): void
  /** Grows with every change of the data; undefined when changes go unnoticed. */
  revision(): number | undefined
}
