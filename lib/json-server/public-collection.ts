import type { ServerResponse } from 'node:http'
import type { View } from './streams/streams'

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

/** What a public read gives of its collection, whenever it is asked again. */
interface PublicView extends Omit<View, 'look'> {
  look(collection: PublicCollection): unknown
}

/**
 * Sends a stream of changes.
 *
 * @returns false where the view finds nothing: nothing is sent then
 */
export type StreamPublic = (response: ServerResponse, view: PublicView) => boolean
