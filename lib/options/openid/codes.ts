import { randomBytes } from 'node:crypto'
import type { Claims } from '../../auth/access-token'

/** How many codes are remembered. */
const MOST_REMEMBERED = 1000

/** What a code stands for: the request for which it was made, and the session that it opens. */
interface CodeGrant {
  readonly client: string
  /** To the letter, as it was sent, without a fragment. */
  readonly redirect: string
  /** For whom the access token is to be; empty for the client. */
  readonly audience: string
  /** Empty where there was none. */
  readonly challenge: string
  readonly nonce: string
  readonly scope: string
  /** The issuer that the browser has asked. */
  readonly issuer: string
  readonly session: Claims
  /** Until when it can be exchanged, in milliseconds since the epoch, by the clock of its data. */
  readonly until: number
  /** Whether somebody has got tokens for it. */
  isUsed: boolean
}

/** The codes of a server, whatever data they are for. A used one is remembered, because a second use is a theft. */
export class Codes {
  readonly #grants = new Map<string, CodeGrant>()

  /** Makes a code that nobody can guess. The oldest of too many is forgotten. */
  add(grant: Omit<CodeGrant, 'isUsed'>): string {
    const [oldest] = this.#grants.keys()
    if (this.#grants.size >= MOST_REMEMBERED && oldest !== undefined) this.#grants.delete(oldest)
    const code = randomBytes(32).toString('base64url')
    this.#grants.set(code, { ...grant, isUsed: false })
    return code
  }

  find(code: string): CodeGrant | undefined {
    return this.#grants.get(code)
  }
}
