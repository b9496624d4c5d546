import path from 'node:path'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
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
  override readonly canSave: boolean
  readonly #file: WholeFile
  /** What was read or written last, in pieces. */
  #text: readonly Buffer[]
  readonly #chunks: Chunks = new WeakMap()

  private constructor(file: WholeFile, { data, text }: { data: Data; text: Buffer }, warn: Warn) {
    // An unchanged file is looked at, too: one that could not be read for a moment is read again.
    super(data, { name: path.basename(file.path), warn, lookEvery: WATCH_INTERVAL })
    this.#file = file
    this.#text = [text]
    this.canSave = file.prepare()
  }

  /**
   * Reads a data file and watches it from then on, until `close`. What killed processes have left in its
   * folder is removed.
   *
   * @param file path of a JSON file
   * @throws DataError when it is missing, not JSON (with line and column) or cannot be served
   */
  static open(file: string, { warn = warnByNode }: DataFileOptions = {}): DataFile {
    const whole = new WholeFile(file, warn)
    return new DataFile(whole, readData(whole), warn)
  }

  override get files(): readonly string[] {
    return [this.#file.path]
  }

  protected override load(): Data | undefined {
    if (!this.#file.changedElsewhere) return undefined
    const text = this.#file.read()
    if (text.equals(Buffer.concat(this.#text))) return this.saved
    const data = parseReplacement(text, this.name)
    this.#text = [text]
    return data
  }

  protected override async save(state: Data): Promise<void> {
    const text = textOf(state, this.#chunks)
    checkLength(text, this.#text)
    await this.#file.replace(text, () => {
      this.#text = text
    })
  }
}
