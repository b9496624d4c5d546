import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../is-record'
import { valueAt } from '../value-at'
import type { Claims } from './access-token'
import { type Credentials, isCredentials } from './credentials'
import { nameHash, namesHash } from './name-hashes'
import { type FieldPath, fieldOf, type PersonFields, type User } from './person-fields'
import type { PersonHistory } from './person-history'

/** Who may log in, and whom a token may name. */
export interface KnownUsers {
  /** The stored users, for the specified login. */
  users: readonly unknown[]
  /**
   * Those for the logins of the application, the same array where they are the same; undefined where the data has no such
   * collection.
   */
  loginUsers: readonly unknown[] | undefined
  /** Logins beside the stored users, as records: {@link loginUser}. */
  logins: readonly User[]
  /** The name of the id. */
  idProperty: string
  /** Finds the first of some users who has an id, as text: the last of 100,000 takes no longer than the first. */
  findById: (people: readonly unknown[], id: string) => User | undefined
  /** Which of their fields say who they are. */
  fields: PersonFields
  /** What has become of them since tokens were made. */
  history: PersonHistory
  /** Which records may log in, as the key `login-if` says it. */
  loginConditions: readonly LoginCondition[]
}

/** A value that a record must have which logs in; a missing one is null. */
export interface LoginCondition {
  readonly path: FieldPath
  readonly value: unknown
}

/** Whether a record meets all conditions of `login-if`. */
export function isLetIn(user: User, conditions: readonly LoginCondition[]): boolean {
  return conditions.every(({ path, value }) => isDeepStrictEqual(valueAt(user, path) ?? null, value))
}

/** Why somebody is refused who may not log in, as a clause. */
export const NOT_LET_IN = 'the user may not log in: the key login-if says who may'

/** Whether somebody may log in at all. A login beside the stored users always may. */
export function mayLogIn(user: User, { logins, loginConditions }: KnownUsers): boolean {
  return logins.includes(user) || isLetIn(user, loginConditions)
}

/** A login of `--user` as a record: its name may be sent as any of these, or as the application calls it. */
export function loginUser({ email, password }: Credentials, fields: PersonFields): Credentials & User {
  return { ...fields.sentBy(email, password), email, username: email, name: email, password }
}

/** What the token of a program says, which is no user, whatever its `sub` is. */
export const NO_USER = { gty: 'client-credentials' }

/**
 * What a token says of a user in `sub`: the id, which is empty for a record without one.
 *
 * @returns undefined for a login beside the stored users, which has nothing that could be an id
 */
export function subjectOf(user: User, { logins, idProperty }: KnownUsers): string | undefined {
  return logins.includes(user) ? undefined : fieldOf(user, idProperty)
}

/** Whether a token is of the specified login, which alone says the password, and knows the stored users alone. */
export function isOfSpecifiedLogin({ password }: Claims): boolean {
  return password !== undefined
}

/** Those among whom the user of a token is, unless it is a login beside them. */
function peopleOf(claims: Claims, { users, loginUsers = [] }: KnownUsers): readonly unknown[] {
  return isOfSpecifiedLogin(claims) ? users : loginUsers
}

/** Whether the user of a token is one of those for the logins of the application. */
export function isOfLoginUsers(claims: Claims, known: KnownUsers): boolean {
  return peopleOf(claims, known) === known.loginUsers
}

/**
 * The user for whom a token was made, as it is now: the record that its `sub` names, and where that is empty, the record
 * without an id that has its names; without one, the record with its email and password, else the login that is not in the
 * data, else the only record with its email, whose password was changed after the login.
 *
 * @returns undefined where there is none any more
 */
export function userOfToken(claims: Claims, known: KnownUsers): User | undefined {
  const { gty, sub } = claims
  if (gty === NO_USER.gty) return undefined
  if (sub === undefined) return userWithoutSubject(claims, known)
  const people = peopleOf(claims, known)
  if (sub === '') return userWithoutId(claims, people, known)
  const user = known.findById(people, sub)
  const isFound = user !== undefined && fieldOf(user, known.idProperty) === sub && isSame(user, claims, known)
  return isFound ? user : undefined
}

function userWithoutId(
  { names_hash: hashes }: Claims,
  people: readonly unknown[],
  { fields, idProperty }: KnownUsers,
): User | undefined {
  if (hashes === undefined) return undefined
  const [user, other] = people
    .filter(isRecord)
    .filter((one) => fieldOf(one, idProperty) === '' && namesHash(one, fields) === hashes)
  return other === undefined ? user : undefined
}

function userWithoutSubject(
  claims: Claims,
  { users, logins, fields, history }: KnownUsers,
): User | undefined {
  const { email, password, names_hash: hashes } = claims
  const hasEmail = (user: User) => user.email === email
  if (!isOfSpecifiedLogin(claims))
    return logins.find((login) =>
      hashes === undefined ? hasEmail(login) : namesHash(login, fields) === hashes,
    )
  const stored = users
    .filter(isCredentials)
    .filter((user) => hasEmail(user) && !history.wasAddedAfter(user, claims.iat))
  return (
    stored.find((user) => user.password === password) ??
    logins.find((login) => hasEmail(login) && login.password === password) ??
    (stored.length === 1 ? stored[0] : undefined)
  )
}

/** The user of a token with which a session goes on, or why it does not, as a clause. */
export function userWhoGoesOn(
  claims: Claims,
  known: KnownUsers,
): { user: User; reason?: undefined } | { user?: undefined; reason: string } {
  const user = userOfToken(claims, known)
  if (user === undefined) return { reason: 'the user is gone' }
  return mayLogIn(user, known) ? { user } : { reason: NOT_LET_IN }
}

/**
 * Whose records a request is for: those of somebody with the id of the user's own record, all of them, or, where it is
 * undefined, those of nobody.
 */
export type RecordOwner = { readonly id: string | number } | 'all' | undefined

/** What nobody is called where people are told apart by texts: one who is nobody does not see what another has sent. */
export const NOBODY = String(undefined)

/** Whether a value can be the id of somebody who owns records. */
export function isOwnerId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/**
 * Whose records a token leads to. A login beside the stored users has no record, and none can be its own: whoever starts
 * the server has given it, and it sees all.
 *
 * @returns undefined where the user is not there any more, or is none of those who own records
 */
export function ownerOfToken(claims: Claims, known: KnownUsers): RecordOwner {
  const { logins, idProperty } = known
  const user = userOfToken(claims, known)
  if (user === undefined) return undefined
  if (logins.includes(user)) return 'all'
  const id = isOfLoginUsers(claims, known) ? user[idProperty] : undefined
  return isOwnerId(id) ? { id } : undefined
}

/**
 * An id that was given to another user since is not the same user: it was added after the token was made, or none of the names
 * in the token is one of its own, and was none before this server has changed it. Somebody without any name is known by the
 * id alone.
 */
function isSame(user: User, claims: Claims, { fields, history }: KnownUsers): boolean {
  if (history.wasAddedAfter(user, claims.iat)) return false
  const own = fields.personNames(user)
  if (own.length === 0) return true
  const { names_hash: hashes } = claims
  // The specified login, and another program that has the secret, say the names themselves, of which one is enough.
  const isHashed = typeof hashes === 'string'
  const said = isHashed ? hashes.split(' ') : fields.personNames(claims)
  const isSaid = (name: string): boolean => said.includes(isHashed ? nameHash(name) : name)
  const names = isHashed ? own : [...own, ...fields.namesOf(user).map(({ text }) => text)]
  return names.some(isSaid) || history.formerNamesOf(user).some(isSaid)
}
