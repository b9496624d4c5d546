import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Page, type Refusal, UnauthorizedError } from '../errors'
import type { AllowedHosts } from '../http/allowed-hosts'
import { cookiesIn } from '../http/cookies'
import { isFromOtherSite } from '../http/other-sites'
import type { RequestLine } from '../http/request'
import { type Claims, looksLikeToken, type Token, verifyToken } from './access-token'
import { ALL, type Allowed, isAllowed } from './allow-rules'
import { Contexts, type Limit, type Visitor } from './contexts'
import { OTHER_SITE, type TokenIn, type TokenPlace, tokenPlaces, tokensIn } from './token-places'

interface VisitorsOptions {
  /** What the server knows of each request. Default: contexts of its own. */
  contexts?: Contexts
  /** The key that signs tokens. */
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** What needs no token. */
  allowed: Allowed
  /** Where tokens are read beside `Authorization: Bearer`. Default: nowhere. */
  tokenIn?: TokenIn
  /** Hosts whose pages may use a cookie beside those of the same host name. Default: none. */
  allowedHosts?: AllowedHosts | undefined
  /** Makes the body of a 401 from a sentence that says why. Default: `"Unauthorized"`. */
  refusalBody?: ((message: string) => unknown) | undefined
}

/** How many tokens are remembered. */
const MOST_REMEMBERED = 1000

/** What refuses tokens that are valid otherwise, such as those of sessions that have ended. */
export interface Judge {
  /** @returns undefined for claims that are not refused */
  refusalOf(claims: Claims): Refusal | undefined
}

/** Why a request is refused that a rule has let pass the token check. */
const LED_ELSEWHERE: Refusal = {
  reason: '--allow opens a list or a record at its own path alone, without _embed and _expand',
}

/**
 * Who sends each request under way: decided once, by the first step that asks, and read here by all others.
 *
 * The requests named by the rules pass the token check without a token, and are checked again at the resource that
 * they reach: after the token check, a user's middleware may change the URL, and json-server's router leads
 * `/posts/1/users` to the list of users. Where all is allowed, nobody is checked, and a token
 * that is not valid is ignored.
 */
export class Visitors {
  /** What this server knows of each request. */
  readonly contexts: Contexts
  /**
   * The claims of verified tokens, because a client sends the same token with every request, and to verify it takes
   * a twentieth of the processor time of a small request.
   */
  readonly #verified = new Map<string, Claims>()
  /** Where tokens are read, in this order. */
  readonly places: readonly TokenPlace[]

  private readonly options: VisitorsOptions

  /** @throws OptionError for a place in which no token can be */
  constructor(options: VisitorsOptions) {
    this.options = options
    this.contexts = options.contexts ?? new Contexts()
    this.places = tokenPlaces(options.tokenIn)
  }

  /** The cookies in which tokens travel. */
  get cookies(): string[] {
    return this.places.flatMap(({ cookie }) => cookie ?? [])
  }

  /**
   * The claims of a request's token, or why there are none.
   *
   * @param judge may refuse the claims, for all who ask from then on
   */
  tokenOf(request: IncomingMessage, judge?: Judge): Token {
    const visitor = this.#visitorOf(request)
    const refusal = visitor.token.claims && judge?.refusalOf(visitor.token.claims)
    if (refusal !== undefined) visitor.token = { refusal }
    return visitor.token
  }

  /**
   * The cookie whose token is not valid any more, whoever sends it; undefined if the request has sent none that this
   * server has made: another application on localhost may have a cookie of this name.
   */
  badCookieOf(request: IncomingMessage): string | undefined {
    const { token, place } = this.#visitorOf(request)
    const cookie = token.refusal?.isInvalidToken ? place?.cookie : undefined
    if (cookie === undefined) return undefined
    // At that time, no token had expired.
    const isOurs = (sent: string) => verifyToken(sent, this.options.key, 1).claims !== undefined
    return cookiesIn(request, cookie).some(isOurs) ? cookie : undefined
  }

  /** Where a request holds a valid token that is not read there, as a clause for the server's log. */
  unreadTokenOf(request: IncomingMessage): string | undefined {
    const isValid = (sent: unknown) => looksLikeToken(sent) && this.#verify(sent).claims !== undefined
    const header = Object.keys(request.headers).find(
      (name) => name !== 'cookie' && tokensIn({ name, header: name, isBare: true }, request).some(isValid),
    )
    if (header !== undefined) return `--token-in ${header} would read the token in that header`
    const query = new URLSearchParams(request.url?.split('?')[1])
    return [...query.values()].some(isValid) ? 'a token in the query is not read' : undefined
  }

