import { costOfHash } from '../auth/person-fields'
import { badRequest } from '../errors'

/** Loaded with the first hash. */
const bcrypt = (): typeof import('bcryptjs') => require('bcryptjs')

/** Cost 15 takes about two seconds, cost 31 days. */
const MOST_COST = 15

/** Of the hashes that are made here: bcryptjs's own default. */
const COST = 10

/**
 * Makes a hash of a password.
 *
 * @throws HttpError 400 for one of which bcrypt would leave out the end
 */
export async function hashPassword(password: string): Promise<string> {
  if (bcrypt().truncates(password)) throw badRequest('The password must not be longer than 72 bytes.')
  return bcrypt().hash(password, COST)
}

/** The comparison that was asked for last. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Compares a password with the one that is stored, as it is or as a hash. Hashes are compared one after the other: twenty
 * at a time would keep all other requests waiting for 2 s, and in this way, it is 0.1 s. A hash of a higher cost than
 * {@link MOST_COST} has no password, and one over 72 bytes, of which bcrypt would leave out the end, is that of nobody.
 */
export async function comparePassword(given: string, stored: string): Promise<boolean> {
  const cost = costOfHash(stored)
  if (cost === undefined) return given === stored
  if (cost > MOST_COST || bcrypt().truncates(given)) return false
  const compared = last.then(() => bcrypt().compare(given, stored))
  last = compared.catch(() => {})
  return compared
}
