import type { KeyObject } from 'node:crypto'
import { type Claims, verifyToken } from './access-token'

/** How many tokens are remembered for each key. */
const REMEMBERED = 1000

/** The tokens whose signature has been verified, by key: a client sends the same one with every request. */
const known = new WeakMap<KeyObject, Map<string, Claims>>()

/**
 * The verified claims of the token in an Authorization header.
 *
 * @param now milliseconds since the epoch
 * @returns why there are none, when the header has no token or the token is not valid
 */
export function bearerClaims(
  authorization: string | undefined,
  key: KeyObject,
  now: number,
): Claims | 'no token' | 'invalid token' {
  const token = readBearerToken(authorization)
  if (token === undefined) return 'no token'
  return rememberedClaims(token, key, Math.floor(now / 1000)) ?? 'invalid token'
}

/** The token of an Authorization header: exactly `Bearer`, one space, and one word (RFC 6750 section 2.1). */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([^\s]+)$/.exec(authorization ?? '')?.[1]
}

function rememberedClaims(token: string, key: KeyObject, now: number): Claims | undefined {
  const tokens = known.get(key) ?? new Map<string, Claims>()
  const remembered = tokens.get(token)
  if (remembered !== undefined && now < remembered.exp) return remembered
  const claims = verifyToken(token, key, now)
  if (claims === undefined) return undefined
  if (tokens.size >= REMEMBERED) tokens.clear()
  known.set(key, tokens.set(token, claims))
  return claims
}
