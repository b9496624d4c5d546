import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'

/** HS256 wants a key at least as long as its hash (RFC 7518 section 3.2), in bytes. */
export const RECOMMENDED_SECRET_LENGTH = 32

/** A signing secret as text, or made into a key already. */
export type SigningKey = KeyObject | string

/**
 * The key that signs and verifies tokens, made once: jsonwebtoken takes some fifty times as long with a string.
 *
 * @throws TypeError when there is no secret, or an empty one: tokens that anybody can sign are worse than none
 */
export function signingKey(secret: SigningKey): KeyObject {
  if (secret instanceof KeyObject) return secret
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The signing secret must be a text that is not empty, for instance that of JWT_SECRET.',
    )
  }
  return createSecretKey(Buffer.from(secret))
}

/** A key that nobody knows and that lasts as long as the process. */
export function randomSigningKey(): KeyObject {
  return createSecretKey(randomBytes(RECOMMENDED_SECRET_LENGTH))
}
