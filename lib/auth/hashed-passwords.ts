/** Passwords, by the names of the fields in which hashes have taken their places. */
type HashedPasswords = Readonly<Record<string, string>>

const known = new WeakMap<object, HashedPasswords>()

/**
 * Remembers what was sent in the place of hashes, because a schema is about that.
 *
 * @param sent a request, or one of several records that it brings
 */
export function rememberHashed(sent: object, passwords: HashedPasswords): void {
  known.set(sent, passwords)
}

/** What a request, or one of its records, has sent in the place of hashes; empty where nothing was hashed. */
export function hashedIn(sent: object): HashedPasswords {
  return known.get(sent) ?? {}
}
