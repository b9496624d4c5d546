import { isObject } from '../is-record'
import { textInPieces } from './text-pieces'
import type { Data } from './valid-data'

/** How many records share one cached text: a change of one serialises all of them again. */
const CHUNK_LENGTH = 256

/** Neighbouring records of a collection and their text, as it stands in the file. */
interface Chunk {
  records: readonly unknown[]
  text: readonly Buffer[]
}

/**
 * Serialises the data as the text of its file: the bytes of `JSON.stringify(data, null, 2)`, without
 * serialising unchanged records again: after a change of one of 100,000 records, that takes 3 ms instead of
 * 180. A record must not change: a changed one is another object in its place.
 */
export class DataText {
  /** Each chunk by its first record, so that it is found again wherever that record has moved to. */
  readonly #chunks = new WeakMap<object, Chunk>()

  /** The text of the data as it is now, in pieces. */
  serialise(data: Data): Buffer[] {
    const pieces: Buffer[] = []
    let before = '{'
    for (const [name, resource] of Object.entries(data)) {
      if (Array.isArray(resource) && resource.length > 0) {
        before += `\n  ${JSON.stringify(name)}: [\n    `
        for (let position = 0; position < resource.length; ) {
          const chunk = this.#chunkAt(resource, position)
          pieces.push(Buffer.from(before), ...chunk.text)
          before = ',\n    '
          position += chunk.records.length
        }
        before = '\n  ],'
      } else {
        const text = JSON.stringify({ [name]: resource }, null, 2).slice('{'.length, -'\n}'.length)
        pieces.push(Buffer.from(before + text))
        before = ','
      }
    }
    pieces.push(Buffer.from(before === '{' ? '{}' : `${before.slice(0, -','.length)}\n}`))
    return pieces
  }

  /** The chunk that begins at a position: the cached one, unless its records have changed, or a new one. */
  #chunkAt(collection: readonly unknown[], position: number): Chunk {
    const first = collection[position]
    const cached = this.#cachedChunk(first)
    const isUnchanged = cached?.records.every((record, index) => record === collection[position + index])
    const unchanged = isUnchanged ? cached : undefined
    // Records that were added behind an unchanged chunk belong to it, so its end is looked for from there on.
    const length = this.#chunkLength(collection, position, unchanged?.records.length ?? 1)
    if (unchanged?.records.length === length) return unchanged
    const records = collection.slice(position, position + length)
    const chunk = { records, text: textInPieces(records, 2) }
    if (isObject(first)) this.#chunks.set(first, chunk)
    return chunk
  }

  /**
   * How many records the chunk at a position has: it ends before the next cached chunk, or when it is full.
   *
   * @param known how many it has at least
   */
  #chunkLength(collection: readonly unknown[], position: number, known: number): number {
    const most = Math.min(CHUNK_LENGTH, collection.length - position)
    let length = known
    while (length < most && this.#cachedChunk(collection[position + length]) === undefined) length += 1
    return length
  }

  #cachedChunk(first: unknown): Chunk | undefined {
    return isObject(first) ? this.#chunks.get(first) : undefined
  }
}
