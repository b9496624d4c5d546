import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import type { JwtPayload } from 'jsonwebtoken'

/** Bytes: HS256 requires a key at least as long as its hash (RFC 7518 section 3.2). */
export const RECOMMENDED_SECRET_LENGTH = 32

/** A signing secret: a string, or a key that was made from one. */
export type SigningKey = KeyObject | string

/**
 * The key that signs and verifies tokens, made once: jsonwebtoken takes about fifty times as long with a
 * string.
 *
 * @throws TypeError when there is no secret, or an empty one: tokens that anybody can sign are worse than
 *   none
 */
export function signingKey(secret: SigningKey): KeyObject {
  if (secret instanceof KeyObject) return secret
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The signing secret must be a string that is not empty, for instance that of JWT_SECRET.',
    )
  }
  return createSecretKey(Buffer.from(secret))
}

/** A key that nobody knows and that lasts as long as the process. */
export function randomSigningKey(): KeyObject {
  return createSecretKey(randomBytes(RECOMMENDED_SECRET_LENGTH))
}

/** Claims beside those that every token has. */
export interface ExtraClaims {
  /** The sandbox in which the token was made, when it was made in one. */
  sandbox?: unknown
}

/** The verified payload of an access token. */
export interface Claims extends JwtPayload, ExtraClaims {
  exp: number
}

/**
 * Whether a token may be used on this data: one that was made in a sandbox is valid in that sandbox alone,
 * any other everywhere.
 *
 * @param dataName the name of the sandbox that a request is for; undefined for the main data
 */
export function isValidOn({ sandbox }: Claims, dataName: string | undefined): boolean {
  return sandbox === undefined || sandbox === dataName
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

/** Loaded with the first token: it would delay every start. */
function library(): typeof import('jsonwebtoken') {
  return require('jsonwebtoken')
}
