/**
 * One collection, for the public reads. An array that it gives never changes: another comes in its place, so that
 * the text of each is made once.
 */
export interface PublicCollection {
  /** All records as they are now, or undefined when the data has no such collection. */
  records(): readonly unknown[] | undefined
  /** All records as they were last loaded, whatever was changed since. */
  loaded(): readonly unknown[] | undefined
  /** The record whose id is this string, or this number, or undefined. */
  find(id: string | number): unknown
}
