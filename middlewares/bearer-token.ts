import { type Claims, isValidOn, OF_OTHER_DATA, type SigningKey, signingKey } from '../lib/auth/access-token'
import { areClaims, bearerClaims } from '../lib/auth/bearer-claims'
import { UnauthorizedError } from '../lib/errors'
import type { Handler, HttpRequest } from '../lib/http/handler'

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
   * The name of the data that a request is for; undefined for the main data. Default: always the main data.
   */
  dataName?: (request: HttpRequest) => string | undefined
  /** Whether a request needs no token. A token that is sent is still checked. Default: all need one. */
  allows?: (request: HttpRequest) => boolean
}

/**
 * The token check: lets a request pass only with `Authorization: Bearer <token>` and a token that is signed
 * with HS256 and the key, and has an expiry that is not past. The only place that verifies.
 *
 * Sets `request.auth` to the token's claims, or passes on a 401 (docs/interface.md, Tokens; RFC 6750
 * section 2.1: the header alone, never the query or a cookie).
 *
 * @throws TypeError when the key is missing or empty
 *
 * @example
 * app.use('/private', bearerToken({ key })) // the same key as the login's
 */
export function bearerToken({
  key,
  clock = Date.now,
  dataName = () => undefined,
  allows = () => false,
}: BearerTokenOptions): Handler<AuthenticatedRequest> {
  const secret = signingKey(key)
  return function bearerTokenMiddleware(request, _response, next) {
    if (request.headers.authorization === undefined && allows(request)) return next()
    const claims = bearerClaims(request.headers.authorization, secret, clock())
    if (!areClaims(claims)) return next(new UnauthorizedError(claims))
    if (!isValidOn(claims, dataName(request))) return next(new UnauthorizedError(OF_OTHER_DATA))
    request.auth = claims
    next()
  }
}
