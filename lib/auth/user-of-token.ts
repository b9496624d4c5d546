import { isRecord } from '../is-record'
import type { Claims } from './access-token'
import { type Credentials, isCredentials } from './credentials'
import { fieldOf, UNIQUE_NAMES } from './user-fields'

/** Where the user of a token may be. */
export interface KnownUsers {
  /** The stored users, for the specified login. */
  users: readonly unknown[]
  /** The records to which a token's `sub` refers. Default: the same. */
  accounts?: readonly unknown[]
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  /** The name of the id. */
  idProperty: string
  /** What is shown of such a login. Default: its email. */
  shownLogin?: (login: Credentials) => object
}

/**
 * The user for whom a token was made, as it is now: the record that its `sub` names; else the one with its email
 * and password, or else the only one with its email; else the login that is not in the data.
 *
 * @returns undefined where there is none any more
 */
export function userOfToken(claims: Claims, known: KnownUsers): unknown {
  const { users, accounts = users, logins, idProperty, shownLogin = ({ email }) => ({ email }) } = known
  if (claims.sub !== undefined) return userOfSubject(claims, accounts, idProperty)
  const { email, password } = claims
  const sent = { email, password }
  // The token of another login holds no password.
  const isSame = (login: Credentials) =>
    login.email === email && (password === undefined || login.password === password)
  const stored = isCredentials(sent) ? users.filter(isCredentials).filter((user) => user.email === email) : []
  const login = logins.find(isSame)
  // The password was changed after the login.
  const only = stored.length === 1 ? stored[0] : undefined
  return stored.find(isSame) ?? (login === undefined ? only : shownLogin(login))
}

/** An id that was given to another user since, with other identities, is not the same user. */
function userOfSubject(claims: Claims, users: readonly unknown[], idProperty: string): unknown {
  const sub: unknown = claims.sub
  if (typeof sub !== 'string' || sub === '') return undefined
  const user = users.filter(isRecord).find((record) => fieldOf(record, idProperty) === sub)
  if (user === undefined) return undefined
  const kinds: readonly (readonly string[])[] = [UNIQUE_NAMES, ['name']]
  const identities = kinds
    .map((names) => names.filter((name) => fieldOf(claims, name) !== ''))
    .find(({ length }) => length > 0)
  const isSame = (name: string) => fieldOf(user, name) === fieldOf(claims, name)
  return identities === undefined || identities.some(isSame) ? user : undefined
}
