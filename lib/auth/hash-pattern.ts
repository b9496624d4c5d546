/**
 * What a hash of a password begins with, as bcrypt and others write it: `$2b$10$...`. One of bcrypt is compared, where it is
 * whole; each step of its cost doubles the time.
 */
const HASH = /^\$(?:2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$|\w+\$)/

/** Whether a text looks like a hash of any kind: nobody knows the password. */
export function looksLikeHash(text: string): boolean {
  return HASH.test(text)
}

/** The cost of a whole hash of bcrypt, or undefined for any other text. */
export function costOfHash(text: string): number | undefined {
  const [, cost] = HASH.exec(text) ?? []
  return cost === undefined ? undefined : Number(cost)
}

/** Whether a text is a whole hash of bcrypt. */
export function isHash(text: string): boolean {
  return costOfHash(text) !== undefined
}
