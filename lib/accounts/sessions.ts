import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto'
import {
  type AccessKeys,
  type Claims,
  signPublished,
  signToken,
  type Token,
  typeOfToken,
  verifyAccessToken,
  verifyToken,
} from '../auth/access-token'
import { EndedSessions, type EndedSessionsOptions } from '../auth/ended-sessions'
import { invalidToken, type Refusal } from '../errors'

/** Seconds that a refresh token lasts. */
export const REFRESH_LIFETIME = 7 * 24 * 3600

export interface SessionsOptions extends EndedSessionsOptions {
  /** The keys that sign access tokens; those of refresh tokens are derived from the secret. */
  keys: AccessKeys
  /** Seconds that an access token lasts. */
  lifetime: number
  /** Whether a refresh token is good for one use. */
  refreshOnce: boolean
}

/**
 * Who goes on with a refresh token: an application by itself, a client of OpenID Connect, or a browser at the provider. Each
 * has an endpoint of its own, and no token is good at that of another.
 */
type RefreshedBy = 'application' | 'client' | 'browser'

/** Each has a key of its own, so that no token can be used as another kind (RFC 5869): what the key is derived for. */
const KEYS: Readonly<Record<RefreshedBy, string>> = {
  application: 'json-server-bearer refresh token',
  client: 'json-server-bearer refresh token of a client',
  browser: 'json-server-bearer session of a browser',
}

/** Why a refresh token is refused that was made for somebody else. */
const OTHER_ENDPOINT =
  'the refresh token is for another endpoint: --refresh, the clients of --openid and its login page have one each'

/** With which token a session goes on, and who will go on with the next. */
interface Continuation {
  /** The claims of that token. Default: a new session begins. */
  readonly previous?: Claims | undefined
  /** Default: an application. */
  readonly by?: RefreshedBy
}

/** The tokens of one response. */
export interface SessionTokens {
  /** The id of the session. */
  readonly sid: string
  readonly accessToken: string
  readonly refreshToken: string
  /** When the access token expires, in seconds since the epoch. */
  readonly expiresAt: number
}

/**
 * The sessions of one set of data. A session begins with a login, goes on with each refresh, and ends with a logout.
 *
 * Each refresh gives a new refresh token. An old one goes on until its successor is used, because two tabs or five
 * requests may refresh at once, and a response may be lost; where it is used after that, somebody else may have it,
 * and the session ends (RFC 9700 section 4.14.2).
 */
export class Sessions {
  /** Which of them have ended. */
  readonly ended: EndedSessions
  /** Whether a refresh token is good for one use: another use ends its session. */
  refreshOnce: boolean

  readonly #refreshKeys: Readonly<Record<RefreshedBy, KeyObject>>

  readonly #options: Omit<SessionsOptions, 'refreshOnce'>

