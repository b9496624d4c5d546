import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../errors'
import type { AllowedHosts } from '../http/allowed-hosts'
import { clearCookie } from '../http/cookies'
import { isFromOtherSite } from '../http/other-sites'
import type { AccessKeys, Claims, Token } from './access-token'
import { Contexts, type Sender } from './contexts'
import {
  OTHER_SITE,
  type TokenIn,
  type TokenPlace,
  tokenCookies,
  tokenPlaces,
  tokensIn,
} from './token-places'
import { VerifiedTokens } from './verified-tokens'

interface AuthenticationOptions {
  /** What the server knows of each request. Default: contexts of its own. */
  contexts?: Contexts
  /** The keys that sign tokens. */
  keys: AccessKeys
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Where tokens are read beside `Authorization: Bearer`. Default: nowhere. */
  tokenIn?: TokenIn | undefined
  /** Hosts whose pages may use a cookie beside those of the same host name. Default: none. */
  allowedHosts?: AllowedHosts | undefined
}

/** What refuses tokens that are valid otherwise, such as those of sessions that have ended. */
export interface SessionCheck {
  /**
   * @param request that of the token
   * @returns undefined for claims that are not refused
   */
  refusalOf(claims: Claims, request: IncomingMessage): Refusal | undefined
}

/**
 * Who sends each request under way: decided once, by the first step that asks, and read here by all others.
 */
export class Authentication {
  /** What this server knows of each request. */
  readonly contexts: Contexts
  readonly tokens: VerifiedTokens
  /** Where tokens are read, in this order. */
  readonly places: readonly TokenPlace[]

  readonly #options: AuthenticationOptions

  /** @throws OptionError for a place in which no token can be */
  constructor(options: AuthenticationOptions) {
    this.#options = options
    this.contexts = options.contexts ?? new Contexts()
    this.tokens = new VerifiedTokens(options.keys, options.clock)
    this.places = tokenPlaces(options.tokenIn)
  }

  /**
   * The claims of a request's token, or why there are none.
   *
   * @param sessionCheck may refuse the claims
   */
  tokenOf(request: IncomingMessage, sessionCheck: SessionCheck): Token {
    const token = this.verifiedTokenOf(request)
    const refusal = token.claims && sessionCheck.refusalOf(token.claims, request)
    return refusal === undefined ? token : { refusal }
  }

  /** The same, whatever has become of the session, for instance after a logout. */
  verifiedTokenOf(request: IncomingMessage): Token {
    return this.of(request).token
  }

  /** Who sends a request. */
  of(request: IncomingMessage): Sender {
    const context = this.contexts.of(request)
    context.sender ??= this.#lookAt(request)
    return context.sender
  }

  /**
   * Makes a browser forget the cookie whose token this server has made and does not take any more. Another application on
   * localhost may have a cookie of this name.
   */
  forgetOwnCookie(request: IncomingMessage, response: ServerResponse): void {
    const cookie = this.of(request).place?.cookie
    const isOwn = (sent: string) => this.tokens.isOwn(sent)
    if (cookie !== undefined && tokenCookies(request, cookie).some(isOwn)) clearCookie(response, cookie)
  }

  /** All that a request has sent as a token, valid or not. */
  sentTokens(request: IncomingMessage): string[] {
    const sent = this.places.flatMap((place) => tokensIn(place, request, this.#options.allowedHosts))
    return sent.filter((one) => typeof one === 'string')
  }

  /** Whether a page of another site has made a request: no cookie lets it in. */
  isFromOtherSite(request: IncomingMessage): boolean {
    return isFromOtherSite(request, this.#options.allowedHosts)
  }

  /** The first place in which something has been sent decides. A reason names it, unless it is the usual one. */
  #lookAt(request: IncomingMessage): Sender {
    for (const place of this.places) {
      const tokens = tokensIn(place, request, this.#options.allowedHosts).map((sent) =>
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
    const hasCookies = this.places.some(({ cookie }) => cookie !== undefined)
    return hasCookies && this.isFromOtherSite(request) ? `${reason}: ${OTHER_SITE}` : reason
  }
}
