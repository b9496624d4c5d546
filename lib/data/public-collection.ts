/** One collection, for the public reads. */
export interface PublicCollection {
  /** All records as they are now, or undefined when the data has no such collection. */
  records(): readonly unknown[] | undefined
  /** The record whose id is this string, or this number, or undefined. */
  find(id: string | number): unknown
  /** Calls the listener after each reload of the data. */
  onReload(listener: () => void): void
  /** Calls the listener before other code begins to change records in place: `revision` is then undefined. */
  onShare?(listener: () => void): void
  /**
   * Grows with every change of the data, after which a changed record is another object; undefined when
   * records may be changed in place, unnoticed.
   */
  revision(): number | undefined
}
