import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import { accountOfToken } from './account'
import type { AccountSettings } from './account-settings'
import { refusalBody } from './refusals'
import { fillTemplate } from './template'

export interface MeStepOptions {
  settings: AccountSettings
  visitors: Visitors
  /** Whom a token may name, as they are now. */
  known: (request: HttpRequest) => KnownUsers
}

/**
 * Says whose token a request has. It stands after the token check.
 *
 * Passes on 404 if the user is gone, and 401 without a valid token, even where no other request needs one.
 */
export function meStep({ settings, visitors, known }: MeStepOptions): Handler {
  return function meMiddleware(request, response, next) {
    const { claims, refusal } = visitors.tokenOf(request)
    if (claims === undefined) return next(visitors.unauthorized(refusal))
    const account = accountOfToken(claims, known(request))
    if (account === undefined) {
      setErrorBody(response, refusalBody(settings))
      return next(new HttpError({ status: 404, message: 'The user of this token is gone: log in again.' }))
    }
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, fillTemplate(settings.meResponse, { user: account.user }))
  }
}
