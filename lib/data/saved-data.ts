import { constants } from 'node:buffer'
import { getHeapStatistics } from 'node:v8'
import { errorMessage } from '../error-code'
import type { Warn } from '../warn'
import { DataSource, reportUnusable } from './data-source'
import { DataText } from './data-text'
import { lengthOf } from './file/create-file'
import { conflict, FileError } from './file/file-errors'
import type { groupCommit } from './group-commit'
import { parseData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

/** Data that is kept elsewhere as one text, which others may change, too: in a file, or in a store. */
export abstract class SavedData extends DataSource {
  /** Names the place at the start of an error's sentence. */
  protected readonly name: string
  protected readonly warn: Warn
  /** How changes are written, and by `rollBack` taken back. */
  protected abstract readonly commits: ReturnType<typeof groupCommit>
  readonly #dataText = new DataText()
  /** The last good text, in pieces. */
  #saved: readonly Buffer[]
  /** The state as it was parsed; `replace`, and code that sets another state, leave it behind. */
  #parsed: Data
  /** Why the text as it is now cannot be served; the state is then the last good one. */
  #unusable: DataError | undefined

  constructor(data: Data, text: Buffer | string, { name, warn }: { name: string; warn: Warn }) {
    super(data)
    this.#parsed = data
    this.#saved = [bytesOf(text)]
    this.name = name
    this.warn = warn
  }

  override serialise(): Buffer[] {
    // Shared data changes unnoticed: none of its text is cached.
    return this.isShared ? super.serialise() : this.#dataText.serialise(this.state)
  }

  override loaded(): () => Data {
    if (this.state !== this.#parsed) return super.loaded()
    const text = this.#saved
    return () => parseData(Buffer.concat(text), this.name)
  }

  protected override store(): Promise<void> {
    return this.commits.commit()
  }

  protected get unusable(): DataError | undefined {
    return this.#unusable
  }

  /**
   * The text of the state, in pieces.
   *
   * @throws DataError when other code has changed shared data so that json-server could not serve it
   * @throws FileError when it is too large to be read again
   */
  protected textToSave(): Buffer[] {
    if (this.isShared) validData(this.state, this.name)
    const text = this.serialise()
    const length = lengthOf(text)
    if (length > largestText() && length > lengthOf(this.#saved)) throw new FileError('TOO_LARGE')
    return text
  }

  /** Called when the text of the state was written. */
  protected hasSaved(text: readonly Buffer[]): void {
    this.#saved = text
    this.reportUsable()
  }

  /**
   * Takes over the text as it is now. Changes that wait for their write stay if it is the one that was read or
   * written last, and are refused otherwise.
   *
   * @throws DataError when json-server could not serve it; the last good data stays
   */
  protected takeOver(text: Buffer | string): void {
    const bytes = bytesOf(text)
    if (bytes.equals(Buffer.concat(this.#saved))) {
      this.reportUsable()
      return
    }
    const data = parseData(text, this.name)
    // Data without a brace is an empty text. An editor may empty the file for a moment while it saves: that
    // must not discard all data.
    if (!text.includes('{'))
      throw new DataError(
        `${this.name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`,
      )
    this.#saved = [bytes]
    this.#unusable = undefined
    this.commits.abort(conflict(this.name))
    this.#parsed = data
    this.reload(data)
  }

  /** Goes back to the last good text. */
  protected rollBack(): void {
    const text = Buffer.concat(this.#saved)
    this.#saved = [text]
    this.#parsed = parseData(text, this.name)
    this.setState(this.#parsed)
  }

  protected reportUsable(): void {
    if (this.#unusable === undefined) return
    this.#unusable = undefined
    this.#tell(() => this.emit('usable'))
  }

  protected reportUnusable(error: DataError): void {
    const isNew = error.message !== this.#unusable?.message
    this.#unusable = error
    if (isNew) this.#tell(() => reportUnusable(this, error, this.warn))
  }

  protected override reload(state: Data): void {
    this.#tell(() => super.reload(state))
  }

  /** What a listener throws is no failure of the change or the turn in which it is called. */
  #tell(callListeners: () => void): void {
    try {
      callListeners()
    } catch (error) {
      this.warn(`A listener to an event of ${this.name} has failed: ${errorMessage(error)}.`, error)
    }
  }
}

/** The text that is kept for a rollback: outside of the heap. */
function bytesOf(text: Buffer | string): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text
}

/**
 * How long a text can become, in bytes. The next start holds the text more than once, beside the heap. Data
 * that fits into the heap has a longer text only where it is nested deep: its lines are then mostly spaces.
 */
function largestText(): number {
  return Math.min(constants.MAX_STRING_LENGTH, getHeapStatistics().heap_size_limit / 2)
}
