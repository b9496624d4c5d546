import { Access } from '../lib/auth/access'
import { type Claims, type SigningKey, signingKey } from '../lib/auth/access-token'
import type { AccountRoute } from '../lib/auth/account-route'
import { Authentication, type SessionCheck } from '../lib/auth/authentication'
import { passedSessions } from '../lib/auth/login-sessions'
import { soughtRoute } from '../lib/auth/sought-route'
import { unreadToken } from '../lib/auth/token-advice'
import type { TokenIn } from '../lib/auth/token-places'
import { type TokenRefusal, unauthorizedBody } from '../lib/auth/unauthorized-body'
import { type Refusal, UnauthorizedError } from '../lib/errors'
import { type ErrorBody, setCommonErrorBody } from '../lib/http/error-body'
import type { Handler, HttpRequest } from '../lib/http/handler'
import { notesOf } from '../lib/http/notes'
import { type KindsOf, LOOKED_AT_ELSEWHERE, requireKinds } from '../lib/option-kinds'

declare global {
  namespace Express {
    interface Request {
      /** The claims of the request's token, set by the token check. */
      auth?: Claims
    }
  }
}

/** A request to which the token check adds the claims. */
interface AuthenticatedRequest extends HttpRequest {
  auth?: Claims
}

export interface BearerTokenOptions {
  /** The secret that signs tokens, the same for the login and the token check. */
  key: SigningKey
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
  /**
   * Where the token is read in addition: the name of a header that holds it, `authorization` for that header without
   * `Bearer`, or with `Token` or `JWT` in its place, or `cookie:` and the name of a cookie. Default: nowhere.
   */
  tokenIn?: TokenIn
}

const TOKEN_KINDS: KindsOf<BearerTokenOptions> = {
  key: LOOKED_AT_ELSEWHERE,
  clock: ['a function that returns at once'],
  tokenIn: LOOKED_AT_ELSEWHERE,
}

/**
 * The token check: lets a request pass only with `Authorization: Bearer <token>` and a token that is signed
 * with HS256 and the key, has an expiry that is not past, and whose session no `login()` ahead of it has ended.
 *
 * Sets `request.auth` to the token's claims, or passes on a 401 (docs/promises.md, Tokens; RFC 6750
 * section 2.1: the header alone, never the query, unless `tokenIn` names another place).
 *
 * @throws TypeError when the key is missing or empty, an option is of the wrong kind or does not exist, or a place of
 *   `tokenIn` can hold no token
 *
 * @example
 * app.use('/private', bearerToken({ key })) // the same key as the login's
 */
export function bearerToken(options: BearerTokenOptions): Handler<AuthenticatedRequest> {
  requireKinds(options, TOKEN_KINDS)
  const { key: secret, clock = Date.now, tokenIn = [] } = options
  const key = signingKey(secret)
  const authentication = new Authentication({ keys: { secret: key }, clock, tokenIn })
  return tokenCheck({
    authentication,
    access: new Access(authentication),
    sessionCheck: passedSessions(key),
  })
}

export interface TokenCheckOptions {
  authentication: Authentication
  access: Access
  /** Where one logs in, for the log. Default: nowhere. */
  accountRoutes?: readonly AccountRoute[]
  /** Refuses tokens of the data that the requests are for. */
  sessionCheck: SessionCheck
  /** What a person sees in place of `"Unauthorized"`, if a browser has sent the request. Default: nothing. */
  pageFor?: ((request: HttpRequest) => ErrorBody | undefined) | undefined
  /** How any other 401 is sent. Default: with the body `"Unauthorized"`. */
  tokenRefusal?: TokenRefusal | undefined
  /** Whether anybody reads why a request is refused. Default: true. */
  isWatched?: boolean
}

/** The same token check, for an application in which other steps look at the token, too. */
export function tokenCheck({
  authentication,
  access,
  accountRoutes = [],
  sessionCheck,
  pageFor,
  tokenRefusal,
  isWatched = true,
}: TokenCheckOptions): Handler<AuthenticatedRequest> {
  const usualBody = tokenRefusal && unauthorizedBody(tokenRefusal)
  return function tokenCheckMiddleware(request, response, next) {
    const { claims, refusal } = authentication.tokenOf(request, sessionCheck)
    if (claims !== undefined) {
      request.auth = copyOfClaims(claims)
      return next()
    }
    if (refusal.isInvalidToken) authentication.forgetOwnCookie(request, response)
    const errorBody = pageFor?.(request) ?? usualBody
    if (errorBody !== undefined) setCommonErrorBody(request, errorBody)
    if (access.admit(request)) return next()
    const advice = isWatched ? adviceOnRefusal(request, refusal, authentication, accountRoutes) : undefined
    next(new UnauthorizedError({ ...refusal, advice }))
  }
}

/** What the log says beside the reason: where a token is that is not read, and where the route is that is looked for. */
function adviceOnRefusal(
  request: HttpRequest,
  { isInvalidToken }: Refusal,
  authentication: Authentication,
  accountRoutes: readonly AccountRoute[],
): string | undefined {
  const clauses = [
    isInvalidToken ? undefined : unreadToken(request, authentication.tokens),
    soughtRoute(request, accountRoutes, notesOf(request).sentTarget),
  ]
  return clauses.filter((clause) => clause !== undefined).join('; ') || undefined
}

/**
 * The claims for one request: a user's middleware may change them, and the next request with the token has those
 * that are remembered. A clone takes 3 us, which only claims with lists or objects need.
 */
function copyOfClaims(claims: Claims): Claims {
  const isFlat = Object.values(claims).every((claim) => typeof claim !== 'object')
  return isFlat ? { ...claims } : structuredClone(claims)
}
