import type { KeyObject } from 'node:crypto'
import type { Refusal } from '../errors'
import { type Claims, verifyToken } from './access-token'

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
  // After a login that has failed, the variable in the lines that the start prints is empty.
  if (/^Bearer\s*$/.test(authorization))
    return { reason: 'there is no token behind "Bearer": has the login failed?' }
  const [, token] = /^Bearer ([^\s]+)$/.exec(authorization) ?? []
  if (token === undefined)
    return { reason: 'the Authorization header must be "Bearer" with a capital B, one space and the token' }
  // An application has sent a variable without a value, or a text as JSON.
  if (/^(?:undefined|null)$/.test(token))
    return {
      reason: `the token is the word ${token}: the login sends it as access_token`,
      isInvalidToken: true,
    }
  if (/^["']/.test(token))
    return { reason: 'the token stands in quotation marks: send it without them', isInvalidToken: true }
  return verifyToken(token, key, now)
}
