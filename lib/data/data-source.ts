import { EventEmitter } from 'node:events'
import { type Data, type DataError, validData } from './valid-data'

interface DataEvents {
  /** The data was replaced: somebody else changed the file, or a test reset it. */
  reload: []
  /** The file, or what a function returns, cannot be served as it is now: the last good data stays. */
  unusable: [DataError]
  /** After `unusable`: the file can be served again, and is the data as it is. */
  usable: []
  /** The source is no longer used. */
  close: []
}

/**
 * Where the data lives. A request puts a new state in the place of the old one: what is reached from a state
 * stays as it is, unless its owner changes it by hand.
 */
export abstract class DataSource extends EventEmitter<DataEvents> {
  #state: Data

  /**
   * @param state collections and singular resources
   * @throws DataError when json-server could not serve it
   */
  constructor(state: Data) {
    super()
    this.#state = validData(state, 'The data')
  }

  /** The data as it is now. */
  get state(): Data {
    return this.#state
  }

  #isShared = false

  /** Whether other code may change the state by hand: nothing is then remembered of it. */
  get isShared(): boolean {
    return this.#isShared
  }

  /** Gives the state to code that may change it by hand: a copy, because sandboxes begin with what was loaded. */
  share(): void {
    if (!this.#isShared) this.#state = structuredClone(this.#state)
    this.#isShared = true
  }

  /** Paths of the files that hold the data: they are never served as static files. */
  readonly files: readonly string[] = []

  /**
   * Called before a change: takes over what others have changed.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  refresh(): void {}

  /**
   * Takes a new state, and resolves when it is durable. If it rejects, the data is what it was before.
   *
   * @param state default: the state, which its owner has changed by hand
   */
  async commit(state?: Data): Promise<void> {
    if (state === undefined) this.#isShared = true
    else this.#state = state
  }

  /**
   * Replaces all data, for instance between two tests; `commit` makes that durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    this.#state = validData(data, 'The data')
    this.emit('reload')
  }

  /** Waits for the writes under way and releases the source. */
  async close(): Promise<void> {
    this.emit('close')
  }
}

/** Data that lives in memory and never touches a file. */
export class MemoryData extends DataSource {
  /** @param options `isShared`: whether other code may change the data by hand. Default: true. */
  constructor(data: Data, { isShared = true }: { isShared?: boolean } = {}) {
    super(data)
    if (isShared) this.commit()
  }
}
