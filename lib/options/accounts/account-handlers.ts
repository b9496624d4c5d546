import type { KeyObject } from 'node:crypto'
import type { ExtraClaims } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import type { AccountFunction, AccountRoute } from './account-routes'
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

export interface AccountHandlersOptions {
  settings: AccountSettings
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Seconds that a token lasts. */
  lifetime: number
  /** Further claims for a token. */
  extraClaims: (request: HttpRequest) => ExtraClaims
  /** The stored users, as they are at the moment of a login. */
  users: (request: HttpRequest) => readonly unknown[]
  /** Whom a token may name, as they are now. */
  known: (request: HttpRequest) => KnownUsers
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  compare: ComparePassword
  visitors: Visitors
  idProperty: string
}

/** A handler of Express or of ours. */
type Step<Incoming, Outgoing> = (
  request: Incoming,
  response: Outgoing,
  next: (error?: unknown) => void,
) => void

/** What responds at the paths of some data, which has sessions of its own. */
export interface AccountHandlers {
  readonly sessions: Sessions
  /** Sends somebody who has signed up new tokens. */
  readonly issue: Issue
  /** @param signUp what responds to a sign-up */
  handlerOf<Incoming extends HttpRequest, Outgoing extends HttpResponse>(
    route: AccountRoute,
    signUp: Step<Incoming, Outgoing>,
  ): Step<Incoming, Outgoing>
}

export function makeAccountHandlers(options: AccountHandlersOptions): AccountHandlers {
  const { settings, key, clock, lifetime } = options
  const { places, refreshCookie, refreshOnce } = settings
  const accessCookies = places.map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined)
  const cookies = accountCookies({ accessCookies, refreshCookie, lifetime })
  const sessions = new Sessions({ key, clock, lifetime, strict: refreshOnce })
  const issue = makeIssue({ ...options, sessions, cookies })
  const common = { ...options, sessions, cookies, issue }
  const login = loginStep(common)
  const refresh = refreshStep(common)
  const handlers: Readonly<Record<Exclude<AccountFunction, 'signUp'>, Handler>> = {
    login,
    me: meStep(common),
    refresh,
    logout: logoutStep(common),
  }
  const loginOrRefresh = chooseByBody({ login, refresh })

  /** A path that needs no token, and none of another site's pages where tokens travel in cookies. */
  function open<Incoming extends HttpRequest, Outgoing extends HttpResponse>(
    handler: Step<Incoming, Outgoing>,
  ): Step<Incoming, Outgoing> {
    return function openAccountMiddleware(request, response, next) {
      setErrorBody(response, refusalBody(settings))
      const refusal = cookies.refusalOf(request)
      if (refusal === undefined) handler(request, response, next)
      else next(refusal)
    }
  }

  return {
    sessions,
    issue,
    handlerOf(route, signUp) {
      if (route.function === 'me') return handlers.me
      if (route.function === 'signUp') return open(signUp)
      return open(route.takesRefresh ? loginOrRefresh : handlers[route.function])
    },
  }
}
