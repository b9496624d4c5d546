import { createHash, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { jsonWebToken } from '../../auth/access-token'
import type { PublishedKey } from '../../auth/published-key'
import { isRecord } from '../../is-record'

interface Pair {
  readonly kid: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/**
 * Signs identity tokens with a key that clients can read. Access tokens have another one, so that no identity opens a
 * route. This key is made at its first use, which takes 100 ms, and lasts as long as the process: one of RSA cannot be made
 * of a secret.
 */
export class Signer {
  #made: Promise<Pair> | undefined
  readonly #published: PublishedKey

  /** @param published signs access tokens */
  constructor(published: PublishedKey) {
    this.#published = published
  }

  /** The public keys as a set (RFC 7517 section 5): of identity tokens, and of access tokens. */
  async keys(): Promise<object> {
    const ofIdentity = await this.#pair()
    const jwkOf = ({ kid, publicKey }: Pair, alg: string) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      use: 'sig',
      alg,
    })
    return { keys: [jwkOf(ofIdentity, 'RS256'), jwkOf(this.#published, 'ES256')] }
  }

  async sign(claims: object): Promise<string> {
    const { kid, privateKey } = await this.#pair()
    return jsonWebToken().sign(claims, privateKey, { algorithm: 'RS256', keyid: kid })
  }

  /** The id of the session of an identity token of ours, even of one that has expired; undefined for any other text. */
  async sessionOf(token: string): Promise<string | undefined> {
    const { publicKey } = await this.#pair()
    try {
      const options = { algorithms: ['RS256' as const], ignoreExpiration: true }
      const claims = jsonWebToken().verify(token, publicKey, options)
      return isRecord(claims) && typeof claims.sid === 'string' ? claims.sid : undefined
    } catch {
      return undefined
    }
  }

  #pair(): Promise<Pair> {
    this.#made ??= makePair()
    return this.#made
  }
}

async function makePair(): Promise<Pair> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const text = pair.publicKey.export({ format: 'der', type: 'spki' })
  return { ...pair, kid: createHash('sha256').update(text).digest('base64url') }
}
