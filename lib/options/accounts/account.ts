import type { Credentials } from '../../auth/credentials'
import { fieldOf } from '../../auth/user-fields'
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

/** A login of `--user` as a record: its name may be sent as any of these. */
export function userOfLogin({ email, password }: Credentials): User {
  return { email, username: email, name: email, password }
}
