import type { Data, DataSource } from '../data/data-source'

/** The main data as it was last loaded. It is kept as text, because the data itself is changed in place. */
export class LoadedData {
  #text: string
  #users: readonly unknown[] | undefined

  constructor(source: DataSource) {
    this.#text = JSON.stringify(source.state)
    source.on('reload', () => {
      this.#text = JSON.stringify(source.state)
      this.#users = undefined
    })
  }

  /** Data of the caller's own. */
  copy(): Data {
    return JSON.parse(this.#text)
  }

  /** The users in it. */
  get users(): readonly unknown[] {
    if (this.#users === undefined) {
      const { users } = this.copy()
      this.#users = Array.isArray(users) ? users : []
    }
    return this.#users
  }
}
