import type { RequestHandler } from 'express'
import { WHO_AM_I_PATH } from '../lib/auth/access-policy'
import { asService, isFor, type Service } from '../lib/auth/service'
import { type KnownUsers, userOfToken } from '../lib/auth/user-of-token'
import type { Visitors } from '../lib/auth/visitors'
import { HttpError } from '../lib/errors'
import { type DocumentContext, EMPTY, jsonResponse, type Paths, reference } from '../lib/http/operations'
import { isRead } from '../lib/http/request'
import { sendResource } from '../lib/json-server/response'

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
    routes: () => (isTaken() ? [] : [{ method: 'GET', path: WHO_AM_I_PATH, note: 'whose token it is' }]),
    operations: (context) => (isTaken() ? {} : whoAmIOperations(context)),
  }
  const step: RequestHandler = (request, response, next) => {
    if (!isFor(service, request)) return next()
    const { auth } = request
    if (auth === undefined) return next(visitors.unauthorized(visitors.tokenOf(request).refusal))
    const found = userOfToken(auth, known())
    if (found === undefined) return next(new HttpError({ status: 404, message: NO_SUCH_USER, body: {} }))
    const { record, login } = found
    response.locals.data = record ?? { email: login.email }
    sendResource(request, response)
  }
  return asService(service, step)
}

/** Who is logged in, for the document. */
function whoAmIOperations({ collection, hasLogins }: DocumentContext): Paths {
  const users = collection('users')
  const emailAlone = {
    type: 'object',
    description: 'A login that is not in the data.',
    properties: { email: { type: 'string' } },
    required: ['email'],
  }
  const user = users ? reference('schemas', users.schemaName) : emailAlone
  return {
    [WHO_AM_I_PATH]: {
      get: {
        operationId: 'whoAmI',
        tags: ['Login'],
        security: [{ bearerAuth: [] }],
        summary: 'Get the user who is logged in',
        responses: {
          200: jsonResponse(
            'The user whose token the request carries.',
            hasLogins && user !== emailAlone ? { anyOf: [user, emailAlone] } : user,
          ),
          404: jsonResponse(NO_SUCH_USER, EMPTY, {}),
        },
      },
    },
  }
}
