import type { Claims } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { fieldOf } from '../../auth/user-fields'
import { type KnownUsers, userOfToken } from '../../auth/user-of-token'
import type { User } from './identify'

/** Somebody who has logged in. */
export interface Account {
  readonly user: User
  /** The id of the record, as text; undefined for a login that is not in the data. */
  readonly id: string | undefined
}

/** The account of a record. */
export function accountOf(user: User, idProperty: string): Account {
  return { user, id: fieldOf(user, idProperty) || undefined }
}

/** The account of a login of `--user`: its token has no `sub` that could be an id. */
export function accountOfLogin(login: Credentials): Account {
  return { user: userOfLogin(login), id: undefined }
}

/** The account for which a token was made; undefined where it is gone. */
export function accountOfToken(claims: Claims, known: KnownUsers): Account | undefined {
  const found = userOfToken(claims, known)
  if (found === undefined) return undefined
  const { record, login } = found
  return record === undefined ? accountOfLogin(login) : accountOf(record, known.idProperty)
}

/** A login of `--user` as a record: its name may be sent as any of these. */
export function userOfLogin({ email, password }: Credentials): User {
  return { email, username: email, name: email, password }
}
