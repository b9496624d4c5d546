import { looksLikeHash } from '../../auth/credentials'
import { fieldsOf, personNames, type User } from '../../auth/user-fields'
import { badRequest, HttpError } from '../../errors'
import { isRecord } from '../../is-record'
import { identitiesIn, isRepeatedPassword, passwordsIn } from './fields'
import { agrees, bestIdentities } from './identify'
import { hashPassword, haveHashes } from './password-hashes'

/**
 * The passwords of a body as hashes, where users have hashes in the place of passwords.
 *
 * @param body of any type
 */
export async function hashesOf(body: unknown, users: readonly unknown[]): Promise<User> {
  const hashes: Record<string, string> = {}
  if (!isRecord(body) || !haveHashes(users.filter(isRecord))) return hashes
  for (const [name, text] of passwordsIn(fieldsOf(body))) hashes[name] = await hashPassword(text)
  return hashes
}

/**
 * The record that is stored for the body of a sign-up: all of it but for passwords that were typed twice.
 *
 * @param body of any type
 * @param users as they are now
 * @param hashes what {@link hashesOf} gives for the body
 * @throws HttpError 400 where the body has nothing to log in with, or a password that looks like a hash; 409 where
 *   somebody has signed up so already
 */
export function newUser(body: unknown, users: readonly unknown[], hashes: User): User {
  if (!isRecord(body)) throw badRequest('The body must be a JSON object, in braces.')
  const known = users.filter(isRecord)
  const fields = fieldsOf(body)
  const passwords = passwordsIn(fields)
  const identities = bestIdentities(identitiesIn(fields), known)
  if (passwords.length === 0 || identities.length === 0)
    throw badRequest(
      'Send a name and a password to log in with, such as "email" and "password", as texts, and not inside of another ' +
        'object.',
    )
  if (passwords.some(([, text]) => looksLikeHash(text)))
    throw badRequest('The password must not look like the hash of one.')
  const names = personNames(identities)
  const isTaken = (user: User) => {
    if (names.length === 0) return agrees(user, identities)
    // Who has only an email may log in with it as the username.
    const texts = personNames(fieldsOf(user)).map(([, text]) => text)
    return names.some((field) => agrees(user, [field]) || texts.includes(field[1]))
  }
  if (known.some(isTaken))
    throw new HttpError({
      status: 409,
      message: 'Somebody has signed up with this name already: log in instead.',
    })
  const stored = Object.entries(body).filter(([name]) => !isRepeatedPassword(name))
  return { ...Object.fromEntries(stored), ...hashes }
}
