import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

/** A pair of keys, of which clients can read the public one, to check tokens by themselves. */
export interface PublishedKey {
  /** Names the key in the header of a token. */
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const CURVE = 'prime256v1'

/** The order of the curve P-256 (FIPS 186-4, appendix D.1.2.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Bytes from which a private key is made: eight more than it has, so that each is as likely (FIPS 186-4, appendix B.4.1). */
const SEED_LENGTH = 40

/**
 * The key of ES256 that belongs to a secret: every server with the secret has the same, also after a restart (RFC 5869).
 */
export function publishedKey(secret: KeyObject): PublishedKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'json-server-bearer access token', SEED_LENGTH))
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH(CURVE)
  curve.setPrivateKey(d)
  // The point is a byte that says its form, x and y.
  const point = curve.getPublicKey()
  const base64 = (bytes: Buffer) => bytes.toString('base64url')
  const [x, y] = [base64(point.subarray(1, 33)), base64(point.subarray(33))]
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d: base64(d), x, y } })
  const kid = createHash('sha256').update(point).digest('base64url')
  return { kid, privateKey, publicKey: createPublicKey(privateKey) }
}
