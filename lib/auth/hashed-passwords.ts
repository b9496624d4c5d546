import type { IncomingMessage } from 'node:http'

/** Passwords, by the names of the fields in which hashes have taken their places. */
export type HashedPasswords = Readonly<Record<string, string>>

const known = new WeakMap<IncomingMessage, HashedPasswords>()

/** Remembers what a request has sent in the place of hashes, because a schema is about that. */
export function rememberHashed(request: IncomingMessage, passwords: HashedPasswords): void {
  known.set(request, passwords)
}

/** What a request has sent in the place of hashes; empty where nothing was hashed. */
export function hashedIn(request: IncomingMessage): HashedPasswords {
  return known.get(request) ?? {}
}
