import type { HttpError } from '../errors'
import type { Warn } from '../warn'
import { DataSource } from './data-source'
import { type Chunks, textOf } from './data-text'
import { groupCommit } from './group-commit'
import { parseData, parseReplacement } from './parse-data'
import { type Data, type DataError, validData } from './valid-data'

/** What is saved, as far as it is known. */
export interface Saved {
  /** In pieces. */
  text: readonly Buffer[]
  state: Data
  loaded: Data
}

export interface SavedDataOptions {
  /** What was read. */
  text: Buffer
  /** Names the place in a sentence. */
  name: string
  /** Told what a person should know while nobody listens to `unusable`. */
  warn: Warn
}

/** Data that is one text in another place, which others may change as well. */
export abstract class SavedData extends DataSource {
  protected readonly name: string
  protected readonly warn: Warn
  protected readonly changes = groupCommit({ write: () => this.write(), rollBack: () => this.#rollBack() })
  protected saved: Saved
  readonly #chunks: Chunks = new WeakMap()
  #problem: DataError | undefined

  /** @throws DataError as DataSource does */
  protected constructor(data: Data, { text, name, warn }: SavedDataOptions) {
    super(data)
    this.saved = { text: [text], state: data, loaded: data }
    this.name = name
    this.warn = warn
  }

  /** Makes a state the data, and resolves when it is saved, also after a power failure. */
  override commit(state: Data): Promise<void> {
    this.setState(state)
    return this.changes.commit()
  }

  /** Saves the state as it is when this is called, as the `write` of a group commit, and sets `saved`. */
  protected abstract write(): Promise<void>

  /** What was reported last; the state is then the last good one. */
  protected get problem(): DataError | undefined {
    return this.#problem
  }

  /**
   * The text of the state, in pieces.
   *
   * @throws DataError when other code has changed the state so that json-server could not serve it
   */
  protected textToSave(): Buffer[] {
    return textOf(validData(this.state, this.name), this.isShared ? undefined : this.#chunks)
  }

  /**
   * Takes over the text that others have saved, and refuses the changes that no write holds yet.
   *
   * @throws DataError when json-server could not serve it; the data is then as it was
   */
  protected takeOver(text: Buffer, refusal: HttpError): void {
    const data = parseReplacement(text, this.name)
    this.saved = { text: [text], state: data, loaded: data }
    this.changes.abort(refusal)
    this.setLoaded(data)
  }

  /** Says what is wrong, or that nothing is any more, when that has changed. */
  protected report(problem: DataError | undefined): void {
    if (problem?.message === this.#problem?.message) return
    this.#problem = problem
    if (problem === undefined) this.emit('reload')
    else if (!this.emit('unusable', problem)) this.warn(problem.message)
  }

  /** Goes back to what is saved. */
  #rollBack(): void {
    const { text, state, loaded } = this.saved
    // Other code may have changed the saved state by hand since.
    this.setState(this.isShared ? parseData(Buffer.concat(text), this.name) : state, loaded)
  }
}
