import type { Data } from './data-source'

/** So many records share one cached text: a change makes that many into text again. */
const CHUNK_LENGTH = 256

/** Neighbouring records of a collection and their text, as it stands in the file. */
interface Chunk {
  records: readonly unknown[]
  text: Buffer
}

/**
 * Turns the data into the text of its file: the bytes of `JSON.stringify(data, null, 2)`, without making unchanged records of
 * a large file into text again. A record must not change: a changed one is another object in its place.
 */
export class DataText {
  /** By the first of their records: a chunk is found again wherever that record has moved to. */
  readonly #chunks = new WeakMap<object, Chunk>()
  #preparing: NodeJS.Immediate | undefined

  /**
   * Turns the data into text ahead of the first change, which need not wait for it then: a chunk in each turn of the event
   * loop, so that no request waits for more than that.
   */
  prepare(data: Data): void {
    const chunks = this.#allChunks(data)
    const prepareNext = (): void => {
      try {
        if (!chunks.next().done) this.#preparing = setImmediate(prepareNext)
      } catch {
        // What cannot be turned into text fails again in the write that needs it, which reports it.
      }
    }
    clearImmediate(this.#preparing)
    prepareNext()
  }

  /** The text of the data as it is now, in pieces. */
  serialise(data: Data): Buffer[] {
    clearImmediate(this.#preparing)
    const pieces: Buffer[] = []
    const names = Object.keys(data)
    if (names.length === 0) return [Buffer.from('{}')]
    for (const [index, name] of names.entries()) {
      pieces.push(Buffer.from(`${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `))
      const resource = data[name]
      if (Array.isArray(resource) && resource.length > 0) this.#addCollection(pieces, resource)
      else pieces.push(Buffer.from(textOf(resource, '  ')))
    }
    pieces.push(Buffer.from('\n}'))
    return pieces
  }

  #addCollection(pieces: Buffer[], records: readonly unknown[]): void {
    let separator = '[\n    '
    for (const { text } of this.#chunksOf(records)) {
      pieces.push(Buffer.from(separator), text)
      separator = SEPARATOR
    }
    pieces.push(Buffer.from('\n  ]'))
  }

  *#allChunks(data: Data): Generator<Chunk> {
    for (const resource of Object.values(data)) if (Array.isArray(resource)) yield* this.#chunksOf(resource)
  }

  *#chunksOf(records: readonly unknown[]): Generator<Chunk> {
    for (let position = 0; position < records.length; ) {
      const chunk = this.#chunkAt(records, position)
      yield chunk
      position += chunk.records.length
    }
  }

  /** The chunk that begins at a position: the cached one, the cached one with new records behind it, or a new one. */
  #chunkAt(records: readonly unknown[], position: number): Chunk {
    const first = records[position]
    const cached = isObject(first) ? this.#chunks.get(first) : undefined
    const known = cached !== undefined && this.#isCurrent(cached, records, position) ? cached : undefined
    const end = this.#endOfChunk(records, position, known)
    const length = known?.records.length ?? 0
    if (known !== undefined && position + length === end) return known
    const text = textOfRecords(records.slice(position + length, end))
    const chunk = {
      records: records.slice(position, end),
      text: known === undefined ? text : Buffer.concat([known.text, Buffer.from(SEPARATOR), text]),
    }
    if (isObject(first)) this.#chunks.set(first, chunk)
    return chunk
  }

  #isCurrent({ records: chunkRecords }: Chunk, records: readonly unknown[], position: number): boolean {
    return chunkRecords.every((record, index) => record === records[position + index])
  }

  /** A chunk ends where it is full, or where the next one is known to begin. */
  #endOfChunk(records: readonly unknown[], position: number, known: Chunk | undefined): number {
    const limit = Math.min(records.length, position + CHUNK_LENGTH)
    let end = position + (known?.records.length ?? 1)
    while (end < limit && !this.#beginsChunk(records[end])) end += 1
    return end
  }

  #beginsChunk(record: unknown): boolean {
    return isObject(record) && this.#chunks.has(record)
  }
}

const SEPARATOR = ',\n    '
const BEFORE_RECORDS = '[\n  [\n    '
const AFTER_RECORDS = '\n  ]\n]'

/** Records as they stand in the file. Two arrays around them give each line its indentation. */
function textOfRecords(records: readonly unknown[]): Buffer {
  const text = JSON.stringify([records], null, 2)
  return Buffer.from(text.slice(BEFORE_RECORDS.length, -AFTER_RECORDS.length))
}

/** JSON with every line but the first indented: a line break in a JSON text is never part of a value. */
function textOf(value: unknown, indentation: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indentation}`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
