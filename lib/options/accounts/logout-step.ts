import type { Handler } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { sendJson } from '../../http/send-json'
import type { AccountSettings } from './account-settings'
import type { AccountCookies } from './cookies'
import { sentTokens } from './sent-tokens'
import type { Sessions } from './sessions'

export interface LogoutStepOptions {
  settings: AccountSettings
  sessions: Sessions
  cookies: AccountCookies
}

/**
 * Ends the sessions of all tokens that a request has sent, of either kind and wherever, and clears the cookies. A
 * request without a valid token is logged out already.
 *
 * Passes on 400 and 413 when the body cannot be read.
 */
export function logoutStep({ settings, sessions, cookies }: LogoutStepOptions): Handler {
  const readBody = readLoginBody()
  return function logoutMiddleware(request, response, next) {
    readBody(request, response, (error) => {
      if (error) return next(error)
      try {
        for (const token of sentTokens(request, settings.places, settings.refreshCookie))
          sessions.endBy(token)
        cookies.clear(response)
        response.setHeader('Cache-Control', 'no-store')
        sendJson(response, { message: 'Logged out.' })
      } catch (failure) {
        next(failure)
      }
    })
  }
}
