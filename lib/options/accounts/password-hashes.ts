import { type Field, fieldsOf, type User } from '../../auth/user-fields'
import { passwordsIn } from './fields'

/** Loaded with the first hash. */
const bcrypt = (): typeof import('bcryptjs') => require('bcryptjs')

/** A hash of bcrypt, with its cost: each step of it doubles the time. */
const HASH = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Cost 15 takes about two seconds, cost 31 days. */
const MOST_COST = 15

/** Of the hashes that are made here: bcryptjs's own default. */
const COST = 10

/** The passwords of a user: fields of that meaning or, where there are none, hashes. */
export function passwordsOf(user: User): Field[] {
  const fields = fieldsOf(user)
  const passwords = passwordsIn(fields)
  return passwords.length > 0 ? passwords : fields.filter(([, text]) => HASH.test(text))
}

/** Whether one of the users has a hash in the place of a password. */
export function haveHashes(users: readonly User[]): boolean {
  return users.some((user) => passwordsOf(user).some(([, text]) => HASH.test(text)))
}

/** Makes a hash of a password. */
export function hashPassword(password: string): Promise<string> {
  return bcrypt().hash(password, COST)
}

/** The comparison that was asked for last. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Compares a password with the one that is stored, as it is or as a hash. Hashes are compared one after the other: twenty
 * at a time would keep all other requests waiting for 2 s, and in this way, it is 0.1 s. A hash of a higher cost than
 * {@link MOST_COST} has no password.
 */
export async function comparePassword(given: string, stored: string): Promise<boolean> {
  const [, cost] = HASH.exec(stored) ?? []
  if (cost === undefined) return given === stored
  if (Number(cost) > MOST_COST) return false
  const compared = last.then(() => bcrypt().compare(given, stored))
  last = compared.catch(() => {})
  return compared
}
