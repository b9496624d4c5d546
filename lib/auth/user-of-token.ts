import { isRecord } from '../is-record'
import type { Claims } from './access-token'
import { type Credentials, isCredentials } from './credentials'
import { fieldOf, UNIQUE_NAMES } from './user-fields'

/** Where the user of a token may be. */
export interface KnownUsers {
  /** The stored users, for the specified login. */
  users: readonly unknown[]
  /** The records to which a token's `sub` refers; undefined where the data has no such collection. */
  accounts: readonly unknown[] | undefined
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  /** The name of the id. */
  idProperty: string
}

/** Who a token was made for: a record, or a login that is not in the data. */
export type TokenUser =
  | { readonly record: Readonly<Record<string, unknown>>; readonly login?: undefined }
  | { readonly record?: undefined; readonly login: Credentials }

/**
 * The user for whom a token was made, as it is now: the record that its `sub` names; else the one with its email
 * and password, or else the only one with its email; else the login that is not in the data.
 *
 * @returns undefined where there is none any more
 */
export function userOfToken(claims: Claims, known: KnownUsers): TokenUser | undefined {
  const { users, accounts = [], logins, idProperty } = known
  const record =
    claims.sub === undefined
      ? withCredentials(claims, users, logins)
      : withSubject(claims, accounts, idProperty)
  if (record !== undefined || claims.sub !== undefined) return record && { record }
  const login = logins.find((one) => isSameLogin(one, claims))
  return login && { login }
}

/** The token of a login of another shape holds no password. */
function isSameLogin(login: Credentials, { email, password }: Claims): boolean {
  return login.email === email && (password === undefined || login.password === password)
}

function withCredentials(
  claims: Claims,
  users: readonly unknown[],
  logins: readonly Credentials[],
): Record<string, unknown> | undefined {
  if (!isCredentials(claims)) return undefined
  const withEmail = users
    .filter(isRecord)
    .filter((user) => isCredentials(user) && user.email === claims.email)
  const same = withEmail.find(({ password }) => password === claims.password)
  // The password was changed after the login.
  const isOnly = withEmail.length === 1 && !logins.some((login) => isSameLogin(login, claims))
  return same ?? (isOnly ? withEmail[0] : undefined)
}

/** An id that was given to another user since, with other identities, is not the same user. */
function withSubject(
  claims: Claims,
  users: readonly unknown[],
  idProperty: string,
): Record<string, unknown> | undefined {
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
