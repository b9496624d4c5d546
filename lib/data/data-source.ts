import { EventEmitter } from 'node:events'
import { copyOf } from './copy-of'
import { type Data, type DataError, validData } from './valid-data'

/** What the command line tells a person. Everybody else compares `loaded` with what it was. */
interface DataEvents {
  /** The data is what the source holds now: somebody else changed that, or it was `unusable` before. */
  reload: []
  /** The source cannot be served as it is now: the last good data stays. */
  unusable: [DataError]
}

/**
 * Where the data lives. A state is a value: a request makes a new one, with new arrays and objects in the place of
 * those that it changes, and the old one stays as it was.
 */
export abstract class DataSource extends EventEmitter<DataEvents> {
  #state: Data
  #loaded: Data
  #isShared = false

  /**
   * @param data collections and singular resources, which nobody else may change from now on
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data) {
    super()
    this.#loaded = validData(data, 'The data')
    this.#state = this.#loaded
  }

  /** Paths of the files that hold the data: they are never served as static files. */
  readonly files: readonly string[] = []

  /** The data as it is now. */
  get state(): Data {
    return this.#state
  }

  /**
   * The data as it was last read or replaced, whatever requests have made of it since. Whoever makes something of
   * it, such as a document, makes it again when this is another object.
   */
  get loaded(): Data {
    return this.#loaded
  }

  /** Whether other code may change the state by hand: nothing that is made of it may then be remembered. */
  get isShared(): boolean {
    return this.#isShared
  }

  /** Called before the state is given to code that may change it by hand. From then on, it is a copy. */
  share(): void {
    if (!this.#isShared) this.#state = copyOf(this.#state)
    this.#isShared = true
  }

  /**
   * Called before a change: takes over what others have changed.
   *
   * @returns nothing, or a promise where others must be waited for: the change is then made in the tick in which it
   *   resolves
   * @throws HttpError 503 while nothing can be saved, or rejects with it
   */
  refresh(): void | Promise<void> {}

  /**
   * Makes a state the data. It is visible at once, and durable when the promise resolves. When it rejects, the data
   * is as it was before. A source that saves overrides this, and calls `setState`.
   */
  async commit(state: Data): Promise<void> {
    this.setState(state)
  }

  /** Makes a state the data, and saves nothing: for code that saves in its own way. */
  show(state: Data): void {
    this.setState(state)
  }

  /**
   * Replaces all data, for instance between two tests, with a copy of what is given; `commit` makes it durable.
   *
   * @throws DataError when json-server could not serve it
   */
  replace(data: Data): void {
    const copy = copyOf(validData(data, 'The data'))
    // Code that changes the state by hand goes on with the object that it has given, as in json-server.
    this.setState(this.#isShared ? data : copy, copy)
  }

  /** Waits for the writes under way and releases the source. */
  async close(): Promise<void> {}

  /** Takes newly read data, which nobody else has, and says so. */
  protected reload(data: Data): void {
    this.setLoaded(data)
    this.emit('reload')
  }

  /** Takes newly read data, which nobody else has. */
  protected setLoaded(data: Data): void {
    this.setState(this.#isShared ? copyOf(data) : data, data)
  }

  /** Sets the data as it is now, and as it was loaded. Default: what was loaded stays. */
  protected setState(state: Data, loaded = this.#loaded): void {
    this.#state = state
    this.#loaded = loaded
  }
}

/** Data that lives in memory and never touches a file. */
export class MemoryData extends DataSource {
  /**
   * @param data is copied: what its owner changes by hand afterwards is not seen, and requests do not change it
   * @param options `isOwn`: whether nobody else will change it, so that it need not be copied. Default: false.
   * @throws DataError when json-server could not serve it
   */
  constructor(data: Data, { isOwn = false }: { isOwn?: boolean } = {}) {
    super(isOwn ? data : copyOf(validData(data, 'The data')))
  }
}
