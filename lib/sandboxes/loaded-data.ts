import type { Data, DataSource } from '../data/data-source'

/** The main data as it was last loaded. It is kept as a string, because the data itself is changed in place. */
export class LoadedData {
  #json = ''
  #users: unknown

  constructor(source: DataSource) {
    const load = (): void => {
      this.#json = JSON.stringify(source.state)
      this.#users = this.copy().users
    }
    load()
    source.on('reload', load)
  }

  /** A copy that the caller may change. */
  copy(): Data {
    return JSON.parse(this.#json)
  }

  /** The users in it. */
  get users(): readonly unknown[] {
    return Array.isArray(this.#users) ? this.#users : []
  }
}
