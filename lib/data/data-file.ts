import { constants } from 'node:buffer'
import path from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { errorCode, errorMessage } from '../error-code'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import { type Chunks, textOf } from './data-text'
import { lengthOf } from './file/create-file'
import { conflict, FileError, notReadable, notSaved, notUsable } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { groupCommit } from './group-commit'
import { parseData, readData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

export interface DataFileOptions {
  /** Told what a person should know while the file is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

/** What the file holds, as far as it is known. */
interface Saved {
  text: readonly Buffer[]
  state: Data
  loaded: Data
}

/**
 * The data file: read at the start, changed in memory, and replaced as a whole by each group of changes.
 * Changes that others make to the file are never overwritten: they are reloaded, and changes at the same time
 * are refused.
 */
export class DataFile extends DataSource {
  override readonly files: readonly string[]
  readonly #file: WholeFile
  readonly #name: string
  readonly #warn: Warn
  readonly #changes = groupCommit({ write: () => this.#write(), rollBack: () => this.#rollBack() })
  readonly #chunks: Chunks = new WeakMap()
  #saved: Saved
  #canSave = true
  /** Why the file as it is now cannot be served; the state is then the last good one. */
  #unusable: DataError | undefined
  #watcher: NodeJS.Timeout | undefined

  private constructor(file: WholeFile, { data, text }: { data: Data; text: Buffer }, warn: Warn) {
    super(data)
    this.#saved = { text: [text], state: data, loaded: data }
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
    source.#watcher = setInterval(() => source.#reloadIfChanged(), WATCH_INTERVAL).unref()
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

  /** Makes a state the data, and resolves when it is in the file, also after a power failure. */
  override commit(state: Data): Promise<void> {
    this.setState(state)
    return this.#changes.commit()
  }

  override close(): Promise<void> {
    clearInterval(this.#watcher)
    return this.#changes.idle()
  }

  async #write(): Promise<void> {
    const { state, loaded } = this
    try {
      this.refresh()
      // A reload has discarded the changes before it: they must not be reported as saved.
      if (this.state !== state) throw conflict(this.#name)
      const text = this.#textToSave()
      await this.#file.replace(text, () => {
        this.#saved = { text, state, loaded }
        this.#reportUsable()
      })
    } catch (error) {
      this.#reloadIfChanged()
      const failure = notSaved(error, this.#name)
      // The first line of a system's error says all; of any other, the stack may help.
      const cause = errorCode(error) === undefined ? [error] : []
      if (failure.status === 500)
        this.#warn(`Cannot write ${this.#file.path}: ${errorMessage(error)}.`, ...cause)
      throw failure
    }
  }

  /**
   * The text of the state, in pieces.
   *
   * @throws DataError when other code has changed the state so that json-server could not serve it
   * @throws FileError when it is too large to be read again
   */
  #textToSave(): Buffer[] {
    const state = validData(this.state, this.#name)
    const text = textOf(state, this.isShared ? undefined : this.#chunks)
    const length = lengthOf(text)
    if (length > largestText() && length > lengthOf(this.#saved.text)) throw new FileError('TOO_LARGE')
    return text
  }

  /** Goes back to what the file holds. */
  #rollBack(): void {
    const { text, state, loaded } = this.#saved
    // Other code may have changed the saved state by hand since.
    this.setState(this.isShared ? parseData(Buffer.concat(text), this.#name) : state, loaded)
  }

  /** Reloads a file that others have changed. While it cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    let text: Buffer
    let data: Data | undefined
    try {
      text = this.#file.read()
      data = this.#isSaved(text) ? undefined : this.#parse(text)
    } catch (error) {
      this.#reportUnusable(notReadable(error, this.#name))
      return
    }
    if (data === undefined) this.#reportUsable()
    else this.#takeOver(data, text)
  }

  /** Whether a text is the one that was read or written last. Changes that wait for their write are then kept. */
  #isSaved(text: Buffer): boolean {
    return text.equals(Buffer.concat(this.#saved.text))
  }

  /** @throws DataError when json-server could not serve it */
  #parse(text: Buffer): Data {
    const data = parseData(text, this.#name)
    if (text.includes('{')) return data
    // An editor may empty the file for a moment while it saves: that must not discard all data.
    throw new DataError(
      `${this.#name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`,
    )
  }

  #takeOver(data: Data, text: Buffer): void {
    this.#unusable = undefined
    this.#saved = { text: [text], state: data, loaded: data }
    this.#changes.abort(conflict(this.#name))
    this.reload(data)
  }

  #reportUsable(): void {
    if (this.#unusable === undefined) return
    this.#unusable = undefined
    this.emit('usable')
  }

  #reportUnusable(error: DataError): void {
    const isNew = error.message !== this.#unusable?.message
    this.#unusable = error
    if (isNew && !this.emit('unusable', error)) this.#warn(error.message)
  }
}

/**
 * How long a text can become, in bytes. The next start holds the text more than once, beside the heap. Data
 * that fits into the heap has a longer text only where it is nested deep: its lines are then mostly spaces.
 */
function largestText(): number {
  return Math.min(constants.MAX_STRING_LENGTH, getHeapStatistics().heap_size_limit / 2)
}
