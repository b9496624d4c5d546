import { fieldOf, type PersonFields, type User } from './person-fields'

/**
 * What tells somebody from others: the names that decide who is meant, the email of the specified login among them, or
 * else a name that people share.
 */
export function personNames(record: User, fields: PersonFields): string[] {
  const names = fields.namesOf(record)
  const email = fieldOf(record, 'email')
  const deciding = fields.decidingOf(names).map(({ text }) => text)
  if (email !== '') deciding.push(email)
  return deciding.length > 0 ? deciding : names.map(({ text }) => text)
}

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
    const now = personNames(replacement, this.#fields)
    const before = personNames(record, this.#fields)
    const former = [...this.of(record), ...before].filter((text) => !now.includes(text))
    if (former.length > 0) this.#former.set(replacement, former.slice(-MOST_NAMES))
  }

  /** The names that the person of a record had, and has no more. */
  of(record: object): readonly string[] {
    return this.#former.get(record) ?? []
  }
}
