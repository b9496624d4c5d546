import { DataSource } from '../../data/data-source'
import type { Data } from '../../data/valid-data'

/**
 * The data of a sandbox, in memory. Until it is changed, it is what was loaded last of the main data, and shares that:
 * a change puts new arrays in the place of old ones.
 */
export class SandboxData extends DataSource {
  readonly #main: DataSource
  #isChanged: boolean
  #isClosed = false

  /**
   * @param main the main data
   * @param given the data of a test, in the place of what is loaded
   * @throws DataError when json-server could not serve it
   */
  constructor(main: DataSource, given?: Data) {
    super(given ?? main.loaded, { load: () => main.loaded })
    this.#main = main
    this.#isChanged = given !== undefined
  }

  /** Whether it was given, or something was stored in it. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  override commit(state: Data): Promise<void> {
    this.#isChanged = true
    return super.commit(state)
  }

  /**
   * Whoever watches it is told of what is loaded of the main data as well. A request may come to it that was under way when
   * it was forgotten.
   */
  override watch(watcher: Parameters<DataSource['watch']>[0]): () => void {
    if (this.#isClosed) {
      queueMicrotask(() => watcher.onClosed())
      return () => {}
    }
    const stop = super.watch(watcher)
    const stopFollowing = this.#main.watch({ onSaved: () => this.follow(), onClosed: () => {} })
    return () => {
      stop()
      stopFollowing()
    }
  }

  override close(): Promise<void> {
    this.#isClosed = true
    return super.close()
  }

  /** Takes over what was loaded since, unless something was changed, which code that has the state may do by hand. */
  follow(): void {
    if (!this.#isChanged && !this.isShared) this.look()
  }
}
