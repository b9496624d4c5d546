import path from 'node:path'
import { WATCH_INTERVAL } from '../files/watch-file'
import { requireKinds } from '../option-kinds'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import type { DataStorage } from './data-storage'
import { type Chunks, textOf } from './data-text'
import { checkLength } from './file/text-limit'
import { WholeFile } from './file/whole-file'
import { parseReplacement, readData } from './parse-data'
import type { Data } from './valid-data'

export interface DataFileOptions {
  /** Told what a person should know while the file is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

/**
 * The data file: read at the start, changed in memory, and replaced as a whole by each group of changes.
 * Changes that others make to the file are never overwritten: they are reloaded, and changes at the same time
 * are refused.
 */
export class DataFile extends DataSource {
  private constructor(data: Data, file: StoredFile, warn: Warn) {
    // An unchanged file is looked at, too: one that could not be read for a moment is read again.
    super(data, file, { name: file.name, warn, lookEvery: WATCH_INTERVAL })
  }

  /**
   * Reads a data file and watches it from then on, until `close`. What killed processes have left in its
   * folder is removed.
   *
   * @param file path of a JSON file
   * @throws TypeError when an option is of the wrong kind or does not exist
   * @throws DataError when it is missing, not JSON (with line and column) or cannot be served
   */
  static open(file: string, options: DataFileOptions = {}): DataFile {
    requireKinds(options, { warn: ['a function that returns at once'] })
    const { warn = warnByNode } = options
    const whole = new WholeFile(file, warn)
    const { data, text } = readData(whole)
    return new DataFile(data, new StoredFile(whole, text), warn)
  }
}

/** A file that holds all data. */
class StoredFile implements DataStorage {
  readonly name: string
  readonly canSave: boolean
  readonly #file: WholeFile
  /** What was read or written last, in pieces. */
  #text: readonly Buffer[]
  readonly #chunks: Chunks = new WeakMap()

  constructor(file: WholeFile, text: Buffer) {
    this.name = path.basename(file.path)
    this.#file = file
    this.#text = [text]
    this.canSave = file.prepare()
  }

  get files(): readonly string[] {
    return [this.#file.path]
  }

  load(saved: Data): Data | undefined {
    if (!this.#file.changedElsewhere) return undefined
    const text = this.#file.read()
    if (text.equals(Buffer.concat(this.#text))) return saved
    const data = parseReplacement(text, this.name)
    this.#text = [text]
    return data
  }

  async save(state: Data): Promise<void> {
    const text = textOf(state, this.#chunks)
    checkLength(text, this.#text)
    await this.#file.replace(text, () => {
      this.#text = text
    })
  }
}
