import path from 'node:path'
import { HttpError } from '../errors'
import { watchFile } from '../watch-file'
import { conflict, notSaved, RETRY_SOON, toDataError, whyNotWritten } from './data-faults'
import { DataSource } from './data-source'
import { DataText } from './data-text'
import { GuardedFile } from './file/guarded-file'
import { groupCommit } from './group-commit'
import { parseData, readData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

/**
 * The data file: read at the start, changed in memory, and replaced as a whole by each group of changes. Changes that
 * others make to the file are never overwritten: they are reloaded, and changes at the same time are refused.
 */
export class DataFile extends DataSource {
  override readonly files: readonly string[]
  readonly #name: string
  readonly #file: GuardedFile
  readonly #commits = groupCommit({ write: () => this.#save(), rollBack: () => this.#rollBack() })
  /** Why the file as it is now cannot be served; the state is then the last good one. */
  #fault: DataError | undefined
  /** The last good text, for a rollback. */
  #saved: Buffer[]
  readonly #text = new DataText()

  /**
   * @param file path of a JSON file
   * @throws DataError when it is missing, not JSON (with line and column) or cannot be served
   */
  constructor(file: string) {
    const guarded = new GuardedFile(file)
    const { data, text } = readData(guarded)
    super(data, false)
    this.files = [file]
    this.#name = path.basename(file)
    this.#file = guarded
    this.#saved = [text]
    this.#prepare()
    this.#text.prepare(data, text)
    const watcher = watchFile(file, () => this.#reloadIfChanged())
    this.once('close', () => watcher.close())
  }

  protected override store(): Promise<void> {
    return this.#commits.commit()
  }

  override replace(data: Data): void {
    this.refresh()
    super.replace(data)
  }

  protected override setState(state: Data, event: 'reload' | 'rollback'): void {
    super.setState(state, event)
    this.#text.prepare(state, this.#saved[0])
  }

  override refresh(): void {
    this.#reloadIfChanged()
    if (this.#fault !== undefined)
      throw new HttpError(503, `Nothing can be saved at the moment: ${this.#fault.message}`, RETRY_SOON)
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#commits.idle()
  }

  /** A file that cannot be replaced can still be read. */
  #prepare(): void {
    try {
      if (this.#file.prepare()) return
      console.warn(
        `Warning: No hard link to ${this.#name} can be made: an editor that saves it in the same instant as the server may lose its text.`,
      )
    } catch (error) {
      console.warn(`Warning: No change can be saved, because ${whyNotWritten(error, this.#name)}.`)
    }
  }

  async #save(): Promise<void> {
    const { state } = this
    this.refresh()
    // A reload has discarded the changes before it: they must not be reported as saved.
    if (this.state !== state) throw conflict(this.#name)
    try {
      // Other code may have changed shared data in any way: it is checked, and none of its text is cached.
      const text = this.isShared
        ? new DataText().serialise(validData(state, this.#name))
        : this.#text.serialise(state)
      await this.#file.replace(text, () => {
        this.#saved = text
        this.#fault = undefined
      })
    } catch (error) {
      this.#reloadIfChanged()
      const failure = notSaved(error, this.#name)
      if (failure.status === 500) console.error(`Cannot write ${this.#file.path}:`, error)
      throw failure
    }
  }

  #rollBack(): void {
    const text = Buffer.concat(this.#saved)
    this.#saved = [text]
    this.setState(parseData(text, this.#name), 'rollback')
  }

  /** While the file cannot be read or served, the last good data stays. */
  #reloadIfChanged(): void {
    if (!this.#file.changedElsewhere) return
    try {
      const { data, text } = readData(this.#file, this.#name)
      if (this.#fault === undefined && text.equals(Buffer.concat(this.#saved))) return
      // An editor may empty the file for a moment while it saves: that must not discard all data.
      if (text.toString().trim() === '')
        throw new DataError(
          `${this.#name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`,
        )
      this.#saved = [text]
      this.#fault = undefined
      this.#commits.abort(conflict(this.#name))
      this.setState(data, 'reload')
    } catch (error) {
      const fault = toDataError(error, this.#name)
      if (fault.message !== this.#fault?.message) this.emit('fault', fault)
      this.#fault = fault
    }
  }
}
