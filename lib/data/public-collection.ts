/** One collection, for the public reads. */
export interface PublicCollection {
  /** All records as they are now, or undefined when the data has no such collection. */
  records(): readonly unknown[] | undefined
  /** The record whose id is this string, or this number, or undefined. */
  find(id: string | number): unknown
  /** Calls the listener after each reload of the data. */
  onReload(listener: () => void): void
}
