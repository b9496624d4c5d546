import type { KeyObject } from 'node:crypto'
import type { JwtPayload } from 'jsonwebtoken'

/** The verified payload of an access token. */
export interface Claims extends JwtPayload {
  exp: number
}

/** The algorithm is pinned: a token's own header must never choose it (RFC 8725 section 3.1). */
const ALGORITHM = 'HS256'

/** A signed JWT with these claims (RFC 7519). */
export function signToken(claims: Claims, key: KeyObject): string {
  const { sign } = library()
  return sign(claims, key, { algorithm: ALGORITHM })
}

/**
 * The claims of a token that is signed with HS256 and the key, has an expiry and has not reached it.
 *
 * @param now seconds since the epoch
 * @returns undefined for any other token, whatever is wrong with it
 */
export function verifyToken(token: string, key: KeyObject, now: number): Claims | undefined {
  const { verify } = library()
  try {
    const payload = verify(token, key, { algorithms: [ALGORITHM], clockTimestamp: now })
    return hasExpiry(payload) ? payload : undefined
  } catch {
    return undefined
  }
}

function hasExpiry(payload: JwtPayload | string): payload is Claims {
  return typeof payload === 'object' && Number.isFinite(payload.exp)
}

/** Loaded with the first token: it brings enough along to hold up every start. */
function library(): typeof import('jsonwebtoken') {
  return require('jsonwebtoken')
}
