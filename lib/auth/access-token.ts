import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import type { JwtPayload } from 'jsonwebtoken'
import type { Refusal } from '../errors'

/** Loaded with the first token. */
const jsonWebToken = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

/** Bytes: HS256 requires a key at least as long as its hash (RFC 7518 section 3.2). */
export const RECOMMENDED_SECRET_LENGTH = 32

/** A signing secret: a string, or a key that was made from one. */
export type SigningKey = KeyObject | string

/**
 * The key that signs and verifies tokens, made once, because with a string jsonwebtoken takes about forty
 * times as long: it tries it as a public key first.
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

/** Claims besides those that every token has. */
export interface ExtraClaims {
  /** The sandbox in which the token was made, when it was made in one. */
  sandbox?: unknown
}

/** The verified payload of an access token. */
export interface Claims extends JwtPayload, ExtraClaims {
  exp: number
}

/** Whether these are claims, and not the reason why there are none. */
export function areClaims(token: Claims | Refusal): token is Claims {
  return 'exp' in token
}

/** The algorithm is pinned: a token's own header must never choose it (RFC 8725 section 3.1). */
const ALGORITHM = 'HS256'

/** A signed JWT with these claims (RFC 7519). */
export function signToken(claims: Claims, key: KeyObject): string {
  const { sign } = jsonWebToken()
  return sign(claims, key, { algorithm: ALGORITHM })
}

/** Why a text is refused that is no token, or is not signed with our key. */
const NOT_OURS: Refusal = {
  reason: 'this server did not sign the token',
  description: 'This server did not sign the token: log in again.',
}

/** Why a token without a usable `exp` is refused: it would be valid for good. */
const NO_EXPIRY: Refusal = {
  reason: 'the token has no claim exp that is a number',
  description: 'The token has no claim exp that is a number.',
}

/** Why a token with an `nbf` that is to come is refused. */
const NOT_YET: Refusal = {
  reason: 'the token is not valid yet: its claim nbf is in the future',
  description: 'The token is not valid yet: its claim nbf is in the future.',
}

/** Why a token is refused, by the library's message, of which there is one for each kind of error. */
const REFUSALS = new Map<string, Refusal>([
  [
    'invalid signature',
    {
      ...NOT_OURS,
      reason: 'the token is signed with another secret (without JWT_SECRET, each start makes a new one)',
    },
  ],
  [
    'invalid algorithm',
    {
      reason: `the algorithm of the token is not ${ALGORITHM}`,
      description: `The algorithm of the token is not ${ALGORITHM}: log in again.`,
    },
  ],
  ['invalid exp value', NO_EXPIRY],
  [
    'invalid nbf value',
    {
      reason: 'the claim nbf of the token is not a number',
      description: 'The claim nbf of the token is not a number.',
    },
  ],
])

/**
 * The claims of a token that is signed with HS256 and the key, and has an expiry that is not past.
 *
 * @param now seconds since the epoch
 * @returns why it is refused, for any other token
 */
export function verifyToken(token: string, key: KeyObject, now: number): Claims | Refusal {
  const { verify, TokenExpiredError, NotBeforeError, JsonWebTokenError } = jsonWebToken()
  try {
    const payload = verify(token, key, { algorithms: [ALGORITHM], clockTimestamp: now })
    return hasExpiry(payload) ? payload : NO_EXPIRY
  } catch (error) {
    if (error instanceof TokenExpiredError) {
      const moment = momentOf(error.expiredAt)
      return {
        reason: `the token expired ${moment}`,
        description: `The token expired ${moment}: log in again.`,
      }
    }
    if (error instanceof NotBeforeError) return NOT_YET
    return (error instanceof JsonWebTokenError && REFUSALS.get(error.message)) || NOT_OURS
  }
}

/** When a token expired. A token that another program has signed may name a moment that no date can be. */
function momentOf(expiredAt: Date): string {
  return Number.isNaN(expiredAt.getTime()) ? 'long ago' : `at ${expiredAt.toISOString()}`
}

function hasExpiry(payload: JwtPayload | string): payload is Claims {
  return typeof payload === 'object' && Number.isFinite(payload.exp)
}
