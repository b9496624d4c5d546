import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Refusal, UnauthorizedError } from '../errors'
import { isFromOtherSite } from '../http/other-sites'
import type { RequestLine } from '../http/request'
import { areClaims, type Claims, verifyToken } from './access-token'
import { ALL, type Allowed, isAllowed } from './allow-rules'
import { OTHER_SITE, type TokenIn, type TokenPlace, tokenPlaces } from './token-places'

export interface VisitorsOptions {
  /** The key that signs tokens. */
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** What needs no token. */
  allowed: Allowed
  /** Where tokens are read beside `Authorization: Bearer`. Default: nowhere. */
  tokenIn?: TokenIn
  /** Whether a claim can be the name of a sandbox. Default: there are no sandboxes. */
  isSandbox?: ((claim: unknown) => boolean) | undefined
}

/** How many tokens are remembered. */
const MOST_REMEMBERED = 1000

/** Why a token is refused that was made in a sandbox, where there can be none of its name. */
const OF_SANDBOX: Refusal = {
  reason: 'the token was made in a sandbox, and this server has none of that name',
  isInvalidToken: true,
}

/** The verified claims of a request's token, or why there are none. */
type Token = { claims: Claims; refusal?: undefined } | { claims?: undefined; refusal: Refusal }

/** What refuses tokens that are valid otherwise, such as those of sessions that have ended. */
export interface Judge {
  /** @returns undefined for claims that are not refused */
  refusalOf(claims: Claims): Refusal | undefined
}

/** Who sends a request. */
interface Visitor {
  token: Token
  /** Where the request has sent something; undefined if nowhere. */
  readonly place?: TokenPlace | undefined
  /** Whether the request has passed the token check without a token, by a rule that names it. */
  isAnonymous: boolean
}

/**
 * Who sends each request under way: decided once, by the first step that asks, and read here by all others.
 *
 * The requests named by the rules pass the token check without a token, and are checked again later, so that
 * they reach nothing else: after the token check, a user's middleware may change the URL, and json-server's
 * router leads `/posts/1/users` to the list of users. Where all is allowed, nobody is checked, and a token
 * that is not valid is ignored.
 */
export class Visitors {
  readonly #visitors = new WeakMap<IncomingMessage, Visitor>()
  /**
   * The claims of verified tokens, because a client sends the same token with every request, and to verify it takes
   * a twentieth of the processor time of a small request.
   */
  readonly #verified = new Map<string, Claims>()
  readonly #places: readonly TokenPlace[]

  private readonly options: VisitorsOptions

  /** @throws TypeError for a place in which no token can be */
  constructor(options: VisitorsOptions) {
    this.options = options
    this.#places = tokenPlaces(options.tokenIn)
  }

  /** The claims of a request's token, or why there are none. */
  tokenOf(request: IncomingMessage): Token {
    return this.#visitorOf(request).token
  }

  /** The same, after somebody else has judged the claims, too: from then on, the request has no claims if refused. */
  judge(request: IncomingMessage, judge: Judge): Token {
    const visitor = this.#visitorOf(request)
    const refusal = visitor.token.claims && judge.refusalOf(visitor.token.claims)
    if (refusal !== undefined) visitor.token = { refusal }
    return visitor.token
  }

  /** The cookie whose token is not valid, whoever sends it; undefined if the request has sent no such cookie. */
  badCookieOf(request: IncomingMessage): string | undefined {
    const { token, place } = this.#visitorOf(request)
    return token.refusal?.isInvalidToken ? place?.cookie : undefined
  }

  /** Whether no request needs a token. */
  get areAllAllowed(): boolean {
    return this.options.allowed === ALL
  }

  /**
   * Whether a request without a valid token may pass the token check. A rule lets a request pass only if it
   * has sent no token at all. A cookie that is refused counts as none: it may be that of another application on
   * localhost, and a browser sends it by itself.
   */
  admit(request: IncomingMessage & RequestLine): boolean {
    if (this.areAllAllowed) return true
    const visitor = this.#visitorOf(request)
    const { place } = visitor
    visitor.isAnonymous =
      (place === undefined || place.cookie !== undefined) &&
      isAllowed(this.options.allowed, request.method, request.path)
    return visitor.isAnonymous
  }

  /**
   * Refuses a place that a request reaches after the token check, unless it has a token or a rule names the
   * place.
   *
   * @param place the path of the resource or record that the request will read or change; undefined if no
   *   rule can name it
   * @throws UnauthorizedError when the request has no token and no rule names the place
   */
  requireAccess(request: IncomingMessage & RequestLine, place: string | undefined): void {
    if (!this.#visitorOf(request).isAnonymous) return
    if (place === undefined || !isAllowed(this.options.allowed, request.method, place))
      throw new UnauthorizedError()
  }

  #visitorOf(request: IncomingMessage): Visitor {
    const known = this.#visitors.get(request)
    if (known !== undefined) return known
    const visitor = this.#lookAt(request)
    this.#visitors.set(request, visitor)
    return visitor
  }

  /** The first place in which something has been sent decides. */
  #lookAt(request: IncomingMessage): Visitor {
    for (const place of this.#places) {
      const sent = place.read(request)
      if (sent === undefined) continue
      const token = 'token' in sent ? this.#verify(sent.token) : { refusal: sent }
      return { token, place, isAnonymous: false }
    }
    return { token: { refusal: { reason: this.#whyNone(request) } }, isAnonymous: false }
  }

  #whyNone(request: IncomingMessage): string {
    const reason = `there is no ${this.#places.map(({ name }) => name).join(', no ')}`
    const mayNeedCookie = this.#places.some(({ cookie }) => cookie !== undefined)
    return mayNeedCookie && isFromOtherSite(request) ? `${reason}: ${OTHER_SITE}` : reason
  }

  #verify(sent: string): Token {
    const { key, clock, isSandbox } = this.options
    const now = Math.floor(clock() / 1000)
    const verified = this.#verified.get(sent)
    if (verified !== undefined && now < verified.exp) return { claims: verified }
    const token = verifyToken(sent, key, now)
    if (!areClaims(token)) return { refusal: token }
    if (token.sandbox !== undefined && !isSandbox?.(token.sandbox)) return { refusal: OF_SANDBOX }
    if (this.#verified.size >= MOST_REMEMBERED) this.#verified.clear()
    this.#verified.set(sent, token)
    return { claims: token }
  }
}
