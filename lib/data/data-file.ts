import path from 'node:path'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { WATCH_INTERVAL } from '../files/watch-file'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import { DataText } from './data-text'
import { conflict, notReadable, notSaved } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { groupCommit } from './group-commit'
import { parseData, readData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

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
  override readonly files: readonly string[]
  readonly #name: string
  readonly #file: WholeFile
  readonly #warn: Warn
  readonly #commits = groupCommit({ write: () => this.#save(), rollBack: () => this.#rollBack() })
  /** Why the file as it is now cannot be served; the state is then the last good one. */
  #unusable: DataError | undefined
  /** The last good text, for a rollback. */
  #saved: Buffer[]
  #canSave = true
  readonly #text = new DataText()

  /** Takes what `open` has read, and reads nothing itself. */
  private constructor(file: WholeFile, data: Data, text: Buffer, warn: Warn) {
    super(data)
    this.files = [file.path]
    this.#name = path.basename(file.path)
    this.#file = file
    this.#saved = [text]
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

  protected override store(): Promise<void> {
    return this.#commits.commit()
  }

  override serialise(): Buffer[] {
    // Shared data changes unnoticed: none of its text is cached.
    return this.isShared ? super.serialise() : this.#text.serialise(this.state)
  }

  override refresh(): undefined {
    this.#reloadIfChanged()
    if (this.#unusable !== undefined)
      throw new HttpError({
        status: 503,
        message: `Nothing can be saved at the moment: ${this.#unusable.message}`,
        headers: RETRY_SOON,
      })
    return undefined
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#commits.idle()
  }

  async #save(): Promise<void> {
    const { state } = this
    this.refresh()
    // A reload has discarded the changes before it: they must not be reported as saved.
    if (this.state !== state) throw conflict(this.#name)
    try {
      // Other code may have changed shared data in any way.
      if (this.isShared) validData(state, this.#name)
      const text = this.serialise()
      await this.#file.replace(text, () => {
        this.#saved = text
        this.#unusable = undefined
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

  #rollBack(): void {
    const text = Buffer.concat(this.#saved)
    this.#saved = [text]
    this.setState(parseData(text, this.#name), 'rollback')
  }

  /** Called when the file holds the text of the state again. Changes that wait for their write stay. */
  #serveAsBefore(): void {
    if (this.#unusable === undefined) return
    this.#unusable = undefined
    this.emit('usable')
  }

  /** Reloads a file that others have changed. While it cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    try {
      const text = this.#file.read()
      if (text.equals(Buffer.concat(this.#saved))) {
        this.#serveAsBefore()
        return
      }
      const data = parseData(text, this.#name)
      // Data without a brace is an empty text. An editor may empty the file for a moment while it saves: that
      // must not discard all data.
      if (!text.includes('{'))
        throw new DataError(
          `${this.#name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`,
        )
      this.#saved = [text]
      this.#unusable = undefined
      this.#commits.abort(conflict(this.#name))
      this.setState(data, 'reload')
    } catch (error) {
      const unusable = notReadable(error, this.#name)
      const isNew = unusable.message !== this.#unusable?.message
      this.#unusable = unusable
      // A warning says it where nobody listens to the event.
      if (isNew && !this.emit('unusable', unusable)) this.#warn(unusable.message)
    }
  }
}
