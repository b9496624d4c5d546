import type { Turn } from './schedule'
import type { Data } from './valid-data'

/**
 * How data is kept outside this process. An object with `load` and `save` is enough; without `save`, changes stay in
 * memory. Neither runs while the other does, nor twice at a time.
 */
export interface DataStorage {
  /**
   * Looks whether others have changed the data.
   *
   * @param saved what was loaded or saved last
   * @returns the data that is there now; undefined where nobody has changed anything since. A resource that is gone is a
   *   DataError. Where an unchanged one is the same object as in `saved`, a change of it that waits for its write is kept.
   * @throws DataError when it cannot be served until others change it again; anything else when that is not known
   */
  load?(saved: Data): Data | undefined | Promise<Data | undefined>
  /**
   * Makes a state durable, unless others have changed the data since it was loaded or saved.
   *
   * @param state is never changed afterwards; a resource that is unchanged is the same object as in `saved`
   * @param saved what was loaded or saved last
   * @throws NotDurableError when it was saved but may not last; anything else when nothing was changed
   */
  save?(state: Data, saved: Data): Promise<void>
  /** For a source that others lock while they change it. */
  readonly turn?: Turn
  /** Called once with a function that is called whenever others may have changed the data. */
  watch?(look: () => void): void
  /**
   * Releases the source.
   *
   * @param idle resolves when no look and no write is under way
   */
  close?(idle: Promise<void>): Promise<void>
  /** Paths of the files, or of the folder with them, that hold the data. Default: none. */
  readonly files?: readonly string[]
  /** Whether changes could be saved when it was opened. Default: true. */
  readonly canSave?: boolean
}
