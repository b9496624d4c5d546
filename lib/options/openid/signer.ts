import { createHash, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { jsonWebToken } from '../../auth/access-token'
import { isRecord } from '../../is-record'

interface Pair {
  readonly kid: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/**
 * Signs identity tokens with a key that clients can read. Access tokens have another one, so that no identity opens a
 * route. The key is made at its first use, which takes 100 ms.
 */
export class Signer {
  #made: Promise<Pair> | undefined

  /** The public key as a set (RFC 7517 section 5). */
  async keys(): Promise<object> {
    const { kid, publicKey } = await this.#pair()
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] }
  }

  async sign(claims: object): Promise<string> {
    const { kid, privateKey } = await this.#pair()
    return jsonWebToken().sign(claims, privateKey, { algorithm: 'RS256', keyid: kid })
  }

  /** The claims of an identity token of ours, even of one that has expired; undefined for any other text. */
  async read(token: string): Promise<Record<string, unknown> | undefined> {
    const { publicKey } = await this.#pair()
    try {
      const options = { algorithms: ['RS256' as const], ignoreExpiration: true }
      const claims = jsonWebToken().verify(token, publicKey, options)
      return isRecord(claims) ? claims : undefined
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