  constructor({ refreshOnce, ...options }: SessionsOptions) {
    this.#options = options
    this.refreshOnce = refreshOnce
    this.ended = new EndedSessions(options)
    const derived = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', options.keys.secret, '', purpose, 32)))
    this.#refreshKeys = {
      application: derived(KEYS.application),
      client: derived(KEYS.client),
      browser: derived(KEYS.browser),
    }
  }

  /** Seconds that an access token lasts. */
  get lifetime(): number {
    return this.#options.lifetime
  }

  /** The name of the sandbox that the data is in; undefined for the main data. */
  get sandbox(): string | undefined {
    return this.#options.sandbox
  }

  /** Milliseconds since the epoch, by the clock of this data. */
  nowInMilliseconds(): number {
    return this.#options.clock()
  }

  /** The same in seconds, as tokens have it. */
  nowInSeconds(): number {
    return Math.floor(this.nowInMilliseconds() / 1000)
  }

  /**
   * The tokens of a new session, or of one that goes on. Each says which session it is (`sid`), which token it is
   * (`jti`), and a refresh token from which one it came (`parent`).
   *
   * @param claims who it is, for either token; an access token for a client of OpenID Connect, which has `client_id`, is one
   *   that others can check
   */
  signTokens(claims: object, { previous, by = 'application' }: Continuation = {}): SessionTokens {
    const { keys, lifetime } = this.#options
    const iat = this.nowInSeconds()
    const sid = typeof previous?.sid === 'string' ? previous.sid : randomUUID()
    // An application that sends only the token stays in its sandbox.
    const common = { ...claims, sandbox: this.sandbox, series: this.ended.series, sid, iat }
    const access = { ...common, jti: randomUUID(), exp: iat + lifetime }
    return {
      sid,
      expiresAt: access.exp,
      accessToken:
        by === 'client' && keys.published
          ? signPublished(access, keys.published)
          : signToken(access, keys.secret),
      refreshToken: signToken(
        { ...common, jti: randomUUID(), parent: previous?.jti, exp: iat + REFRESH_LIFETIME },
        this.#refreshKeys[by],
        'refresh+jwt',
      ),
    }
  }

  /** Whether a text is a refresh token, whoever has made it and whether or not it can still be used. */
  isRefreshToken(token: string): boolean {
    return typeOfToken(token) === 'refresh+jwt'
  }

  /** The claims of a token of this server that opens its routes, or why it has none. */
  readAccessToken(token: string): Token {
    const read = verifyAccessToken(token, this.#options.keys, this.nowInSeconds())
    const refused = read.claims && this.ended.refusalOf(read.claims)
    return refused === undefined ? read : { refusal: refused }
  }

  /**
   * The verified claims of a refresh token, whether or not it can still be used, or why it is none.
   *
   * @param by for whom it must have been made
   */
  readRefreshToken(token: string, by: RefreshedBy = 'application'): Token {
    const read = verifyToken(token, this.#refreshKeys[by], this.nowInSeconds(), 'refresh+jwt')
    if (read.claims !== undefined) return read
    const isOfOther = Object.entries(this.#refreshKeys).some(
      ([name, key]) => name !== by && verifyToken(token, key, 'whenever', 'refresh+jwt').claims !== undefined,
    )
    return isOfOther ? { refusal: invalidToken(OTHER_ENDPOINT) } : read
  }

  /**
   * Uses a refresh token.
   *
   * @param claims its own
   * @returns why it is refused; undefined if the session goes on
   */
  use(claims: Claims): Refusal | undefined {
    const refused = this.whyUnusable(claims)
    if (refused !== undefined) {
      if (this.ended.wasUsed(claims)) this.ended.end(claims)
      return refused
    }
    this.ended.noteUse(claims.parent)
    if (this.refreshOnce) this.ended.noteUse(claims.jti)
    return undefined
  }

  /** Why a refresh token cannot be used; undefined if it can. */
  whyUnusable(claims: Claims): Refusal | undefined {
    const refused = this.ended.refusalOf(claims)
    if (refused !== undefined || !this.ended.wasUsed(claims)) return refused
    const more = this.refreshOnce ? '' : ', and so was its successor'
    return invalidToken(`the refresh token was used before${more}: the session has ended`)
  }

  /**
   * Ends the session of a token of either kind, even of one that has expired.
   *
   * @returns whether the text is such a token
   */
  endBy(token: string): boolean {
    const claims = this.claimsOf(token)
    if (claims !== undefined) this.ended.end(claims)
    return claims !== undefined
  }

  /** Whether a text is a token of either kind that was made with the keys of this server, even if it has expired. */
  hasMade(token: string): boolean {
    return this.claimsOf(token) !== undefined
  }

  /** The claims of a token of either kind that was made with the keys of this server, even of one that has expired. */
  claimsOf(token: string): Claims | undefined {
    const { keys } = this.#options
    if (!this.isRefreshToken(token)) return verifyAccessToken(token, keys, 'whenever').claims
    const made = Object.values(this.#refreshKeys).map((key) =>
      verifyToken(token, key, 'whenever', 'refresh+jwt'),
    )
    return made.find(({ claims }) => claims !== undefined)?.claims
  }
}
