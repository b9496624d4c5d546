import { type Credentials, isCredentials } from '../auth/credentials'
import type { Data } from '../data/data-source'

/** The stored users who can log in: all others lack an email or a password that is a string. */
export function whoCanLogIn({ users }: Data): Credentials[] {
  return Array.isArray(users) ? users.filter(isCredentials) : []
}

/** The records of a collection, or undefined when the data has none of that name. */
export function collectionOf(state: Data, name: string | false | undefined): readonly unknown[] | undefined {
  const records = name ? state[name] : undefined
  return Array.isArray(records) ? records : undefined
}
