import type { ExtraClaims } from '../../auth/access-token'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { sendJson } from '../../http/send-json'
import { accountOfToken } from './account'
import type { AccountSettings } from './account-settings'
import { accountCookies } from './cookies'
import { makeIssue } from './issue'
import { logIn } from './log-in'
import { asksForRefresh, refusedRefresh, useRefreshToken } from './refresh'
import { sentTokens } from './sent-tokens'
import type { Sessions } from './sessions'
import { makeSignUp } from './sign-up'
import { fillTemplate } from './template'

export interface AccountHandlersOptions {
  settings: AccountSettings
  /** The sessions of this data. */
  sessions: Sessions
  /** Seconds that a token lasts. */
  lifetime: number
  /** Further claims of each token. */
  extraClaims: ExtraClaims
  visitors: Visitors
  /** Who may log in, and whom a token may name, as they are now. */
  known: () => KnownUsers
}

/** Responds to a request of which the body is parsed. */
type Respond = (request: HttpRequest, response: HttpResponse) => unknown

/** What logs the users of some data in and out. */
export function accountHandlers(options: AccountHandlersOptions) {
  const { settings, sessions, lifetime, extraClaims, visitors, known } = options
  const cookies = accountCookies(settings, lifetime)
  const issue = makeIssue({ settings, sessions, cookies, lifetime, extraClaims })
  const readBody = readLoginBody()

  /** Any error has a body that front ends read, and pages of other sites are refused where there are cookies. */
  const begin: Handler = (request, response, next) => {
    setErrorBody(response, settings.refusalBody)
    next(cookies.refusalOf(request))
  }

  /** A handler that needs no token. It passes on 400 and 413 when the body cannot be read. */
  function open(respond: Respond): Handler {
    return function openAccountMiddleware(request, response, next) {
      const proceed = async (error?: unknown) => {
        if (error) return next(error)
        try {
          await respond(request, response)
        } catch (failure) {
          next(failure)
        }
      }
      begin(request, response, (error) => (error ? next(error) : readBody(request, response, proceed)))
    }
  }

  async function login(request: HttpRequest, response: HttpResponse): Promise<void> {
    const account = await logIn(request, known(), settings.refusalStatus)
    issue(response, account, { status: 200, message: 'Logged in.' })
  }

  function refresh(request: HttpRequest, response: HttpResponse): void {
    const previous = useRefreshToken(request, { settings, sessions, visitors })
    if (previous.sandbox !== undefined && extraClaims.sandbox === undefined)
      throw refusedRefresh('the refresh token was made in a sandbox: the request must name it')
    const account = accountOfToken(previous, known())
    if (account === undefined) throw refusedRefresh('the user of the refresh token is gone')
    issue(response, account, { status: 200, message: 'Refreshed.', previous })
  }

  /** Ends the sessions of all tokens that were sent. A request without one is logged out already. */
  function logout(request: HttpRequest, response: HttpResponse): void {
    for (const token of sentTokens(request, settings)) sessions.endBy(token)
    cookies.clear(response)
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, { message: 'Logged out.' })
  }

  /** Stands after the token check. Passes on 404 if the user is gone, and 401 without a token where all is allowed. */
  const me: Handler = (request, response, next) => {
    const { claims, refusal } = visitors.tokenOf(request)
    if (claims === undefined) return next(visitors.unauthorized(refusal))
    const account = accountOfToken(claims, known())
    if (account === undefined) {
      setErrorBody(response, settings.refusalBody)
      return next(new HttpError({ status: 404, message: 'The user of this token is gone: log in again.' }))
    }
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, fillTemplate(settings.meResponse, { user: account.user }))
  }

  return {
    signUp: makeSignUp({ settings, known, issue }),
    begin,
    open,
    login: open(login),
    /** A login whose path takes refresh tokens as well: the body decides. */
    loginOrRefresh: open((request, response) =>
      (asksForRefresh(request.body) ? refresh : login)(request, response),
    ),
    refresh: open(refresh),
    logout: open(logout),
    me,
  }
}

/** What logs the users of some data in and out. */
export type AccountHandlers = ReturnType<typeof accountHandlers>
