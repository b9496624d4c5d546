import type { KeyObject } from 'node:crypto'
import type { RequestHandler } from 'express'
import { LOGIN_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import type { ExtraClaims } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { asService, isFor, type Service } from '../../auth/service'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import type { Steps } from '../../http/express/steps'
import type { HttpRequest } from '../../http/handler'
import type { RequestLine } from '../../http/request'
import { makeAccountHandlers } from './account-handlers'
import { type AccountRoute, hasRouteMethod, hasRoutePath } from './account-routes'
import type { AccountSettings } from './account-settings'
import { describeRoute, noteOf } from './describe-route'
import { passwordComparison } from './password-hashes'
import type { Sessions } from './sessions'
import { signUpSteps } from './sign-up-steps'

export { readAccountSettings } from './account-settings'
export { accounts } from './accounts'
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
  /** The login and the question whose token it is, at the specified paths; undefined where these stay as specified. */
  atLoginPath: RequestHandler | undefined
  atWhoAmIPath: RequestHandler | undefined
  /** Stores who signs up: after the user's own middlewares. */
  finishSignUp: RequestHandler
}

/** Makes the steps for some data, which has sessions of its own. */
export function makeAccounts(options: AccountsOptions): (data: AccountsData) => AccountsSteps {
  const { settings } = options
  const compare = passwordComparison()
  return ({ usersFor, users, known, store }) => {
    const { sessions, issue, handlerOf } = makeAccountHandlers({
      ...options,
      users: usersFor,
      known,
      compare,
    })
    const signUp = signUpSteps({ ...options, issue, users, store })
    const steps = settings.routes.map((route) => ({
      route,
      step: routeStep(route, settings, handlerOf(route, signUp.begin)),
    }))
    const isAt = ({ route }: (typeof steps)[number], { method, path }: RequestLine) =>
      route.method === method && hasRoutePath(route, path)
    const others = steps.filter((one) => !isAt(one, LOGIN) && !isAt(one, WHO_AM_I))
    const stepsFor = (isMe: boolean) =>
      others.filter(({ route }) => (route.function === 'me') === isMe).map(({ step }) => step)
    return {
      open: stepsFor(false),
      closed: stepsFor(true),
      atLoginPath: steps.find((one) => isAt(one, LOGIN))?.step,
      atWhoAmIPath: steps.find((one) => isAt(one, WHO_AM_I))?.step,
      sessions,
      finishSignUp: signUp.finish,
    }
  }
}

const LOGIN: RequestLine = { method: 'POST', path: LOGIN_PATH }
const WHO_AM_I: RequestLine = { method: 'GET', path: WHO_AM_I_PATH }

/** A step for the requests of a route, which describes itself. */
function routeStep(route: AccountRoute, settings: AccountSettings, handler: RequestHandler): RequestHandler {
  const service: Service = {
    hasPath: (path) => hasRoutePath(route, path),
    hasMethod: (method) => hasRouteMethod(route, method),
    isOpen: route.function !== 'me',
    isRewritten: false,
    routes: () => [{ method: route.method, path: route.path, note: noteOf(route) }],
    operations: () => describeRoute(route, settings),
  }
  const step: RequestHandler = (request, response, next) => {
    if (isFor(service, request)) handler(request, response, next)
    else next()
  }
  return asService(service, step)
}
