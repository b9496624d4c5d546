import path from 'node:path'
import { errorCode, errorMessage } from '../error-code'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { conflict, notReadable, notSaved, notUsable } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { groupCommit } from './group-commit'
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
  readonly #file: WholeFile
  protected override readonly commits = groupCommit({
    write: () => this.#save(),
    rollBack: () => this.rollBack(),
  })
  #canSave = true

  /** Takes what `open` has read, and reads nothing itself. */
  private constructor(file: WholeFile, data: Data, text: Buffer, warn: Warn) {
    super(data, text, { name: path.basename(file.path), warn })
    this.files = [file.path]
    this.#file = file
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
    const { data, text } = readData(whole)
    const source = new DataFile(whole, data, text, warn)
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

  override refresh(): undefined {
    this.#reloadIfChanged()
    if (this.unusable !== undefined) throw notUsable(this.unusable)
    return undefined
  }

  override async close(): Promise<void> {
    await super.close()
    await this.commits.idle()
  }

  async #save(): Promise<void> {
    const { state } = this
    this.refresh()
    // A reload has discarded the changes before it: they must not be reported as saved.
    if (this.state !== state) throw conflict(this.name)
    try {
      const text = this.textToSave()
      await this.#file.replace(text, () => this.hasSaved(text))
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

  /** Reloads a file that others have changed. While it cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    try {
      this.takeOver(this.#file.read())
    } catch (error) {
      this.reportUnusable(notReadable(error, this.name))
    }
  }
}
