import { isRecord } from '../is-record'
import type { Claims } from './access-token'
import { type Credentials, isCredentials } from './credentials'
import { fieldOf, fieldsOf, personNames, type User } from './user-fields'

/** Where the user of a token may be. */
export interface KnownUsers {
  /** The stored users, for the specified login. */
  users: readonly unknown[]
  /** The records to which a token's `sub` refers; undefined where the data has no such collection. */
  loginUsers: readonly unknown[] | undefined
  /** Logins beside the stored users, as records: {@link loginUser}. */
  logins: readonly User[]
  /** The name of the id. */
  idProperty: string
}

/** A login of `--user` as a record: its name may be sent as any of these. */
export function loginUser({ email, password }: Credentials): Credentials & User {
  return { email, username: email, name: email, password }
}

/** What a token says of a user in `sub`: the id. A login beside the stored users has none that could be one. */
export function subjectOf(user: User, { logins, idProperty }: KnownUsers): string | undefined {
  return logins.includes(user) ? undefined : fieldOf(user, idProperty) || undefined
}

/**
 * The user for whom a token was made, as it is now: the record that its `sub` names; else the one with its email
 * and password; else the login that is not in the data; else the only record with its email, whose password was
 * changed after the login.
 *
 * @returns undefined where there is none any more
 */
export function userOfToken(
  claims: Claims,
  { users, loginUsers = [], logins, idProperty }: KnownUsers,
): User | undefined {
  const { sub, email, password } = claims
  if (sub === '') return undefined
  if (sub !== undefined) return withSubject(claims, loginUsers, idProperty)
  const hasEmail = (user: User) => user.email === email
  const stored = password === undefined ? [] : users.filter(isCredentials).filter(hasEmail)
  return (
    stored.find((user) => user.password === password) ??
    // The token of a login of another shape holds no password.
    logins.find((login) => hasEmail(login) && (password === undefined || login.password === password)) ??
    (stored.length === 1 ? stored[0] : undefined)
  )
}

function withSubject(claims: Claims, users: readonly unknown[], idProperty: string): User | undefined {
  const user = users.filter(isRecord).find((record) => fieldOf(record, idProperty) === claims.sub)
  return user !== undefined && isSame(user, claims) ? user : undefined
}

/** An id that was given to another user since, with other names, is not the same user. */
function isSame(user: User, claims: Claims): boolean {
  const said = fieldsOf(claims)
  // A template may have given the token a name that users do not have.
  const names = personNames(said.filter(([name]) => fieldOf(user, name) !== ''))
  if (names.length > 0) return names.some(([name, text]) => fieldOf(user, name) === text)
  return personNames(said).length === 0 || personNames(fieldsOf(user)).length === 0
}