  /** Whether a page of another site has made a request: no cookie lets it in. */
  isFromOtherSite(request: IncomingMessage): boolean {
    return isFromOtherSite(request, this.options.allowedHosts)
  }

  /** All that a request has sent as a token, valid or not. */
  sentTokens(request: IncomingMessage): string[] {
    const sent = this.places.flatMap((place) => tokensIn(place, request, this.options.allowedHosts))
    return sent.filter((one) => typeof one === 'string')
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
    if (!hasSent && isAllowed(this.options.allowed, method, path)) visitor.limit ??= { method, path }
    return visitor.limit !== undefined
  }

  /**
   * Lets a request pass the token check whatever token it has, because it asks for one: a sign-up, or a login that a
   * user's middleware may respond to. It reaches no resource.
   */
  letPass(request: IncomingMessage): void {
    this.#visitorOf(request).limit = { method: 'POST', path: undefined }
  }

  /**
   * Refuses a request that was let pass without a token, unless it has come to what a rule has named.
   *
   * @param place the path of the list or the record that the request will read or change; undefined if it is
   *   nested, or reads others as well
   * @throws UnauthorizedError
   */
  requireAccess(request: IncomingMessage & RequestLine, place: string | undefined): void {
    const limit = this.limitOf(request)
    if (limit === undefined || this.areAllAllowed) return
    if (place === undefined || place !== limit.path || request.method !== limit.method)
      throw this.unauthorized(LED_ELSEWHERE)
  }

  /**
   * Whether a request that is under way would still be let in: its token may have expired, or its session ended.
   *
   * @param judge that of {@link tokenOf}
   */
  mayStay(request: IncomingMessage, judge?: Judge): boolean {
    const isWithoutToken = this.areAllAllowed || this.limitOf(request) !== undefined
    return isWithoutToken || this.tokenOf(request, judge).claims !== undefined
  }

  /** All that a request may do that was let pass without a token. */
  limitOf(request: IncomingMessage): Limit | undefined {
    return this.#visitorOf(request).limit
  }

  /** The error for a request that needs a token, and has none that is valid. */
  unauthorized(refusal?: Refusal, page?: Page): UnauthorizedError {
    const { refusalBody = () => 'Unauthorized' } = this.options
    const message = refusal?.isInvalidToken
      ? `The token is refused: ${refusal.reason}.`
      : 'Log in first: a token is needed.'
    return new UnauthorizedError(refusal, page ?? { body: refusalBody(message) })
  }

  #visitorOf(request: IncomingMessage): Visitor {
    const context = this.contexts.of(request)
    context.visitor ??= this.#lookAt(request)
    return context.visitor
  }

  /** The first place in which something has been sent decides. A reason names it, unless it is the usual one. */
  #lookAt(request: IncomingMessage): Visitor {
    for (const place of this.places) {
      const tokens = tokensIn(place, request, this.options.allowedHosts).map((sent) =>
        typeof sent === 'string' ? this.#verify(sent) : { refusal: sent },
      )
      const token = tokens.find(({ claims }) => claims !== undefined) ?? tokens[0]
      if (token === undefined) continue
      if (token.refusal === undefined || place === this.places[0]) return { token, place }
      const reason = `${place.name}: ${token.refusal.reason}`
      return { token: { refusal: { ...token.refusal, reason } }, place }
    }
    return { token: { refusal: { reason: this.#reasonForNone(request) } } }
  }

  #reasonForNone(request: IncomingMessage): string {
    const reason = `there is no ${this.places.map(({ name }) => name).join(', no ')}`
    return this.cookies.length > 0 && this.isFromOtherSite(request) ? `${reason}: ${OTHER_SITE}` : reason
  }

  #verify(sent: string): Token {
    const { key, clock } = this.options
    const now = Math.floor(clock() / 1000)
    const verified = this.#verified.get(sent)
    if (verified !== undefined && now < verified.exp) return { text: sent, claims: verified }
    const token = verifyToken(sent, key, now)
    if (token.claims === undefined) return token
    if (this.#verified.size >= MOST_REMEMBERED) this.#verified.clear()
    this.#verified.set(sent, token.claims)
    return token
  }
}
