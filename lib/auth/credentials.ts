import { OptionError } from '../errors'
import { isRecord } from '../is-record'
import { isHash } from './hash-pattern'
import type { User } from './person-fields'

/** What somebody logs in with. */
export interface Credentials {
  email: string
  password: string
}

/** A user of the shipped sample data. It is public, so it may be printed and shown. */
const SAMPLE_LOGIN: Credentials = { email: 'mia@example.com', password: 'sourdough' }

/** Whether a value has an email and a password, both strings, whatever else it has. */
export function isCredentials(value: unknown): value is Credentials & User {
  return isRecord(value) && typeof value.email === 'string' && typeof value.password === 'string'
}

/**
 * Reads the logins beside the stored users: an empty text is no password, with which everybody would be let in.
 *
 * @throws OptionError for one that has no email or no password; the sentence shows neither
 */
export function readLogins(given: readonly unknown[]): Credentials[] {
  return given.map((login, index) => {
    if (isCredentials(login) && login.email !== '' && login.password !== '') return login
    throw new OptionError(
      `logins: number ${index + 1} must have an email and a password, both strings that are not empty, ` +
        "for instance { email: 'me@example.com', password: 'secret' }.",
    )
  })
}

/**
 * The logins of stored users whose password somebody knows: it is no hash.
 *
 * @param users the value of `users` in the data, of any type
 */
export function knownLogins(users: unknown): Credentials[] {
  return storedCredentials(users).filter(({ password }) => !isHash(password))
}

/** The records that have an email and a password. */
function storedCredentials(records: unknown): Credentials[] {
  return Array.isArray(records) ? records.filter(isCredentials) : []
}

/** The login of the shipped sample data, if these users have it. */
export function sampleLogin(users: unknown): Credentials | undefined {
  const { email, password } = SAMPLE_LOGIN
  const isSample = (user: Credentials) => user.email === email && user.password === password
  return storedCredentials(users).some(isSample) ? SAMPLE_LOGIN : undefined
}
