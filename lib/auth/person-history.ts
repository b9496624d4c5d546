import type { PersonFields, User } from './person-fields'

/** How many names of somebody are remembered. */
const MOST_NAMES = 20

/**
 * What this server has seen become of people, by their records. A record that was removed, and another that got its id, have
 * nothing to do with each other.
 */
export class PersonHistory {
  readonly #formerNames = new WeakMap<object, readonly string[]>()
  /** When records were added, in seconds since the epoch. */
  readonly #added = new WeakMap<object, number>()
  readonly #fields: PersonFields

  constructor(fields: PersonFields) {
    this.#fields = fields
  }

  /**
   * Takes note that a record was added.
   *
   * @param now seconds since the epoch, by the clock of its data
   */
  sawAdded(record: object, now: number): void {
    this.#added.set(record, now)
  }

  /** Takes note that a change has put a record in the place of another: it is the same person. */
  sawReplaced(record: User, replacement: User): void {
    const added = this.#added.get(record)
    if (added !== undefined) this.#added.set(replacement, added)
    const now = this.#fields.personNames(replacement)
    const before = this.#fields.personNames(record)
    const former = [...this.formerNamesOf(record), ...before].filter((text) => !now.includes(text))
    if (former.length > 0) this.#formerNames.set(replacement, former.slice(-MOST_NAMES))
  }

  /** The names that the person of a record had, and has no more: a token of before is still theirs. */
  formerNamesOf(record: object): readonly string[] {
    return this.#formerNames.get(record) ?? []
  }

  /**
   * Whether a record was added after a token was made, which is that of somebody else, whatever its names are.
   *
   * @param iat seconds since the epoch; undefined where the token does not say it
   */
  wasAddedAfter(record: object, iat: number | undefined): boolean {
    const added = this.#added.get(record)
    return added !== undefined && iat !== undefined && iat < added
  }
}
