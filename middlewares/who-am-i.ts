import type { RequestHandler } from 'express'
import { WHO_AM_I_PATH } from '../lib/auth/access-policy'
import { type Credentials, isCredentials } from '../lib/auth/credentials'
import { asService, isFor, type Service } from '../lib/auth/service'
import type { Visitors } from '../lib/auth/visitors'
import { HttpError, UnauthorizedError } from '../lib/errors'
import { isRead } from '../lib/http/request'
import { responseWith } from '../lib/json-server/response'

const NO_SUCH_USER = 'No user has the email and password of this token.'

export interface WhoAmIOptions {
  /** The stored users as they are now. */
  users: () => readonly unknown[]
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  visitors: Visitors
  /** Whether the data has a resource `auth`, to which this path then belongs. */
  isTaken: () => boolean
}

/**
 * `GET /auth/me`: the stored user who logged in for the token, as `GET /users/:id` would send it; for a
 * login that is not in the data, `{"email": "..."}`. Any other request is passed on.
 *
 * Passes on 404 with `{}` if there is no such user, and 401 without a valid token, even where no other
 * request needs one.
 */
export function whoAmI({ users, logins, visitors, isTaken }: WhoAmIOptions): RequestHandler {
  const service: Service = {
    hasPath: (path) => path === WHO_AM_I_PATH && !isTaken(),
    hasMethod: (method) => isRead({ method }),
    isOpen: false,
    isRewritten: true,
    routes: () => (isTaken() ? [] : [{ method: 'GET', path: WHO_AM_I_PATH, note: 'whose token it is' }]),
  }
  const step: RequestHandler = (request, response, next) => {
    if (!isFor(service, request)) return next()
    const { auth } = request
    if (!isCredentials(auth)) return next(new UnauthorizedError(visitors.tokenOf(request).refusal))
    const found = findUser(users(), logins, auth)
    if (found === undefined) return next(new HttpError({ status: 404, message: NO_SUCH_USER, body: {} }))
    responseWith(request, response, found)()
  }
  return asService(service, step)
}

function findUser(users: readonly unknown[], logins: readonly Credentials[], claims: Credentials): unknown {
  const withEmail = users.filter(isCredentials).filter(({ email }) => email === claims.email)
  const hasSameLogin = ({ email, password }: Credentials) =>
    email === claims.email && password === claims.password
  const stored = withEmail.find(hasSameLogin)
  if (stored !== undefined) return stored
  if (logins.some(hasSameLogin)) return { email: claims.email }
  // The password was changed after the login.
  return withEmail.length === 1 ? withEmail[0] : undefined
}
