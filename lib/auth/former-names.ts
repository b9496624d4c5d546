import type { PersonFields, User } from './person-fields'

/** How many names of somebody are remembered. */
const MOST_NAMES = 20

/**
 * The names that people had before a change that this server has made: a token of before is still theirs. A record that
 * was removed, and another that got its id, have nothing to do with each other.
 */
export class FormerNames {
  readonly #former = new WeakMap<object, readonly string[]>()
  readonly #fields: PersonFields

  constructor(fields: PersonFields) {
    this.#fields = fields
  }

  /** Takes note that a change has put a record in the place of another. */
  sawReplaced(record: User, replacement: User): void {
    const now = this.#fields.personNames(replacement)
    const before = this.#fields.personNames(record)
    const former = [...this.of(record), ...before].filter((text) => !now.includes(text))
    if (former.length > 0) this.#former.set(replacement, former.slice(-MOST_NAMES))
  }

  /** The names that the person of a record had, and has no more. */
  of(record: object): readonly string[] {
    return this.#former.get(record) ?? []
  }
}
