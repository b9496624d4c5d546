import { LOGIN_PATH } from '../lib/auth/access-policy'
import { type ExtraClaims, type SigningKey, signingKey, signToken } from '../lib/auth/access-token'
import { SPECIFIED_LOGIN } from '../lib/auth/account-route'
import { canLogIn, isCredentials } from '../lib/auth/credentials'
import { loginProblem } from '../lib/auth/login-refusal'
import { asService, isFor, type Service } from '../lib/auth/service'
import { DEFAULTS } from '../lib/defaults'
import { UnauthorizedError } from '../lib/errors'
import type { Handler, HttpRequest, HttpResponse } from '../lib/http/handler'
import { readLoginBody } from '../lib/http/read-login-body'
import { sendJson } from '../lib/http/send-json'

/** The login, as others see it. No rule may make it unreachable (docs/promises.md, Login). */
export const LOGIN: Service = {
  hasPath: (path) => path === LOGIN_PATH,
  hasMethod: (method) => method === 'POST',
  isOpen: true,
  isRewritten: false,
  routes: () => [SPECIFIED_LOGIN],
}

/** Whether a request is a login. */
export function isLogin(request: HttpRequest): boolean {
  return isFor(LOGIN, request)
}

export interface LoginOptions {
  /** The secret that signs tokens, the same for the login and the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: () => readonly unknown[]
  /** Further claims of a token. Default: none. */
  extraClaims?: () => ExtraClaims
  /** Seconds that a token lasts. Default: 3,600 (docs/promises.md, Tokens). */
  lifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

/**
 * `POST /auth/login`: exchanges the email and the password of a stored user for a signed access token, from a
 * JSON or a form body, which another parser may have read already. Any other request is passed on, unparsed.
 *
 * Passes on 401 when no user has both, or a field is missing or not a string; 400 and 413 when the body
 * cannot be read (docs/promises.md, Login).
 *
 * @throws RangeError when the lifetime is not a positive number of whole seconds
 * @throws TypeError when the key is missing or empty
 *
 * @example
 * app.use(login({ key, users: () => [{ email: 'me', password: 'secret' }] }))
 */
export function login({
  key,
  users,
  extraClaims = () => ({}),
  lifetime = DEFAULTS.tokenLifetime,
  clock = Date.now,
}: LoginOptions): Handler {
  if (!Number.isSafeInteger(lifetime) || lifetime <= 0) {
    throw new RangeError(
      `The lifetime of a token must be a positive number of whole seconds, not ${lifetime}.`,
    )
  }
  const signingSecret = signingKey(key)
  const readLogin = readLoginBody()

  /**
   * @throws UnauthorizedError when the body does not hold the email and the password of a user
   * @throws TypeError when the users are no array
   */
  const issueToken = (request: HttpRequest): string => {
    const credentials = request.body
    const stored: unknown = users()
    if (!Array.isArray(stored))
      throw new TypeError(
        `users() must return an array at once, but it returned ${Object.prototype.toString.call(stored)}.`,
      )
    if (!isCredentials(credentials) || !canLogIn(stored, credentials))
      throw new UnauthorizedError({ reason: loginProblem(credentials, request.headers['content-type']) })
    const { email, password } = credentials
    const issuedAt = Math.floor(clock() / 1000)
    const claims = { ...extraClaims(), email, password, iat: issuedAt, exp: issuedAt + lifetime }
    return signToken(claims, signingSecret)
  }

  const respond = async (request: HttpRequest, response: HttpResponse): Promise<void> => {
    await readLogin(request, response)
    const token = issueToken(request)
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, { access_token: token })
  }
  const step: Handler = (request, response, next) => {
    if (isLogin(request)) respond(request, response).catch(next)
    else next()
  }
  return asService(LOGIN, step)
}
