import { EventEmitter } from 'node:events'
import type { Warn } from '../warn'
import { DataText } from './data-text'
import { type Data, type DataError, validData } from './valid-data'

interface DataEvents {
  /** The data was replaced: somebody else changed the file, or a test reset it. */
  reload: []
  /** The state is about to be given to code that may change its records in place. */
  share: []
  /**
   * The file, what a function returns, or the text of a store cannot be served as it is now, or the store
   * cannot be reached. The last good data stays until somebody mends it. The error's message is one sentence
   * for that person.
   */
  unusable: [DataError]
  /** After `unusable`: what is saved can be served again, and is the data as it is. */
  usable: []
  /** The source is no longer used. */
  close: []
}

/**
 * Where the data lives. A request changes the state in place (`lib/json-server/transaction.ts`) after
 * `refresh`; `save` makes its change durable.
 */
export abstract class DataSource extends EventEmitter<DataEvents> {
  #state: Data
  #revision = 0
  #isShared = false

  /** @param state collections and singular resources; it is changed in place */
  constructor(state: Data) {
    super()
    this.#state = state
  }

  /** Whether somebody else may change the state at any time, in place and unnoticed. */
  get isShared(): boolean {
    return this.#isShared
  }

  /**
   * Called when the state is given to code that may change it in place: nothing about it is cached from then
   * on. At 100,000 records, a sorted page then takes 80 ms instead of 14, and a record 12 ms instead of 2.
   */
  share(): void {
    if (!this.#isShared) this.emit('share')
    this.#isShared = true
  }

  /** The data as it is now: another object after `reload`, and where a change could not be saved. */
  get state(): Data {
    return this.#state
  }

  /** The state as the text of a data file, in pieces. */
  serialise(): Buffer[] {
    return new DataText().serialise(this.state)
  }

  /**
   * The data as it is saved now, which later changes do not reach. Sandboxes take it when it was loaded.
   *
   * @returns makes such data again, as often as it is called: what needs it may never come
   */
  loaded(): () => Data {
    // Other code may change the state in place.
    const text = JSON.stringify(this.state)
    return () => JSON.parse(text)
  }

  /** Grows with every change of a state that is not shared. */
  get revision(): number {
    return this.#revision
  }

  /** Paths of the files that hold the data: they are never served as static files. */
  readonly files: readonly string[] = []

  /**
   * Resolves when the state as it is now is durable. It is for code that has changed the state by itself, in
   * whatever way, and may do so again: the state is shared from then on.
   */
  commit(): Promise<void> {
    this.share()
    return this.save()
  }

  /** What `commit` does after a change by a request, which replaces the records that it changes. */
  save(): Promise<void> {
    this.#revision += 1
    return this.store()
  }

  /** What `save` does where data lives elsewhere than in memory. */
  protected async store(): Promise<void> {}

  /**
   * Replaces all data, for instance between two tests; `commit` makes that durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    this.reload(validData(data, 'The data'))
  }

  /** Sets data that is not that of before, and says so. */
  protected reload(state: Data): void {
    this.setState(state)
    this.emit('reload')
  }

  /** Sets the data, and says nothing: it may be that of before. */
  protected setState(state: Data): void {
    this.#state = state
    this.#revision += 1
  }

  /**
   * Called before a change: reloads what others have changed.
   *
   * @returns undefined, or a promise where others can be waited for: a change is then made at once when it
   *   resolves
   * @throws HttpError 503 while nothing can be saved, or rejects with it
   */
  refresh(): Promise<void> | undefined {
    return undefined
  }

  /**
   * Waits for the writes under way and releases the source.
   *
   * @param _patience milliseconds that a store has to end them. Default: as long as a change waits for one.
   */
  async close(_patience?: number): Promise<void> {
    this.emit('close')
  }
}

/** Says that what a source holds cannot be served: by a warning where nobody listens to the event. */
export function reportUnusable(data: DataSource, error: DataError, warn: Warn): void {
  const cause = error.cause === undefined ? [] : [error.cause]
  if (!data.emit('unusable', error)) warn(error.message, ...cause)
}

/** Data that lives in memory and never touches a file. */
export class MemoryData extends DataSource {
  /**
   * @param data collections and singular resources; it is changed in place
   * @param options `isShared`: whether somebody else may change the data in place, too. False makes large
   *   data faster. Default: true.
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, { isShared = true }: { isShared?: boolean } = {}) {
    super(validData(data, 'The data'))
    if (isShared) this.share()
  }
}
