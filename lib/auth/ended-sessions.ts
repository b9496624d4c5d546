import { createHash, randomInt } from 'node:crypto'
import { invalidToken, type Refusal } from '../errors'
import type { Claims } from './access-token'
import type { SessionCheck } from './authentication'

/** How many ended sessions are remembered, and how many used refresh tokens. */
const MOST_REMEMBERED = 10_000

export interface EndedSessionsOptions {
  /** Milliseconds since the epoch, by the clock of the data. */
  clock: () => number
  /** The name of the sandbox that the data is in; undefined for the main data. */
  sandbox: string | undefined
  /** Whether a token of another sandbox is refused, because the same id and name may be somebody else there. */
  isApart: boolean
  /** What the whole server remembers: what ends with a request for some data has ended for all. */
  endedIds: EndedIds
}

/** What is remembered of all data, by ids. No number of refreshes makes the end of a session be forgotten. */
export interface EndedIds {
  readonly sessions: Set<string>
  readonly usedTokens: Set<string>
}

/**
 * What has ended of the sessions of one set of data. Tokens say all else about a session, so that nothing of one that goes
 * on is remembered, and a restart ends none.
 */
export class EndedSessions implements SessionCheck {
  /** What tokens must say since all sessions were ended the last time; undefined before. */
  series: number | undefined

  readonly #options: EndedSessionsOptions

  constructor(options: EndedSessionsOptions) {
    this.#options = options
  }

  /** Whether a token was made in this data, and in no other sandbox. */
  isMadeHere({ sandbox }: Claims): boolean {
    return sandbox === this.#options.sandbox
  }

  /** Why a token is refused that is valid otherwise: by the clock of this data, or as its session has ended. */
  refusalOf(claims: Claims): Refusal | undefined {
    const now = this.#options.clock()
    if (claims.exp * 1000 <= now)
      return invalidToken(`the token expired at ${new Date(claims.exp * 1000).toJSON()}`)
    // A sandbox that is reset is back from the time that it was advanced to. Only its own tokens are compared: the
    // clock of another server with the same secret may be ahead.
    const { sandbox } = this.#options
    if (
      sandbox !== undefined &&
      claims.sandbox === sandbox &&
      claims.iat !== undefined &&
      claims.iat * 1000 > now
    )
      return invalidToken('the token was made at a time that its sandbox has not reached: log in again')
    if (this.#options.isApart && claims.sandbox !== undefined && !this.isMadeHere(claims))
      return invalidToken('the token was made in another sandbox: log in in this one')
    if (this.series !== undefined && claims.series !== this.series)
      return invalidToken('all sessions from before have been ended: log in again')
    // Where nothing has ended, nothing is looked up.
    const { sessions } = this.#options.endedIds
    return sessions.size > 0 && sessions.has(sessionIdOf(claims))
      ? invalidToken('its session has ended: log in again')
      : undefined
  }

  /** Ends the session of a token of either kind. */
  end(claims: Claims): void {
    this.endSession(sessionIdOf(claims))
  }

  /** Ends the session with an id. */
  endSession(id: string): void {
    remember(this.#options.endedIds.sessions, id)
  }

  /** Ends all sessions: every token from before is refused from now on, those without a session as well. */
  endAll(): void {
    this.series = randomInt(1, 2 ** 47)
  }

  /** Whether a refresh token was used up. */
  wasUsed({ jti }: Claims): boolean {
    return this.#options.endedIds.usedTokens.has(String(jti))
  }

  /** Remembers the id of a refresh token as used. */
  noteUse(id: unknown): void {
    if (typeof id === 'string') remember(this.#options.endedIds.usedTokens, id)
  }
}

/** Of too many ids, the one that was remembered first is forgotten. */
function remember(ids: Set<string>, id: string): void {
  ids.delete(id)
  ids.add(id)
  const [oldest] = ids
  if (ids.size > MOST_REMEMBERED && oldest !== undefined) ids.delete(oldest)
}

/** Which session a token belongs to. One that another program has signed says nothing of it, and is a session by itself. */
function sessionIdOf(claims: Claims): string {
  if (typeof claims.sid === 'string') return claims.sid
  return createHash('sha256').update(JSON.stringify(claims)).digest('base64url')
}
