import { type Field, fieldOf, fieldsOf, PERSON_NAMES, personNames, type User } from '../../auth/user-fields'
import { oneWord } from '../../http/log/secret-names'
import { isRecord } from '../../is-record'
import { codesIn, identitiesIn, passwordsIn } from './fields'
import { comparePassword, passwordsOf } from './password-hashes'

/** Who a body is, or why it is nobody: a clause for the log, which holds no value that was sent. */
type Identified =
  | { readonly user: User; readonly reason?: undefined }
  | { readonly user?: undefined; readonly reason: string }

/**
 * Finds the one user whom the body of a login means and whose password it has. People can share a role or a
 * password, so neither says who somebody is: a user must agree in every identity of the body that it has.
 *
 * @param body of any type
 * @param groups users of any type each; a later group is asked if nobody in those before is the one
 */
export async function identify(body: object, groups: readonly (readonly unknown[])[]): Promise<Identified> {
  const fields = fieldsOf(body)
  if (passwordsIn(fields).length === 0) return { reason: 'the body has no password' }
  const reasons: string[] = []
  for (const users of groups) {
    const { meant, by } = usersMeant(identitiesIn(fields), users.filter(isRecord))
    const found: User[] = []
    for (const user of meant) if (await hasPasswords(user, fields)) found.push(user)
    const [user, other] = found
    if (user !== undefined && other === undefined) return { user }
    if (other !== undefined) reasons.unshift(`${found.length} users agree in all that the body has${by}`)
    else if (meant.length > 0)
      reasons.unshift(`the password is not that of the user whom the body names${by}`)
    else reasons.push(`no user is the one that the body names${by}`)
  }
  return { reason: String(reasons[0]) }
}

/** The users whom a body may mean, and how they are found, for the log. */
interface Meant {
  readonly meant: readonly User[]
  /** Names fields of users, never one that only the body has: that may be a password. */
  readonly by: string
}

function usersMeant(sent: readonly Field[], users: readonly User[]): Meant {
  const names = fieldNames(users)
  const had = sent.filter(([name]) => names.has(name))
  const identities = bestIdentities(had, users)
  const by = identities.length === 0 ? '' : ` by ${identities.map(([name]) => `"${name}"`).join(' and ')}`
  const agreeing = users.filter((user) => agrees(user, identities))
  if (agreeing.length > 0) return { meant: agreeing, by }
  // An application may send an email as the username, or in a field of its own.
  const texts = new Set(sent.map(([, text]) => text))
  const isNamed = (user: User) => {
    const names = PERSON_NAMES.map((name) => fieldOf(user, name))
    if (identities.length === 0) return names.some((name) => texts.has(name))
    return identities.every(([, text]) => names.includes(text))
  }
  return { meant: users.filter(isNamed), by }
}

/** The fields that say best who somebody is: unique names, else the name, else what no two of the users share. */
export function bestIdentities(fields: readonly Field[], users: readonly User[]): readonly Field[] {
  const names = personNames(fields)
  return names.length > 0 ? names : fields.filter(([name]) => !areShared(users, name))
}

/**
 * The names of all fields that somebody has: a stranger may send a thousand others. For 100,000 users, this takes 20 ms,
 * and 185 with `flatMap`.
 */
function fieldNames(users: readonly User[]): Set<string> {
  const names = new Set<string>()
  for (const user of users)
    for (const name of Object.keys(user)) if (fieldOf(user, name) !== '') names.add(name)
  return names
}

/** Whether two users have the same value of a field. */
function areShared(users: readonly User[], name: string): boolean {
  const texts = users.map((user) => fieldOf(user, name)).filter((text) => text !== '')
  return new Set(texts).size < texts.length
}

/** Whether a user has at least one of the identities, and the same value of each that it has. */
export function agrees(user: User, identities: readonly Field[]): boolean {
  const had = identities.filter(([name]) => fieldOf(user, name) !== '')
  return had.length > 0 && had.every(([name, text]) => fieldOf(user, name) === text)
}

/**
 * Whether each password is that of the user's field of the same name, or else of the only such field, and each code next
 * to one that of the field of its name, where the user has it.
 */
async function hasPasswords(user: User, fields: readonly Field[]): Promise<boolean> {
  const own = passwordsOf(user)
  const only = own.length === 1 ? own[0]?.[1] : undefined
  const sent = passwordsIn(fields)
  for (const [name, given] of sent) {
    // A plain `code` may also be that of a country: it must be the user's only password.
    const stored = (oneWord(name) !== 'code' && fieldOf(user, name)) || only
    if (stored === undefined || !(await comparePassword(given, stored))) return false
  }
  const nextToPassword = codesIn(fields).filter((code) => !sent.includes(code))
  return nextToPassword.every(([name, text]) => ['', text].includes(fieldOf(user, name)))
}
