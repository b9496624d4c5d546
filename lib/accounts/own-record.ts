import { isForAccount } from '../auth/account-route'
import { subjectOf, userOfToken } from '../auth/user-of-token'
import { HttpError } from '../errors'
import type { Handler } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRecord } from '../is-record'
import type { Accounts } from './account-settings'

/** The field in which applications send the user that the login gave them. */
const WRAPPER = 'user'

/**
 * The two steps of `--me "PATCH /me"` and the like, each of which passes on any other request: one after the token check,
 * which makes it the request for the person's own record, so that every step after it sees that, and one after the parsers.
 */
export function ownRecordSteps({ settings, routes, visitors, sessions, known }: Accounts) {
  const own = routes.filter(({ does }) => does === 'changeMe')

  const ownRecord: Handler = function ownRecordMiddleware(request, _response, next) {
    if (!own.some((route) => isForAccount(route, request))) return next()
    notesOf(request).errorBody = settings.refusalBody
    const { claims, refusal } = visitors.tokenOf(request, sessions)
    if (claims === undefined) return next(visitors.unauthorized(refusal))
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
    visitors.contexts.of(request).isForOwnRecord = true
    next()
  }

  const ownBody: Handler = function ownRecordBodyMiddleware(request, _response, next) {
    const { body } = request
    if (visitors.contexts.of(request).isForOwnRecord && isRecord(body) && isRecord(body[WRAPPER])) {
      const { loginUsers = [] } = known()
      const isField = loginUsers.some((user) => isRecord(user) && Object.hasOwn(user, WRAPPER))
      if (!isField) request.body = body[WRAPPER]
    }
    next()
  }

  return own.length > 0 ? { ownRecord, ownBody } : {}
}
