import type { IncomingMessage } from 'node:http'
import { type Field, fieldsOf, isHash, type PersonFields, type User } from '../auth/person-fields'
import { notesOf } from '../http/notes'
import { labelOf } from '../labels'
import { comparePassword } from './password-hashes'
import { type IndexOf, makeIndexes, type PeopleIndex } from './people-index'

/** Who a body is, or why it is nobody: a clause for the log, which holds no value that was sent. */
export type Identified = {
  /** The texts that were compared as a password, and that no log and no journal shows. */
  readonly passwords: readonly string[]
} & (
  | { readonly user: User; readonly reason?: undefined }
  | { readonly user?: undefined; readonly reason: string }
)

/** How many fields of a body are looked at. */
const MOST_FIELDS = 20

/** How many hashes are compared for one body: each takes 0.1 s. */
const MOST_HASHES = 3

/** The fields of a body that are looked at: its first texts and numbers. */
export function lookedAt(body: object): Field[] {
  return fieldsOf(body).slice(0, MOST_FIELDS)
}

/**
 * The fields of a body that may be the password: what it labels so, even where that is empty or, only without one, each
 * that names nobody.
 */
export function passwordsIn(body: User, named: readonly Field[], fields: PersonFields): readonly Field[] {
  const sent = lookedAt(body)
  const labelled = Object.entries(body).filter(([name]) => fields.isPassword(labelOf(name)))
  if (labelled.length === 0) return sent.filter((field) => !named.some(({ name }) => name === field.name))
  const clearest = fields.passwordFieldOf(Object.fromEntries(labelled))
  return sent.filter(({ name }) => name === clearest)
}

/** Whom the fields of a body mean, and by which of them. */
interface Meant {
  readonly meant: readonly User[]
  readonly named: readonly Field[]
}

export interface IdentifyOptions {
  /** Whether a user without any password has whatever the body labels so. */
  anyPassword?: boolean
  /** Gives the index of some people. Default: one that is made for each collection of them. */
  indexOf?: IndexOf
}

/**
 * @param groups records each; a later group is asked where nobody in those before is the one
 * @param request that of the login, whose client may go
 */
export type Identify = (
  body: User,
  groups: readonly (readonly unknown[])[],
  request?: IncomingMessage,
) => Promise<Identified>

/**
 * Makes what finds the one user whom the body of a login means and whose password it has: two who are meant are nobody,
 * and a password that is labelled so is the only one.
 */
export function makeIdentify(
  fields: PersonFields,
  { anyPassword = false, indexOf = makeIndexes(fields) }: IdentifyOptions = {},
): Identify {
  /** Fields that are labelled as names decide; only without one, the first field that is somebody's. */
  function meantBy(sent: readonly Field[], index: PeopleIndex): Meant {
    const named = fields.decidingOf(sent)
    if (named.length > 0) return { meant: index.meantBy(named), named }
    for (const field of sent) {
      if (fields.isPassword(field.label)) continue
      const people = index.named(field.text)
      const meant = people.length > 0 ? people : [index.known(field) ?? []].flat()
      if (meant.length > 0) return { meant, named: [field] }
    }
    return { meant: [], named: [] }
  }

  return async function identify(body, groups, request) {
    const sent = lookedAt(body)
    const reasons: string[] = []
    const passwords: string[] = []
    // The log and the journal need them where the client goes before a hash is compared.
    if (request !== undefined) notesOf(request).passwords = passwords
    let hashesLeft = MOST_HASHES
    for (const people of groups) {
      const index = indexOf(people)
      const { meant, named } = meantBy(sent, index)
      const [user, other] = meant
      const given = passwordsIn(body, named, fields).map(({ text }) => text)
      passwords.push(...given)
      // A name that only the body has may be a password.
      const shown = named.filter(({ label }) => fields.isName(label) || index.hasLabel(label))
      const by = shown.length === 0 ? '' : ` by ${shown.map(({ label }) => `"${label}"`).join(' and ')}`
      if (user === undefined) reasons.push(`no user is the one that the body names${by}`)
      else if (other !== undefined)
        reasons.unshift(`${meant.length} users agree in all that the body has${by}`)
      else {
        const stored = fields.passwordOf(user)
        if (anyPassword && hasNone(user) && fields.decidingOf(named).length > 0 && given.length > 0)
          return { user, passwords }
        const compared = isHash(stored) ? given.slice(0, hashesLeft) : given
        if (isHash(stored)) hashesLeft -= compared.length
        for (const text of compared)
          if (stored !== '' && (await comparePassword(text, stored, request))) return { user, passwords }
        if (given.length === 0) reasons.unshift('the body has no password')
        else reasons.unshift(whyRefused(user, by))
      }
    }
    return { reason: String(reasons[0]), passwords }
  }

  /** Whether a user has nothing that could be a password: an empty one is one that nobody has. */
  function hasNone(user: User): boolean {
    return JSON.stringify(fields.withoutPasswords(user)) === JSON.stringify(user)
  }

  function whyRefused(user: User, by: string): string {
    return fields.passwordFieldOf(user) === undefined
      ? `the user whom the body names${by} has no password: the key login-fields can name its field, and --any-password takes any`
      : `the password is not that of the user whom the body names${by}`
  }
}
