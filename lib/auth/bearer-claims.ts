import type { KeyObject } from 'node:crypto'
import { type Claims, verifyToken } from './access-token'

/** How many tokens are cached for each key. */
const CACHED = 1000

/** A cache of verified tokens, by key: a client sends the same token with every request. */
const cache = new WeakMap<KeyObject, Map<string, Claims>>()

/**
 * The verified claims of the token in an Authorization header: exactly `Bearer`, one space, and one word (RFC
 * 6750 section 2.1).
 *
 * @param now milliseconds since the epoch
 * @returns a string that says why there are none, when the header has no token or the token is not valid
 */
export function bearerClaims(
  authorization: string | undefined,
  key: KeyObject,
  now: number,
): Claims | 'no token' | 'invalid token' {
  const [, token] = /^Bearer ([^\s]+)$/.exec(authorization ?? '') ?? []
  if (token === undefined) return 'no token'
  return cachedClaims(token, key, Math.floor(now / 1000)) ?? 'invalid token'
}

function cachedClaims(token: string, key: KeyObject, now: number): Claims | undefined {
  const tokens = cache.get(key) ?? new Map<string, Claims>()
  const cached = tokens.get(token)
  if (cached !== undefined && now < cached.exp) return cached
  const claims = verifyToken(token, key, now)
  if (claims === undefined) return undefined
  if (tokens.size >= CACHED) tokens.clear()
  cache.set(key, tokens.set(token, claims))
  return claims
}
