import { type Field, fieldOf, fieldsOf, PERSON_NAMES, textOf, UNIQUE_NAMES } from '../../auth/user-fields'
import { isRecord } from '../../is-record'
import { identitiesIn, passwordsIn } from './fields'
import { comparePassword, passwordsOf } from './password-hashes'

/** A record of somebody who may log in. */
export type User = Readonly<Record<string, unknown>>

/** Who a body is, or why it is nobody: a clause for the log, which holds no value that was sent. */
export type Identified = { readonly user: User } | { readonly reason: string }

/**
 * Finds the one user whom the body of a login means and whose password it has. People can share a role or a
 * password, so neither says who somebody is: a user must agree in every identity of the body that it has.
 *
 * @param body of any type
 * @param users of any type each
 */
export async function identify(
  body: Readonly<Record<string, unknown>>,
  users: readonly unknown[],
): Promise<Identified> {
  const fields = fieldsOf(body)
  const passwords = passwordsIn(fields)
  if (passwords.length === 0) return { reason: 'the body has no password' }
  const known = users.filter(isRecord)
  const { meant, by } = whoIsMeant(identitiesIn(fields), known)
  if (meant.length === 0) return { reason: `no user is the one that the body names${by}` }
  const found: User[] = []
  for (const user of meant) if (await hasPasswords(user, passwords)) found.push(user)
  const [user, other] = found
  if (user === undefined) return { reason: `the password is not that of the user whom the body names${by}` }
  if (other !== undefined) return { reason: `${found.length} users agree in all that the body has${by}` }
  return { user }
}

/** The users whom a body may mean, and how they are found, for the log. */
interface Meant {
  readonly meant: readonly User[]
  /** Names fields of users, never one that only the body has: that may be a password. */
  readonly by: string
}

function whoIsMeant(sent: readonly Field[], users: readonly User[]): Meant {
  const identities = identitiesAmong(sent, users)
  const by = identities.length === 0 ? '' : ` by ${identities.map(([name]) => `"${name}"`).join(' and ')}`
  const agreeing = users.filter((user) => agrees(user, identities))
  if (agreeing.length > 0) return { meant: agreeing, by }
  // An application may send an email as the username, or in a field of its own.
  const texts = new Set((identities.length > 0 ? identities : sent).map(([, text]) => text))
  const isNamed = (user: User) => {
    const found = new Set(PERSON_NAMES.map((name) => fieldOf(user, name)).filter((text) => texts.has(text)))
    return identities.length > 0 ? found.size === texts.size : found.size > 0
  }
  return { meant: users.filter(isNamed), by }
}

/** The fields of a body that are identities among these users: the best kind that there is. */
function identitiesAmong(sent: readonly Field[], users: readonly User[]): Field[] {
  // A stranger may send a thousand fields, and there may be a hundred thousand users.
  const names = fieldNames(users)
  const had = sent.filter(([name]) => names.has(name) && users.some((user) => fieldOf(user, name) !== ''))
  const kinds = [
    had.filter(([name]) => isOneOf(UNIQUE_NAMES, name)),
    had.filter(([name]) => name === 'name'),
    had.filter(([name]) => !isOneOf(PERSON_NAMES, name) && !areShared(users, name)),
  ]
  return kinds.find((kind) => kind.length > 0) ?? []
}

/** The names of all fields that somebody has. For 100,000 users, this takes 20 ms, and 185 with `flatMap`. */
function fieldNames(users: readonly User[]): Set<string> {
  const names = new Set<string>()
  for (const user of users) for (const name of Object.keys(user)) names.add(name)
  return names
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** Whether two users have the same value of a field. */
export function areShared(users: readonly User[], name: string): boolean {
  const texts = users.map((user) => fieldOf(user, name)).filter((text) => text !== '')
  return new Set(texts).size < texts.length
}

/** Whether a user has at least one of the identities, and the same value of each that it has. */
export function agrees(user: User, identities: readonly Field[]): boolean {
  const had = identities.filter(([name]) => fieldOf(user, name) !== '')
  return had.length > 0 && had.every(([name, text]) => fieldOf(user, name) === text)
}

/** Whether each password is that of the user's field of the same name, or else of the only such field. */
async function hasPasswords(user: User, sent: readonly Field[]): Promise<boolean> {
  const own = passwordsOf(user)
  for (const [name, given] of sent) {
    const same = fieldOf(user, name)
    const stored = same !== '' ? same : own.length === 1 ? textOf(own[0]?.[1]) : ''
    if (stored === '' || !(await comparePassword(given, stored))) return false
  }
  return true
}
