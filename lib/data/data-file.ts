import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorCode, errorMessage } from '../error-code'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import { conflict, FileError, NotDurableError, notReadable, notSaved, notUsable } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { parseData, readData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

export interface DataFileOptions {
  /** Told what a person should know while the file is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

/** Somebody who waits until a change is in the file. */
interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * The data file: read at the start, changed in memory, and replaced as a whole by each group of changes:
 * those that are made during a write go out together in the next one. Changes that others make to the file
 * are never overwritten: they are reloaded, and changes at the same time are refused.
 */
export class DataFile extends DataSource {
  override readonly files: readonly string[]
  readonly #file: WholeFile
  readonly #name: string
  readonly #warn: Warn
  #canSave = true
  /** Why the file as it is now cannot be served; the state is then the last good one. */
  #unusable: DataError | undefined
  /** What the file holds, as far as it is known. */
  #saved: Data
  /** The changes that no write holds yet. */
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  private constructor(file: WholeFile, data: Data, warn: Warn) {
    super(data)
    this.#saved = data
    this.files = [file.path]
    this.#file = file
    this.#name = path.basename(file.path)
    this.#warn = warn
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
    const source = new DataFile(whole, readData(whole), warn)
    source.#canSave = whole.prepare()
    // An unchanged file is looked at, too: one that could not be read for a moment is read again.
    const watcher = setInterval(() => source.#reloadIfChanged(), WATCH_INTERVAL).unref()
    source.once('close', () => clearInterval(watcher))
    return source
  }

  /** Whether changes could be saved when it was opened; if not, each is refused. */
  get canSave(): boolean {
    return this.#canSave
  }

  override refresh(): void {
    this.#reloadIfChanged()
    if (this.#unusable !== undefined) throw notUsable(this.#unusable)
  }

  override commit(state?: Data): Promise<void> {
    super.commit(state)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    // The requests of the same tick share a write.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0)
      try {
        await this.#save()
        for (const { resolve } of group) resolve()
      } catch (error) {
        // What was changed on top of a change that has failed is taken back with it.
        if (!(error instanceof NotDurableError)) group.push(...this.#goBack())
        for (const { reject } of group) reject(error)
      }
    }
    this.#writing = undefined
  }

  async #save(): Promise<void> {
    const { state } = this
    try {
      this.refresh()
      // A reload has discarded the changes before it: they must not be reported as saved.
      if (this.state !== state) throw conflict(this.#name)
      await this.#file.replace(textOf(validData(state, this.#name)))
      this.#saved = state
    } catch (error) {
      const failure = notSaved(error, this.#name)
      // The first line of a system's error says all; of any other, the stack may help.
      const cause = errorCode(error) === undefined ? [error] : []
      if (failure.status === 500)
        this.#warn(`Cannot write ${this.#file.path}: ${errorMessage(error)}.`, ...cause)
      throw failure
    }
  }

  /**
   * Goes back to what the file holds.
   *
   * @returns the changes that have not been written
   */
  #goBack(): Waiting[] {
    const { state } = this
    this.#reloadIfChanged()
    if (this.state === state) this.#reread()
    return this.#waiting.splice(0)
  }

  /** Takes the data from the file, if it can be read: code that is not ours may have changed the state by hand. */
  #reread(): void {
    try {
      super.commit(readData(this.#file))
      this.#unusable = undefined
    } catch {
      super.commit(this.#saved)
    }
  }

  /** Reloads a file that others have changed. While it cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    try {
      const text = this.#file.read()
      const data = parseData(text, this.#name)
      // An editor may empty the file for a moment while it saves: that must not discard all data.
      if (!text.includes('{'))
        throw new DataError(
          `${this.#name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`,
        )
      const wasUnusable = this.#unusable !== undefined
      this.#unusable = undefined
      if (isDeepStrictEqual(data, this.#saved)) {
        if (wasUnusable) this.emit('usable')
        return
      }
      this.#saved = data
      for (const { reject } of this.#waiting.splice(0)) reject(conflict(this.#name))
      this.replace(data)
    } catch (error) {
      this.#reportUnusable(notReadable(error, this.#name))
    }
  }

  #reportUnusable(error: DataError): void {
    const isNew = error.message !== this.#unusable?.message
    this.#unusable = error
    if (isNew && !this.emit('unusable', error)) this.#warn(error.message)
  }
}

/** @throws FileError when the text is longer than a string can be */
export function textOf(data: Data): Buffer {
  try {
    return Buffer.from(JSON.stringify(data, null, 2))
  } catch (error) {
    throw error instanceof RangeError ? new FileError('TOO_LARGE') : error
  }
}
