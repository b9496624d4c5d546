import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Page, type Refusal, UnauthorizedError } from '../errors'
import type { AllowedHosts } from '../http/allowed-hosts'
import { isFromOtherSite } from '../http/other-sites'
import type { RequestLine } from '../http/request'
import type { Claims, Token } from './access-token'
import { ALL, type Allowed, isAllowed, isNamed } from './allow-rules'
import { Contexts, type Limit, type Visitor } from './contexts'
import { OTHER_SITE, type TokenIn, type TokenPlace, tokenPlaces, tokensIn } from './token-places'
import { VerifiedTokens } from './verified-tokens'

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
  tokenIn?: TokenIn | undefined
  /** Hosts whose pages may use a cookie beside those of the same host name. Default: none. */
  allowedHosts?: AllowedHosts | undefined
  /** Makes the body of a 401 from a sentence that says why. Default: `"Unauthorized"`. */
  refusalBody?: ((message: string) => unknown) | undefined
}

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
 * Who sends each request under way, and what they may reach: decided once, by the first step that asks, and read here by all
 * others.
 *
 * The requests named by the rules pass the token check without a token, and are checked again at the resource that
 * they reach: after the token check, a user's middleware may change the URL, and json-server's router leads
 * `/posts/1/users` to the list of users. Where all is allowed, nobody is checked, and a token
 * that is not valid is ignored.
 */
export class Visitors {
  /** What this server knows of each request. */
  readonly contexts: Contexts
  readonly tokens: VerifiedTokens
  /** Where tokens are read, in this order. */
  readonly places: readonly TokenPlace[]

  private readonly options: VisitorsOptions

  /** @throws OptionError for a place in which no token can be */
  constructor(options: VisitorsOptions) {
    this.options = options
    this.contexts = options.contexts ?? new Contexts()
    this.tokens = new VerifiedTokens(options.key, options.clock)
    this.places = tokenPlaces(options.tokenIn)
  }

  /** The cookies in which tokens travel. */
  get cookies(): string[] {
    return this.places.flatMap(({ cookie }) => cookie ?? [])
  }

  /** Whether no request needs a token. */
  get areAllAllowed(): boolean {
    return this.options.allowed === ALL
  }

  /**
   * The claims of a request's token, or why there are none.
   *
   * @param judge may refuse the claims, for all who ask from then on
   */
  tokenOf(request: IncomingMessage, judge?: Judge): Token {
    const visitor = this.of(request)
    const refusal = visitor.token.claims && judge?.refusalOf(visitor.token.claims)
    if (refusal !== undefined) visitor.token = { refusal }
    return visitor.token
  }

  /** Who sends a request. */
  of(request: IncomingMessage): Visitor {
    const context = this.contexts.of(request)
    context.visitor ??= this.#lookAt(request)
    return context.visitor
  }

  /** All that a request has sent as a token, valid or not. */
  sentTokens(request: IncomingMessage): string[] {
    const sent = this.places.flatMap((place) => tokensIn(place, request, this.options.allowedHosts))
    return sent.filter((one) => typeof one === 'string')
  }

  /** Whether a page of another site has made a request: no cookie lets it in. */
  isFromOtherSite(request: IncomingMessage): boolean {
    return isFromOtherSite(request, this.options.allowedHosts)
  }

  /**
   * Whether a request without a valid token may pass the token check. A rule lets a request pass only if it
   * has sent no token at all. A cookie that is refused counts as none: it may be that of another application on
   * localhost, and a browser sends it by itself.
   */
  admit(request: IncomingMessage & RequestLine): boolean {
    if (this.areAllAllowed) return true
    const visitor = this.of(request)
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
    this.of(request).limit = { method: 'POST', path: undefined }
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
    if (!this.isLimited(request)) return
    if (place === undefined || place !== limit?.path || request.method !== limit.method)
      throw this.unauthorized(LED_ELSEWHERE)
  }

  /** Whether a request was let pass without a token, for one thing alone. */
  isLimited(request: IncomingMessage): boolean {
    return !this.areAllAllowed && this.limitOf(request) !== undefined
  }

  /** Whether a rule names each part of a request's path: `:id` in it would stand for any. */
  isNamed({ method, path }: RequestLine): boolean {
    return isNamed(this.options.allowed, method, path)
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
    return this.of(request).limit
  }

  /** The error for a request that needs a token, and has none that is valid. */
  unauthorized(refusal?: Refusal, page?: Page): UnauthorizedError {
    const { refusalBody = () => 'Unauthorized' } = this.options
    const message = refusal?.isInvalidToken
      ? `The token is refused: ${refusal.reason}.`
      : 'Log in first: a token is needed.'
    return new UnauthorizedError(refusal, page ?? { body: refusalBody(message) })
  }

  /** The first place in which something has been sent decides. A reason names it, unless it is the usual one. */
  #lookAt(request: IncomingMessage): Visitor {
    for (const place of this.places) {
      const tokens = tokensIn(place, request, this.options.allowedHosts).map((sent) =>
        typeof sent === 'string' ? this.tokens.read(sent) : { refusal: sent },
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
}
