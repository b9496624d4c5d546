import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Page, type Refusal, UnauthorizedError } from '../errors'
import { isFromOtherSite } from '../http/other-sites'
import type { RequestLine } from '../http/request'
import { areClaims, type Claims, verifyToken } from './access-token'
import { ALL, type Allowed, isAllowed } from './allow-rules'
import { OTHER_SITE, type Sent, type TokenIn, type TokenPlace, tokenPlaces } from './token-places'

export interface VisitorsOptions {
  /** The key that signs tokens. */
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** What needs no token. */
  allowed: Allowed
  /** Where tokens are read beside `Authorization: Bearer`. Default: nowhere. */
  tokenIn?: TokenIn
  /** The body of a 401, in place of `"Unauthorized"`, from a sentence that says why. */
  refusalBody?: ((message: string) => unknown) | undefined
}

/** How many tokens are remembered. */
const MOST_REMEMBERED = 1000

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
  readonly place?: TokenPlace
  /** Where the request may go, if it has passed the token check without a token. */
  mayReach: MayReach | undefined
}

/** Why a request is refused that a rule has let pass the token check. */
const LED_ELSEWHERE: Refusal = {
  reason: '--allow opens a list or a record at its own path alone, without _embed and _expand',
}

/** Whether a request without a token may read or change a resource or a record. */
type MayReach = (method: string, place: string) => boolean

/**
 * Who sends each request under way: decided once, by the first step that asks, and read here by all others.
 *
 * The requests named by the rules pass the token check without a token, and are checked again at the resource that
 * they reach: after the token check, a user's middleware may change the URL, and json-server's router leads
 * `/posts/1/users` to the list of users. Where all is allowed, nobody is checked, and a token
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

  /** @throws OptionError for a place in which no token can be */
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
    const { method, path } = request
    const hasSent = visitor.place !== undefined && visitor.place.cookie === undefined
    if (!hasSent && isAllowed(this.options.allowed, method, path))
      visitor.mayReach ??= (asked, place) => asked === method && place === path
    return visitor.mayReach !== undefined
  }

  /**
   * Lets a request pass the token check whatever token it has, because it asks for one: a sign-up, or a login that a
   * user's middleware may respond to.
   *
   * @param mayReach where it may go after that. Default: nowhere but to a middleware
   */
  admitTo(request: IncomingMessage, mayReach: MayReach = () => false): void {
    this.#visitorOf(request).mayReach = mayReach
  }

  /**
   * Refuses a request that was let pass without a token, unless it has come to what a rule has named.
   *
   * @param place the path of the list or the record that the request will read or change; undefined if it is
   *   nested, or reads others as well
   * @throws UnauthorizedError
   */
  requireAccess(request: IncomingMessage & RequestLine, place: string | undefined): void {
    const { mayReach } = this.#visitorOf(request)
    if (mayReach === undefined) return
    if (place === undefined || !mayReach(request.method, place)) throw this.unauthorized(LED_ELSEWHERE)
  }

  /** The error for a request that needs a token, and has none that is valid. */
  unauthorized(refusal?: Refusal, page?: Page): UnauthorizedError {
    const { refusalBody } = this.options
    if (refusalBody === undefined || page !== undefined) return new UnauthorizedError(refusal, page)
    const message = refusal?.isInvalidToken
      ? `Log in again: ${refusal.reason}.`
      : 'Log in first: a token is needed.'
    return new UnauthorizedError(refusal, { text: JSON.stringify(refusalBody(message), null, 2) })
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
      const tokens = place.read(request).map((sent) => this.#tokenOf(sent, place))
      const token = tokens.find(({ claims }) => claims !== undefined) ?? tokens[0]
      if (token !== undefined) return { token, place, mayReach: undefined }
    }
    return { token: { refusal: { reason: this.#whyNone(request) } }, mayReach: undefined }
  }

  #tokenOf(sent: Sent, place: TokenPlace): Token {
    const { claims, refusal } = 'token' in sent ? this.#verify(sent.token) : { refusal: sent }
    return refusal === undefined ? { claims } : { refusal: this.#refusalIn(place, refusal) }
  }

  /** The reason says in which place the token was, unless that is the usual one. */
  #refusalIn(place: TokenPlace, refusal: Refusal): Refusal {
    return place === this.#places[0] ? refusal : { ...refusal, reason: `${place.name}: ${refusal.reason}` }
  }

  #whyNone(request: IncomingMessage): string {
    const reason = `there is no ${this.#places.map(({ name }) => name).join(', no ')}`
    const mayNeedCookie = this.#places.some(({ cookie }) => cookie !== undefined)
    return mayNeedCookie && isFromOtherSite(request) ? `${reason}: ${OTHER_SITE}` : reason
  }

  #verify(sent: string): Token {
    const { key, clock } = this.options
    const now = Math.floor(clock() / 1000)
    const verified = this.#verified.get(sent)
    if (verified !== undefined && now < verified.exp) return { claims: verified }
    const token = verifyToken(sent, key, now)
    if (!areClaims(token)) return { refusal: token }
    if (this.#verified.size >= MOST_REMEMBERED) this.#verified.clear()
    this.#verified.set(sent, token)
    return { claims: token }
  }
}
