import { constants } from 'node:buffer'
import path from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { errorCode, errorMessage } from '../error-code'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { lengthOf } from './file/create-file'
import { conflict, FileError, notReadable, notSaved, notUsable } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { readData } from './parse-data'
import { SavedData } from './saved-data'
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
export class DataFile extends SavedData {
  override readonly files: readonly string[]
  /** Whether changes could be saved when it was opened; if not, each is refused. */
  readonly canSave: boolean
  readonly #file: WholeFile
  readonly #watcher: NodeJS.Timeout

  private constructor(file: WholeFile, { data, text }: { data: Data; text: Buffer }, warn: Warn) {
    super(data, { text, name: path.basename(file.path), warn })
    this.files = [file.path]
    this.#file = file
    this.canSave = file.prepare()
    // An unchanged file is looked at, too: one that could not be read for a moment is read again.
    this.#watcher = setInterval(() => this.#reloadIfChanged(), WATCH_INTERVAL).unref()
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

  override refresh(): void {
    this.#reloadIfChanged()
    if (this.problem !== undefined) throw notUsable(this.problem)
  }

  override close(): Promise<void> {
    clearInterval(this.#watcher)
    return this.changes.idle()
  }

  protected override async write(): Promise<void> {
    const { state, loaded } = this
    try {
      this.refresh()
      // A reload has discarded the changes before it: they must not be reported as saved.
      if (this.state !== state) throw conflict(this.name)
      const text = this.textToSave()
      await this.#file.replace(text, () => {
        this.saved = { text, state, loaded }
        this.report(undefined)
      })
    } catch (error) {
      this.#reloadIfChanged()
      const failure = notSaved(error, this.name)
      // The first line of a system's error says all; of any other, the stack may help.
      const cause = errorCode(error) === undefined ? [error] : []
      if (failure.status === 500)
        this.warn(`Cannot write ${this.#file.path}: ${errorMessage(error)}.`, ...cause)
      throw failure
    }
  }

  /** @throws FileError when it is too large to be read again */
  protected override textToSave(): Buffer[] {
    const text = super.textToSave()
    const length = lengthOf(text)
    if (length > largestText() && length > lengthOf(this.saved.text)) throw new FileError('TOO_LARGE')
    return text
  }

  /** Reloads a file that others have changed. While it cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    const { saved, problem } = this
    try {
      const text = this.#file.read()
      // Where it is the one that was read or written last, changes that wait for their write are kept.
      if (!text.equals(Buffer.concat(saved.text))) this.takeOver(text, conflict(this.name))
    } catch (error) {
      this.report(notReadable(error, this.name))
      return
    }
    if (problem !== undefined) this.report(undefined)
    else if (this.saved !== saved) this.emit('reload')
  }
}

/**
 * How long a text can become, in bytes. The next start holds the text more than once, beside the heap. Data
 * that fits into the heap has a longer text only where it is nested deep: its lines are then mostly spaces.
 */
function largestText(): number {
  return Math.min(constants.MAX_STRING_LENGTH, getHeapStatistics().heap_size_limit / 2)
}
