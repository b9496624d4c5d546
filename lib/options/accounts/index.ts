import type { RequestHandler } from 'express'
import type { AccountRoute as DescribedRoute } from '../../auth/account-route'
import { asService, isFor } from '../../auth/service'
import { inOrder } from '../../http/express/steps'
import { type AccountHandlersOptions, accountHandlers } from './account-handlers'
import type { AccountOptions } from './account-options'
import {
  type AccountRoute,
  describe,
  isSameRoute,
  SPECIFIED_LOGIN,
  SPECIFIED_WHO_AM_I,
  serviceOf,
} from './account-routes'
import { type AccountSettings, readAccountSettings } from './account-settings'
import { Sessions, type SessionsOptions, sessionMemory } from './sessions'
import { type SignUpStepsOptions, signUpSteps } from './sign-up'
import { fillTemplate } from './template'

export { accounts } from './accounts'

/** What the steps for some data are made of. */
export type AccountStepsOptions = AccountHandlersOptions & Pick<SignUpStepsOptions, 'readOnly' | 'store'>

/**
 * Reads the options, once for all data of a server.
 *
 * @param server what its sessions have in common; `clock` is its own
 * @throws OptionError for one that cannot be used
 */
export function readAccounts(
  options: AccountOptions,
  server: Pick<SessionsOptions, 'key' | 'clock' | 'lifetime'>,
) {
  const settings = readAccountSettings(options)
  const memory = sessionMemory(server.clock)
  return {
    tokenRefusalBody: settings.tokenRefusalBody,
    routes: describedRoutes(settings),
    /** The first cookie in which tokens travel, if there is one. */
    tokenCookie: settings.places.find(({ cookie }) => cookie !== undefined)?.cookie,
    /** Makes the sessions of some data, which has a clock of its own. */
    sessionsFor: (clock: () => number) =>
      new Sessions({ ...server, clock, strict: settings.refreshOnce, memory }),
    stepsFor: (given: Omit<AccountStepsOptions, 'settings'>) => accountSteps({ ...given, settings }),
  }
}

/** The routes, for the document. It needs no token, so the samples of responses show no user. */
function describedRoutes({ routes, loginResponse }: AccountSettings): DescribedRoute[] {
  return routes.map((route) =>
    describe(route, (token) =>
      route.function === 'logout'
        ? {}
        : fillTemplate(loginResponse, { token, refresh: 'text', user: {}, expires: 3600, message: 'text' }),
    ),
  )
}

/** The steps of logins of other shapes, for some data. */
function accountSteps(options: AccountStepsOptions) {
  const { settings } = options
  const handlers = accountHandlers(options)
  const { begin, signUp } = handlers
  const signUps = signUpSteps({ ...options, collection: settings.loginUsers, signUp })
  const steps = settings.routes.map((route) => ({ route, step: routeStep(route, handlerOf(route)) }))
  const at = (specified: AccountRoute) => steps.find(({ route }) => isSameRoute(route, specified))?.step
  const logIn = at(SPECIFIED_LOGIN)
  const whoAmI = at(SPECIFIED_WHO_AM_I)
  const others = steps.filter(({ step }) => step !== logIn && step !== whoAmI)
  return {
    /** Those that need no token: login, sign-up, refresh, logout. */
    open: others.filter(({ route }) => route.function !== 'me').map(({ step }) => step),
    /** Whose token it is: after the token check. */
    me: others.filter(({ route }) => route.function === 'me').map(({ step }) => step),
    /** The two at the specified paths; undefined where these stay as specified. */
    logIn,
    whoAmI,
    /** Stores who signs up: after the user's own middlewares. */
    finishSignUp: signUps.finish,
  }

  function handlerOf(route: AccountRoute): RequestHandler {
    if (route.function === 'signUp') return inOrder([begin, signUps.begin(route.path)])
    return handlers[route.takesRefresh ? 'loginOrRefresh' : route.function]
  }
}

/** A step for the requests of a route, which describes itself. */
function routeStep(route: AccountRoute, handler: RequestHandler): RequestHandler {
  const service = serviceOf(route)
  return asService(service, (request, response, next) => {
    if (isFor(service, request)) handler(request, response, next)
    else next()
  })
}
