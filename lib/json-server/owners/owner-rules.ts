import pluralize from 'pluralize'
import type { Data } from '../../data/valid-data'
import { OptionError } from '../../errors'
import { nearestName } from '../../nearest-name'

/** Which collections have records of single users: each by its name, such as `todos`, or with the field that names the user. */
interface OwnerOptions {
  /** Only its owner sees and changes a record. */
  readonly private: readonly string[]
  /** Whoever may read the collection sees all of it, and only its owner changes a record. */
  readonly owned: readonly string[]
}

/** What the rules are read beside. */
interface OwnerServer {
  readonly data: Data
  /** The collection of those who log in. */
  readonly users: string
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** Whose the records of a collection are. */
export interface OwnerRule {
  /** The field in which a record names its owner. */
  readonly field: string
  readonly isPrivate: boolean
  /** Whether the records are the users themselves: each is its own, and whoever adds one makes somebody. */
  readonly areUsers: boolean
}

/** The rules, by the names of the collections. */
export type OwnerRules = ReadonlyMap<string, OwnerRule>

/** A collection, and a field of its records. */
const FORM = /^([^.]+)(?:\.([^.]+))?$/

/**
 * Reads whose records are whose; no rules where no collection is named.
 *
 * @throws OptionError for a rule that cannot be kept, because otherwise all would be open without a word
 */
export function readOwnerRules(options: OwnerOptions, server: OwnerServer): OwnerRules {
  const rules = new Map<string, OwnerRule>()
  const { users, idProperty, foreignKeySuffix } = server
  for (const flag of ['private', 'owned'] as const) {
    for (const text of options[flag]) {
      const [, name, given] = FORM.exec(String(text)) ?? []
      if (name === undefined)
        throw new OptionError(
          `--${flag}: ${JSON.stringify(text)} must be a collection such as todos, or with a field: todos.ownerId.`,
        )
      const isPrivate = flag === 'private'
      refuseUnusable(flag, name, isPrivate, server)
      if (rules.has(name))
        throw new OptionError(`--${flag}: "${name}" is named twice: --private says more than --owned.`)
      const areUsers = name === users
      const usual = areUsers ? idProperty : `${pluralize.singular(users)}${foreignKeySuffix}`
      rules.set(name, { field: given ?? usual, isPrivate, areUsers })
    }
  }
  // Whoever changes the password of others can log in as them.
  if (rules.size > 0 && !rules.has(users))
    rules.set(users, { field: idProperty, isPrivate: false, areUsers: true })
  return rules
}

/** The fields in which records name their owners, by collection. */
export function ownerFields(rules: OwnerRules): Record<string, string> {
  const named = [...rules].filter(([, { areUsers }]) => !areUsers)
  return Object.fromEntries(named.map(([name, { field }]) => [name, field]))
}

function refuseUnusable(
  flag: string,
  name: string,
  isPrivate: boolean,
  { data, publicCollection }: OwnerServer,
): void {
  if (!Array.isArray(Object.hasOwn(data, name) ? data[name] : undefined)) {
    const lists = Object.keys(data).filter((other) => Array.isArray(data[other]))
    const nearest = nearestName(name, lists)
    const guess = nearest === undefined ? '.' : `: did you mean "${nearest}"?`
    const advice = name.includes(',') ? `: give --${flag} once for each.` : guess
    throw new OptionError(`--${flag}: the data has no list "${name}"${advice}`)
  }
  if (isPrivate && name === publicCollection)
    throw new OptionError(
      `--private: everybody reads "${name}" by --public: add --no-public, or name another.`,
    )
}
