import type { RequestHandler } from 'express'
import { LOGIN_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import type { AccountRoute as DescribedRoute } from '../../auth/account-route'
import { asService, isFor, type Service } from '../../auth/service'
import type { Steps } from '../../http/express/steps'
import type { RequestLine } from '../../http/request'
import type { AccountOptions } from './account-options'
import { type AccountRoute, hasRouteMethod, hasRoutePath } from './account-routes'
import { readAccountSettings } from './account-settings'
import { describedRoutes, noteOf } from './described-routes'
import { type HandlersOptions, makeHandlers } from './handlers'
import { passwordComparison } from './password-hashes'
import { tokenRefusalBody } from './refusals'
import type { Sessions } from './sessions'
import { type SignUpOptions, signUpSteps } from './sign-up-steps'

export { accounts } from './accounts'

/** What the steps for some data are made of. */
export type AccountStepsOptions = Omit<HandlersOptions, 'settings' | 'compare' | 'usersFor'> &
  Pick<SignUpOptions, 'readOnly' | 'users' | 'store'>

/** The options, read once for all data of a server. */
export interface Accounts {
  /** Makes the body of the token check's 401 from a sentence; undefined where it is as usual. */
  tokenRefusalBody: ((message: string) => unknown) | undefined
  /** All routes, for the document. */
  routes: readonly DescribedRoute[]
  stepsFor: (options: AccountStepsOptions) => AccountSteps
}

/** The steps of logins of other shapes, for some data. */
export interface AccountSteps {
  /** Those that need no token: login, sign-up, refresh, logout. */
  open: Steps
  /** Whose token it is: after the token check. */
  closed: Steps
  /** The login and the question whose token it is, at the specified paths; undefined where these stay as specified. */
  atLoginPath: RequestHandler | undefined
  atWhoAmIPath: RequestHandler | undefined
  /** The sessions of this data, for the token check. */
  sessions: Sessions
  /** Stores who signs up: after the user's own middlewares. */
  finishSignUp: RequestHandler
}

/**
 * Reads the options.
 *
 * @throws OptionError for one that cannot be used
 */
export function readAccounts(options: AccountOptions): Accounts {
  const settings = readAccountSettings(options)
  const compare = passwordComparison()
  return {
    tokenRefusalBody: tokenRefusalBody(settings),
    routes: describedRoutes(settings),
    stepsFor: (given) => makeSteps({ ...given, settings, compare }),
  }
}

const LOGIN: RequestLine = { method: 'POST', path: LOGIN_PATH }
const WHO_AM_I: RequestLine = { method: 'GET', path: WHO_AM_I_PATH }

function makeSteps(
  options: AccountStepsOptions & Pick<HandlersOptions, 'settings' | 'compare'>,
): AccountSteps {
  const { settings } = options
  const { sessions, issue, handlerOf, opened } = makeHandlers({
    ...options,
    usersFor: () => options.users() ?? [],
  })
  const signUp = signUpSteps({ ...options, issue })
  const steps = settings.routes.map((route) => {
    const handler = route.function === 'signUp' ? opened(signUp.begin(route.path)) : handlerOf(route)
    return { route, step: routeStep(route, handler) }
  })
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

/** A step for the requests of a route, which describes itself. */
function routeStep(route: AccountRoute, handler: RequestHandler): RequestHandler {
  const service: Service = {
    hasPath: (path) => hasRoutePath(route, path),
    hasMethod: (method) => hasRouteMethod(route, method),
    isOpen: route.function !== 'me',
    isRewritten: false,
    routes: () => [{ method: route.method, path: route.path, note: noteOf(route) }],
  }
  const step: RequestHandler = (request, response, next) => {
    if (isFor(service, request)) handler(request, response, next)
    else next()
  }
  return asService(service, step)
}
