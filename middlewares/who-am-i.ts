import type { RequestHandler } from 'express'
import { WHO_AM_I_PATH } from '../lib/auth/access-policy'
import { SPECIFIED_WHO_AM_I } from '../lib/auth/account-route'
import { asService, isFor, type Service } from '../lib/auth/service'
import { type KnownUsers, userOfToken } from '../lib/auth/user-of-token'
import type { Visitors } from '../lib/auth/visitors'
import { HttpError } from '../lib/errors'
import { isRead } from '../lib/http/request'
import { responseWith } from '../lib/json-server/response'

const NO_SUCH_USER = 'No user has the email and password of this token.'

export interface WhoAmIOptions {
  /** Whom a token may name, as they are now. */
  known: () => KnownUsers
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
export function whoAmI({ known, visitors, isTaken }: WhoAmIOptions): RequestHandler {
  const service: Service = {
    hasPath: (path) => path === WHO_AM_I_PATH && !isTaken(),
    hasMethod: (method) => isRead({ method }),
    isOpen: false,
    isRewritten: true,
    routes: () => (isTaken() ? [] : [SPECIFIED_WHO_AM_I]),
  }
  const step: RequestHandler = (request, response, next) => {
    if (!isFor(service, request)) return next()
    const { auth } = request
    if (auth === undefined) return next(visitors.unauthorized(visitors.tokenOf(request).refusal))
    const everybody = known()
    const user = userOfToken(auth, everybody)
    if (user === undefined) return next(new HttpError({ status: 404, message: NO_SUCH_USER, body: {} }))
    responseWith(request, response, everybody.logins.includes(user) ? { email: user.email } : user)()
  }
  return asService(service, step)
}
