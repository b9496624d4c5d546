import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Refusal, UnauthorizedError } from '../errors'
import type { RequestLine } from '../http/request'
import { areClaims, type Claims } from './access-token'
import { ALL, type Allowed, isAllowed } from './allow-rules'
import { bearerClaims } from './bearer-claims'

export interface VisitorsOptions {
  /** The key that signs tokens. */
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** What needs no token. */
  allowed: Allowed
}

/** How many tokens are remembered. */
const MOST_REMEMBERED = 1000

/** The verified claims of a request's token, or why there are none. */
type Token = { claims: Claims; refusal?: undefined } | { claims?: undefined; refusal: Refusal }

/** Who sends a request. */
interface Visitor {
  readonly token: Token
  /** The method and the path with which a rule has let the request pass the token check without a token. */
  admitted?: string | undefined
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
  readonly #visitors = new WeakMap<IncomingMessage, Visitor>()
  /**
   * The claims of verified tokens, by the header: a client sends the same header with every request, and to
   * verify its token takes a twentieth of the processor time of a small request.
   */
  readonly #verified = new Map<string | undefined, Claims>()

  private readonly options: VisitorsOptions

  constructor(options: VisitorsOptions) {
    this.options = options
  }

  /** The claims of a request's token, or why there are none. */
  tokenOf(request: IncomingMessage): Token {
    return this.#visitorOf(request).token
  }

  /** Whether no request needs a token. */
  get areAllAllowed(): boolean {
    return this.options.allowed === ALL
  }

  /**
   * Whether a request without a valid token may pass the token check. A rule lets a request pass only if it
   * has sent no token at all.
   */
  admit(request: IncomingMessage & RequestLine): boolean {
    if (this.areAllAllowed) return true
    const { method, path, headers } = request
    if (headers.authorization !== undefined || !isAllowed(this.options.allowed, method, path)) return false
    this.#visitorOf(request).admitted = `${method} ${path}`
    return true
  }

  /**
   * Refuses a request that was let pass without a token, unless it has come to what a rule has named.
   *
   * @param place the path of the list or the record that the request will read or change; undefined if it is
   *   nested, or reads others as well
   * @throws UnauthorizedError
   */
  requireAccess(request: IncomingMessage & RequestLine, place: string | undefined): void {
    const { admitted } = this.#visitorOf(request)
    if (admitted !== undefined && (place === undefined || admitted !== `${request.method} ${place}`))
      throw new UnauthorizedError(LED_ELSEWHERE)
  }

  #visitorOf(request: IncomingMessage): Visitor {
    const known = this.#visitors.get(request)
    if (known !== undefined) return known
    const visitor: Visitor = { token: this.#tokenIn(request.headers.authorization) }
    this.#visitors.set(request, visitor)
    return visitor
  }

  #tokenIn(authorization: string | undefined): Token {
    const { key, clock } = this.options
    const now = Math.floor(clock() / 1000)
    const verified = this.#verified.get(authorization)
    if (verified !== undefined && now < verified.exp) return { claims: verified }
    const token = bearerClaims(authorization, key, now)
    if (!areClaims(token)) return { refusal: token }
    if (this.#verified.size >= MOST_REMEMBERED) this.#verified.clear()
    this.#verified.set(authorization, token)
    return { claims: token }
  }
}
