import { PERSON_NAMES, type User } from '../../auth/user-fields'
import { isRecord } from '../../is-record'
import { fillTemplate, type Template } from './template'

/** What the server itself says in a token: no record and no template may say it (RFC 7519 section 4.1). */
const RESERVED = new Set('sub sid jti iat exp sandbox iss aud nbf series parent'.split(' '))

/** The fields of a user that a token holds beside the identities: what pages read of one. */
const SHOWN_CLAIMS: readonly string[] = [
  ...PERSON_NAMES,
  ...'id role roles permissions scope groups isAdmin is_admin admin status type active userId user_id'.split(
    ' ',
  ),
  ...'firstName lastName first_name last_name given_name family_name fullName full_name displayName'.split(
    ' ',
  ),
  ...'nickname preferred_username picture avatar image locale language email_verified emailVerified'.split(
    ' ',
  ),
]

/** Bytes of a value as JSON, and of all together: Node reads 16 kB of headers, and a browser 4 kB of a cookie. */
const LONGEST = 200
const LONGEST_TOGETHER = 2000

/**
 * The claims about a user, but for who it is to the server (`sub`) and for how long.
 *
 * @param template those to be added
 */
export function claimsAbout(user: User, template: Template): Record<string, unknown> {
  const added = fillTemplate(template, { user })
  // An identity stays what the record says, because the token is compared with it later.
  const others = Object.entries(isRecord(added) ? added : {}).filter(
    ([name]) => !PERSON_NAMES.includes(name) || !Object.hasOwn(user, name),
  )
  const shown = SHOWN_CLAIMS.filter((name) => Object.hasOwn(user, name)).map(
    (name) => [name, user[name]] as const,
  )
  const claims = new Map<string, unknown>()
  let size = 0
  for (const [name, value] of [...others, ...shown]) {
    if (RESERVED.has(name) || claims.has(name) || !isShort(value)) continue
    size += name.length + sizeOf(value)
    if (size <= LONGEST_TOGETHER) claims.set(name, value)
  }
  return Object.fromEntries(claims)
}

/** A text, a number, a boolean, or a list of these, of which little would be sent. */
function isShort(value: unknown): boolean {
  const isPlain = (item: unknown) => ['string', 'number', 'boolean'].includes(typeof item)
  const isPlainList = Array.isArray(value) && value.every(isPlain)
  return (isPlain(value) || isPlainList) && sizeOf(value) <= LONGEST
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
