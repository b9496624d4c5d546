import { createHash } from 'node:crypto'
import type { PersonFields, User } from './person-fields'

/** Characters of a hash: with 96 bits, nobody finds another name that has the same. */
const LENGTH = 16

/** How many names of somebody a token says so. */
const MOST_NAMES = 20

/** What stands for a name in a token. */
export function nameHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, LENGTH)
}

/**
 * The claim `names_hash`: what tells somebody from others, and so the user of a token from another who has got the id. A
 * name itself may be too long for a token, or its field may be called as another claim.
 */
export function namesHash(user: User, fields: PersonFields): string {
  const names = fields.personNames(user).slice(0, MOST_NAMES)
  return names.map(nameHash).join(' ')
}
