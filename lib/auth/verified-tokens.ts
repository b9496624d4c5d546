import { type AccessKeys, type Claims, type Token, verifyAccessToken } from './access-token'

/** How many tokens are remembered. */
const MOST_REMEMBERED = 1000

/**
 * Verifies the access tokens of a server, and remembers the claims: a client sends the same token with every request, and to verify
 * it takes a twentieth of the processor time of a small request.
 */
export class VerifiedTokens {
  readonly #claims = new Map<string, Claims>()
  readonly #keys: AccessKeys
  readonly #clock: () => number

  /** @param clock milliseconds since the epoch */
  constructor(keys: AccessKeys, clock: () => number) {
    this.#keys = keys
    this.#clock = clock
  }

  /** The claims of a token, or why it has none. */
  read(sent: string): Token {
    const now = Math.floor(this.#clock() / 1000)
    const known = this.#claims.get(sent)
    if (known !== undefined && now < known.exp) return { text: sent, claims: known }
    const token = verifyAccessToken(sent, this.#keys, now)
    if (token.claims === undefined) return token
    if (this.#claims.size >= MOST_REMEMBERED) this.#claims.clear()
    this.#claims.set(sent, token.claims)
    return token
  }

  /** Whether a text is an access token that was made with the keys of this server, even if it has expired. */
  isOwn(sent: string): boolean {
    return verifyAccessToken(sent, this.#keys, 'whenever').claims !== undefined
  }
}
