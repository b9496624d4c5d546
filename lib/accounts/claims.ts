import type { PersonFields, User } from '../auth/person-fields'
import { isRecord } from '../is-record'
import { holdsPassword, labelOf } from '../labels'

/** What the server itself says in a token: no record and no template may say it (RFC 7519 section 4.1). */
const RESERVED = new Set('sub names_hash sid jti iat exp sandbox iss aud nbf series parent'.split(' '))

/** The fields of a user that a token holds beside the names: what pages read of one. */
const SHOWN_CLAIMS = new Set(
  [
    'id role roles permissions scope groups isAdmin is_admin admin status type active userId user_id',
    'firstName lastName first_name last_name given_name family_name fullName full_name displayName',
    'nickname preferred_username picture avatar image locale language email_verified emailVerified',
  ].flatMap((names) => names.split(' ')),
)

/** Bytes of a value of a record as JSON, and of all together: Node reads 16 kB of headers, and a browser 4 kB of a cookie. */
const LONGEST = 200
const LONGEST_TOGETHER = 2000

/** Whether the server alone says a claim, so that a template which names it does nothing. */
export function isReservedClaim(name: string): boolean {
  // jsonwebtoken takes a name that every object has for one of the claims that it checks, and fails.
  return RESERVED.has(name) || name in Object.prototype
}

/**
 * What a token says of a user to others: who it is to the server, and for how long, is said beside these claims. None says
 * a password, but a name may be the same text.
 *
 * @param added further ones
 */
export function claimsAbout(user: User, added: unknown, fields: PersonFields): Record<string, unknown> {
  const known = Object.entries(fields.withoutPasswords(user) ?? {})
  const inside = fields.namesInside(user).map(({ name, text }) => [name, text] as const)
  const names = [...known.filter(([name]) => fields.isName(labelOf(name))), ...inside]
  const shown = known.filter(([name, value]) => SHOWN_CLAIMS.has(name) && isShort(value))
  const others = Object.entries(isRecord(added) ? added : {})
  const seen = new Set<string>()
  const claims: [name: string, value: unknown][] = []
  let size = 0
  // Of two with one name, the first counts: a name stays what the record says, and what is added is stronger than the rest.
  for (const [name, value] of [...names, ...others, ...shown]) {
    if (seen.has(name)) continue
    seen.add(name)
    if (isReservedClaim(name) || holdsPassword(name) || value === undefined || value === null) continue
    const more = name.length + sizeOf(value)
    if (size + more > LONGEST_TOGETHER) continue
    size += more
    claims.push([name, value])
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
