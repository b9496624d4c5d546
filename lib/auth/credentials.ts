import { isRecord } from '../is-record'

/** What somebody logs in with; a stored user who has both as strings can log in. */
export interface Credentials {
  email: string
  password: string
}

/** Whether a record has an email and a password, whatever else it has. */
export function isCredentials(value: unknown): value is Credentials {
  return isRecord(value) && typeof value.email === 'string' && typeof value.password === 'string'
}
