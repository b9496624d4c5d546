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
}

/**
 * The user for whom a token was made, as it is now: the record that its `sub` names; else the one with its email
 * and password, or else the only one with its email. For a login that is not in the data, its email alone.
 *
 * @returns undefined where there is none any more
 */
export function userOfToken(
  claims: Claims,
  { users, accounts = users, logins, idProperty }: KnownUsers,
): unknown {
  if (claims.sub !== undefined) return userOfSubject(claims, accounts, idProperty)
  if (isCredentials(claims)) return userOfCredentials(claims, users, logins)
  return logins.some(({ email }) => email === claims.email) ? { email: claims.email } : undefined
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

function userOfCredentials(
  claims: Credentials,
  users: readonly unknown[],
  logins: readonly Credentials[],
): unknown {
  const withEmail = users.filter(isCredentials).filter(({ email }) => email === claims.email)
  const hasSameLogin = ({ email, password }: Credentials) =>
    email === claims.email && password === claims.password
  const stored = withEmail.find(hasSameLogin)
  if (stored !== undefined) return stored
  if (logins.some(hasSameLogin)) return { email: claims.email }
  // The password was changed after the login.
  return withEmail.length === 1 ? withEmail[0] : undefined
}
