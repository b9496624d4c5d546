import type { KeyObject } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ExtraClaims } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { asService, isFor, type Service } from '../../auth/service'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { setErrorBody } from '../../http/error-body'
import type { Steps } from '../../http/express/steps'
import type { HttpRequest } from '../../http/handler'
import { type AccountFunction, type AccountRoute, hasRouteMethod, hasRoutePath } from './account-routes'
import type { AccountSettings } from './account-settings'
import { accountCookies } from './cookies'
import { describeRoute, noteOf } from './describe-route'
import { makeIssue } from './issue'
import { loginStep } from './login-step'
import { logoutStep } from './logout-step'
import { meStep } from './me-step'
import { passwordComparison } from './password-hashes'
import { chooseByBody, refreshStep } from './refresh-step'
import { refusalBody } from './refusals'
import { Sessions } from './sessions'
import { signUpSteps } from './sign-up-steps'

export { readAccountSettings } from './account-settings'
export { tokenRefusalBody } from './refusals'

/** What all data of a server has in common. */
export interface AccountsOptions {
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
  readOnly: boolean
  /** Passes a request to the sandbox that it names, if that has not begun yet, and any other request on. */
  enterSandbox: RequestHandler
}

/** The data whose users log in. */
export interface AccountsData {
  /** The stored users, as they are at the moment of a login. */
  usersFor: (request: HttpRequest) => readonly unknown[]
  /** The stored users as they are now; undefined where the data has no such collection. */
  users: () => readonly unknown[] | undefined
  /** Whom a token may name, as they are now. */
  known: () => KnownUsers
  /** json-server's way of a request. */
  store: RequestHandler
}

/** The steps of logins of other shapes. */
export interface AccountsSteps {
  /** Those that need no token: login, sign-up, refresh, logout. */
  open: Steps
  /** Whose token it is: after the token check. */
  closed: Steps
  /** The sessions of this data, for the token check. */
  sessions: Sessions
  /** Stores who signs up: after the user's own middlewares. */
  finishSignUp: RequestHandler
}

/** Makes the steps for some data, which has sessions of its own. */
export function makeAccounts(options: AccountsOptions): (data: AccountsData) => AccountsSteps {
  const { settings, visitors, logins, key, clock, lifetime } = options
  const { places, refreshCookie, refreshOnce } = settings
  const accessCookies = places.map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined)
  const cookies = accountCookies({ accessCookies, refreshCookie, lifetime })
  const compare = passwordComparison()

  /** What every request to an open path has in common. */
  const opened = (handler: RequestHandler): RequestHandler => {
    return function openAccountMiddleware(request, response, next) {
      setErrorBody(response, refusalBody(settings))
      const refusal = cookies.refusalOf(request)
      if (refusal === undefined) handler(request, response, next)
      else next(refusal)
    }
  }

  return ({ usersFor, users, known, store }) => {
    const sessions = new Sessions({ key, clock, lifetime, strict: refreshOnce })
    const issue = makeIssue({ ...options, sessions, cookies })
    const signUp = signUpSteps({ ...options, issue, users, store })
    const login = loginStep({ ...options, users: usersFor, logins, compare, issue })
    const refresh = refreshStep({ ...options, sessions, known, issue })
    const handlers: Readonly<Record<AccountFunction, RequestHandler>> = {
      login: opened(login),
      signUp: opened(signUp.begin),
      me: meStep({ settings, visitors, known }),
      refresh: opened(refresh),
      logout: opened(logoutStep({ settings, sessions, cookies })),
    }
    const loginOrRefresh = opened(chooseByBody({ login, refresh }))
    const stepsFor = (isChosen: (name: AccountFunction) => boolean): Steps =>
      settings.routes
        .filter((route) => isChosen(route.function))
        .map((route) => routeStep(route, route.takesRefresh ? loginOrRefresh : handlers[route.function]))
    return {
      open: stepsFor((name) => name !== 'me'),
      closed: stepsFor((name) => name === 'me'),
      sessions,
      finishSignUp: signUp.finish,
    }
  }
}

/** A step for the requests of a route, which describes itself. */
function routeStep(route: AccountRoute, handler: RequestHandler): RequestHandler {
  const service: Service = {
    hasPath: (path) => hasRoutePath(route, path),
    hasMethod: (method) => hasRouteMethod(route, method),
    isOpen: route.function !== 'me',
    isRewritten: false,
    routes: () => [{ method: route.method, path: route.path, note: noteOf(route) }],
    operations: (context) => describeRoute(route, context),
  }
  const step: RequestHandler = (request, response, next) => {
    if (isFor(service, request)) handler(request, response, next)
    else next()
  }
  return asService(service, step)
}
