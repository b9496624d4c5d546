import type { KeyObject } from 'node:crypto'
import type { Refusal } from '../errors'
import { areClaims, type Claims, verifyToken } from './access-token'

/**
 * The verified claims of the token in an Authorization header: exactly `Bearer`, one space, and one word (RFC
 * 6750 section 2.1).
 *
 * @param now seconds since the epoch
 * @returns why there are none, when the header has no token or the token is not valid
 */
export function bearerClaims(
  authorization: string | undefined,
  key: KeyObject,
  now: number,
): Claims | Refusal {
  if (authorization === undefined) return { reason: 'there is no Authorization header' }
  const [, token] = /^Bearer ([^\s]+)$/.exec(authorization) ?? []
  const found = token === undefined ? { reason: whyNoToken(authorization) } : verifyToken(token, key, now)
  return areClaims(found) ? found : (mistakeIn(authorization) ?? found)
}

/**
 * What an application has sent in place of a token, if it is a usual mistake: a variable without a value, a
 * text as JSON, or a header that was put together twice.
 */
function mistakeIn(authorization: string): Refusal | undefined {
  const [, sent = ''] = /^Bearer (.+)$/.exec(authorization) ?? []
  const [, reason] = MISTAKES.find(([pattern]) => pattern.test(sent)) ?? []
  if (reason === undefined) return undefined
  const clause = reason.replace('{sent}', sent)
  return { reason: clause, description: `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.` }
}

/** What is sent in place of a token by mistake, and a clause about it. */
const MISTAKES: readonly [pattern: RegExp, reason: string][] = [
  [
    /^(?:undefined|null|NaN|\[object Object\])$/,
    'the token is the word {sent}: the login sends it as access_token',
  ],
  [/^["'].*["']$/, 'the token stands in quotation marks: send it without them'],
  [/^Bearer\b/i, 'the word Bearer stands there twice: send it once'],
]

function whyNoToken(authorization: string): string {
  if (/^Bearer\s*$/.test(authorization)) return 'there is no token behind Bearer: has the login failed?'
  if (/^Bearer(?!\S)/.test(authorization))
    return 'the Authorization header must be "Bearer", one space and the token, and nothing else'
  if (/^bearer(?!\S)/i.test(authorization))
    return 'the Authorization header must begin with "Bearer", to the letter'
  return 'the Authorization header does not begin with "Bearer"'
}
