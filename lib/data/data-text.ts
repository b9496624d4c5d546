import type { Data } from './valid-data'

/** How many records share one cached text: a change of one serialises all of them again. */
const CHUNK_LENGTH = 256

/** Neighbouring records of a collection and their text, as it stands in the file. */
interface Chunk {
  records: readonly unknown[]
  text: Buffer
}

/**
 * Serialises the data as the text of its file: the bytes of `JSON.stringify(data, null, 2)`, without
 * serialising unchanged records again. A record must not change: a changed one is another object in its
 * place.
 */
export class DataText {
  /** By their collection, in its order. */
  readonly #chunks = new WeakMap<readonly unknown[], Chunk[]>()

  /** The text of the data as it is now, in pieces. */
  serialise(data: Data): Buffer[] {
    const pieces: Buffer[] = []
    let before = '{'
    for (const [name, resource] of Object.entries(data)) {
      if (Array.isArray(resource) && resource.length > 0) {
        before += `\n  ${JSON.stringify(name)}: [\n    `
        for (const { text } of this.#chunksOf(resource)) {
          pieces.push(Buffer.from(before), text)
          before = ',\n    '
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

  /** The chunks of a collection: the known ones, where their records are the same, and new ones. */
  #chunksOf(collection: readonly unknown[]): Chunk[] {
    const known = this.#chunks.get(collection) ?? []
    const chunks: Chunk[] = []
    for (let start = 0; start < collection.length; start += CHUNK_LENGTH) {
      const records = collection.slice(start, start + CHUNK_LENGTH)
      const old = known[chunks.length]
      const isSame =
        old?.records.length === records.length &&
        records.every((record, index) => record === old.records[index])
      chunks.push(isSame ? old : { records, text: textOf(records) })
    }
    this.#chunks.set(collection, chunks)
    return chunks
  }
}

const BEFORE_RECORD = '[\n  [\n    '
const AFTER_RECORD = '\n  ]\n]'

/**
 * Records as they stand in the file. Each is serialised alone: a text of many large records might not fit
 * into the heap, which buffers are not part of. Two arrays around a record give each line its indentation.
 */
function textOf(records: readonly unknown[]): Buffer {
  const texts = records.map((record, index) => {
    const text = JSON.stringify([[record]], null, 2).slice(BEFORE_RECORD.length, -AFTER_RECORD.length)
    return Buffer.from(index === 0 ? text : `,\n    ${text}`)
  })
  return Buffer.concat(texts)
}
