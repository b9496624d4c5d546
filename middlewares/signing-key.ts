import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'

/** HS256 wants a key at least as long as its hash (RFC 7518 section 3.2), in bytes. */
export const RECOMMENDED_SECRET_LENGTH = 32

/** A signing secret as text, or made into a key already. */
export type SigningKey = KeyObject | string

/**
 * The key that signs and verifies tokens, made once: jsonwebtoken takes some fifty times as long with a string.
 *
 * @param secret the signing secret; undefined for one that lasts as long as the process
 * @throws TypeError when the secret is empty: tokens anybody can sign are worse than none
 */
export function signingKey(secret?: SigningKey): KeyObject {
  if (secret instanceof KeyObject) return secret
  if (secret === '')
    throw new TypeError('The signing secret is empty: give one, or undefined for a random one.')
  return createSecretKey(secret === undefined ? randomBytes(RECOMMENDED_SECRET_LENGTH) : Buffer.from(secret))
}
