import type { KeyObject } from 'node:crypto'
import { type Claims, type SigningKey, signingKey, verifyToken } from '../lib/auth/access-token'
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

/** A request to which the token check gives its claims. */
export interface AuthenticatedRequest extends HttpRequest {
  auth?: Claims
}

export interface BearerTokenOptions {
  /** The secret that signs tokens, the same for the login and the token check. */
  key: SigningKey
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

/**
 * The token check: lets a request pass only with `Authorization: Bearer <token>` and a token that is signed with
 * HS256 and the key, has an expiry and has not reached it. The only place that verifies.
 *
 * Sets `request.auth` to the token's claims, or passes on a 401 (blog-and-user-mock-service, Authentication;
 * RFC 6750 section 2.1: the header alone, never the query or a cookie).
 *
 * @throws TypeError when the key is missing or empty
 */
export function bearerToken({ key, clock = Date.now }: BearerTokenOptions): Handler<AuthenticatedRequest> {
  const tokens = new KnownTokens(signingKey(key))
  return function bearerTokenMiddleware(request, _response, next) {
    const token = readBearerToken(request.headers.authorization)
    if (token === undefined) return next(new UnauthorizedError())
    const claims = tokens.verify(token, Math.floor(clock() / 1000))
    if (claims === undefined) return next(new UnauthorizedError('invalid token'))
    request.auth = claims
    next()
  }
}

/** The token of an Authorization header: exactly `Bearer`, one space, and one word. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([^\s]+)$/.exec(authorization ?? '')?.[1]
}

/** How many tokens are remembered. */
const REMEMBERED = 1000

/** Remembers the tokens whose signature has been verified: a client sends the same one with every request. */
class KnownTokens {
  readonly #claims = new Map<string, Claims>()

  constructor(private readonly key: KeyObject) {}

  /** @param now seconds since the epoch */
  verify(token: string, now: number): Claims | undefined {
    const known = this.#claims.get(token)
    if (known !== undefined && now < known.exp) return known
    const claims = verifyToken(token, this.key, now)
    if (claims === undefined) return undefined
    if (this.#claims.size >= REMEMBERED) this.#claims.clear()
    this.#claims.set(token, claims)
    return claims
  }
}
