import type { IncomingMessage } from 'node:http'
import { type Refusal, UnauthorizedError } from '../errors'
import type { RequestLine } from '../http/request'
import { ALL, type Allowed, isAllowed, isNamed } from './allow-rules'
import type { Authentication, SessionCheck } from './authentication'
import { type Grant, NO_RESOURCE } from './contexts'

/** Why a request is refused that a rule has let pass the token check. */
const LED_ELSEWHERE: Refusal = {
  reason: '--allow opens a list or a record at its own path alone, without _embed and _expand',
}

/**
 * What a request may do without a token.
 *
 * The requests named by the rules pass the token check without a token, and are checked again at the resource that
 * they reach: after the token check, a user's middleware may change the URL, and json-server's router leads
 * `/posts/1/users` to the list of users. Where all is allowed, nobody is checked, and a token
 * that is not valid is ignored.
 */
export class Access {
  readonly #authentication: Authentication
  readonly #allowed: () => Allowed

  /** @param allowed gives what needs no token now. Default: nothing does. */
  constructor(authentication: Authentication, allowed: () => Allowed = () => []) {
    this.#authentication = authentication
    this.#allowed = allowed
  }

  /** Whether no request needs a token. */
  get allowsAll(): boolean {
    return this.#allowed() === ALL
  }

  /** Whether a rule, or the word `all`, names a request. */
  allows({ method, path }: RequestLine): boolean {
    return isAllowed(this.#allowed(), method, path)
  }

  /**
   * Whether a request without a valid token may pass the token check. A rule lets a request pass only if it
   * has sent no token at all. A cookie that is refused counts as none: it may be that of another application on
   * localhost, and a browser sends it by itself.
   */
  admit(request: IncomingMessage & RequestLine): boolean {
    if (this.allowsAll) return true
    const { place } = this.#authentication.of(request)
    const context = this.#authentication.contexts.of(request)
    const { method, path } = request
    const hasSent = place !== undefined && place.cookie === undefined
    if (!hasSent && this.allows(request)) context.grant = { method, path }
    return context.grant !== undefined
  }

  /**
   * Lets a request pass the token check whatever token it has, because it asks for one: a sign-up, or a login that a
   * user's middleware may respond to. It reaches no resource.
   */
  grant(request: IncomingMessage): void {
    this.#authentication.contexts.of(request).grant = NO_RESOURCE
  }

  /**
   * Refuses a request that was let pass without a token, unless it has come to what a rule has named.
   *
   * @param place the path of the list or the record that the request will read or change; undefined if it is
   *   nested, or reads others as well
   * @throws UnauthorizedError
   */
  require(request: IncomingMessage & RequestLine, place: string | undefined): void {
    const grant = this.grantOf(request)
    if (grant === undefined) return
    if (grant === NO_RESOURCE || place !== grant.path || request.method !== grant.method)
      throw new UnauthorizedError(LED_ELSEWHERE)
  }

  /** Whether a rule names each part of a request's path: `:id` in it would stand for any. */
  isNamed({ method, path }: RequestLine): boolean {
    return isNamed(this.#allowed(), method, path)
  }

  /**
   * Whether a request that is under way would still be let in: its token may have expired, or its session ended.
   *
   * @param sessionCheck that of `Authentication.tokenOf`
   */
  mayStay(request: IncomingMessage, sessionCheck: SessionCheck): boolean {
    const isWithoutToken = this.allowsAll || this.grantOf(request) !== undefined
    return isWithoutToken || this.#authentication.tokenOf(request, sessionCheck).claims !== undefined
  }

  /** All that a request may do that was let pass without a token; undefined for one that may do everything. */
  grantOf(request: IncomingMessage): Grant | undefined {
    const { grant } = this.#authentication.contexts.of(request)
    return grant === undefined || this.allowsAll ? undefined : grant
  }
}
