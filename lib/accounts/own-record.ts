import { subjectOf, userOfToken } from '../auth/user-of-token'
import { HttpError, UnauthorizedError } from '../errors'
import { jsonErrorBody, setErrorBody } from '../http/error-body'
import type { Handler } from '../http/handler'
import { isRecord } from '../is-record'
import type { DataAccounts } from './data-accounts'

/** The field in which applications send the user that the login gave them. */
const WRAPPER = 'user'

/**
 * The two steps of `--me "PATCH /me"` and the like, each of which passes on any other request: one after the token check,
 * which makes it the request for the person's own record, so that every step after it sees that, and one after the parsers.
 */
export function ownRecordSteps({ settings, findRoute, authentication, sessions, known }: DataAccounts) {
  const ownRecord: Handler = function ownRecordMiddleware(request, _response, next) {
    if (findRoute(request)?.does !== 'changeMe') return next()
    setErrorBody(request, jsonErrorBody(settings.loginRefusal.body))
    const { claims, refusal } = authentication.tokenOf(request, sessions)
    if (claims === undefined) return next(new UnauthorizedError(refusal))
    const people = known()
    const user = userOfToken(claims, people)
    const id = user && subjectOf(user, people)
    if (user === undefined || id === undefined)
      return next(
        new HttpError({
          status: 404,
          message: 'There is no record of the user of this token: log in again.',
        }),
      )
    const collection = people.loginUsers?.includes(user) ? settings.loginUsers : 'users'
    const query = request.url.replace(/^[^?]*/, '')
    request.url = `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}${query}`
    authentication.contexts.of(request).isForOwnRecord = true
    next()
  }

  const ownBody: Handler = function ownRecordBodyMiddleware(request, _response, next) {
    const { body } = request
    if (authentication.contexts.of(request).isForOwnRecord && isRecord(body) && isRecord(body[WRAPPER])) {
      const { loginUsers = [] } = known()
      const isField = loginUsers.some((user) => isRecord(user) && Object.hasOwn(user, WRAPPER))
      if (!isField) request.body = body[WRAPPER]
    }
    next()
  }

  return settings.routes.some(({ does }) => does === 'changeMe') ? { ownRecord, ownBody } : {}
}
