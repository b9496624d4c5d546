import type { KeyObject } from 'node:crypto'
import type { ExtraClaims } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import type { AccountRoute } from './account-routes'
import type { AccountSettings } from './account-settings'
import { accountCookies } from './cookies'
import type { ComparePassword } from './identify'
import { type Issue, makeIssue } from './issue'
import { loginStep } from './login-step'
import { logoutStep } from './logout-step'
import { meStep } from './me-step'
import { chooseByBody, refreshStep } from './refresh-step'
import { refusalBody } from './refusals'
import { Sessions } from './sessions'

export interface HandlersOptions {
  settings: AccountSettings
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Seconds that a token lasts. */
  lifetime: number
  /** Further claims for a token. */
  extraClaims: (request: HttpRequest) => ExtraClaims
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  visitors: Visitors
  idProperty: string
  compare: ComparePassword
  /** The stored users, as they are at the moment of a login. */
  usersFor: (request: HttpRequest) => readonly unknown[]
  /** Called before a session goes on or ends, which must be remembered. Default: nothing has to be done for that. */
  keep?: Handler | undefined
  /** Whom a token may name, as they are now. */
  known: (request: HttpRequest) => KnownUsers
}

/** A handler of a request, whatever it needs of that. */
type HandlerOf<Incoming extends HttpRequest, Outgoing extends HttpResponse> = (
  request: Incoming,
  response: Outgoing,
  next: (error?: unknown) => void,
) => void

/** The handlers for the users of some data, which has sessions of its own. */
export interface Handlers {
  readonly sessions: Sessions
  readonly issue: Issue
  /** The handler of a route that is no sign-up. */
  handlerOf(route: AccountRoute): Handler
  /** Does for a request what all that need no token have in common. */
  opened<Incoming extends HttpRequest, Outgoing extends HttpResponse>(
    handler: HandlerOf<Incoming, Outgoing>,
  ): HandlerOf<Incoming, Outgoing>
}

export function makeHandlers(options: HandlersOptions): Handlers {
  const { settings, key, clock, lifetime, keep } = options
  const { places, refreshCookie, refreshOnce } = settings
  const accessCookies = places.map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined)
  const cookies = accountCookies({ accessCookies, refreshCookie, lifetime })
  const sessions = new Sessions({ key, clock, lifetime, strict: refreshOnce })
  const issue = makeIssue({ ...options, sessions, cookies })
  const opened: Handlers['opened'] = (handler) => {
    return function openAccountMiddleware(request, response, next) {
      setErrorBody(response, refusalBody(settings))
      const refusal = cookies.refusalOf(request)
      if (refusal === undefined) handler(request, response, next)
      else next(refusal)
    }
  }
  const kept = (handler: Handler): Handler =>
    keep === undefined
      ? handler
      : (request, response, next) =>
          keep(request, response, (error) => (error ? next(error) : handler(request, response, next)))
  const login = loginStep({ ...options, issue })
  const refresh = kept(refreshStep({ ...options, sessions, issue }))
  const loginOrRefresh = opened(chooseByBody({ login, refresh }))
  const handlers = {
    login: opened(login),
    me: meStep(options),
    refresh: opened(refresh),
    logout: opened(kept(logoutStep({ settings, sessions, cookies }))),
  }
  return {
    sessions,
    issue,
    opened,
    handlerOf: ({ function: name, takesRefresh }) => {
      if (name === 'signUp') throw new Error('A sign-up stores a user, which depends on the server.')
      return takesRefresh ? loginOrRefresh : handlers[name]
    },
  }
}
