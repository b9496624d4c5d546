import { type AccountRoute, isForAccount, isSpecified, SPECIFIED_WHO_AM_I } from '../../auth/account-route'
import { asService, type Service } from '../../auth/service'
import { HttpError } from '../../errors'
import { BODY_LIMITS } from '../../http/body-limits'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import { notesOf } from '../../http/notes'
import type { Describe } from '../../http/openapi'
import { readLoginBody } from '../../http/read-login-body'
import { refuseOtherSites, respondFor } from './account-handlers'
import type { Accounts } from './account-settings'
import { fieldsIn } from './body'
import { ownShape } from './own-shape'
import { specifiedShape } from './specified-shape'

export interface AccountStepsOptions {
  /** Which of the routes that need no token the user's own middlewares see first, and may respond to. */
  isLate: (route: AccountRoute) => boolean
  /** Refuses every change. */
  readOnly: boolean
  /** Whether a route is left to the resources. Default: none. */
  isLeftOut?: (route: AccountRoute) => boolean
  /** How a document describes the routes. Default: none does. */
  describe?: Describe
}

/**
 * The two steps of all routes, each of which passes on any other request: one ahead of the token check, for what needs no
 * token, and one after the user's own middlewares.
 */
export function accountSteps(
  accounts: Accounts,
  { isLate, readOnly, describe, isLeftOut = () => false }: AccountStepsOptions,
) {
  const { settings, known, visitors } = accounts
  const { contexts } = visitors
  const specified = specifiedShape(settings, known)
  const own = ownShape(settings, known)
  const shapeOf = (route: AccountRoute) => (isSpecified(route) ? specified : own)
  const readBody = readLoginBody(BODY_LIMITS.login, { multipart: true })
  const readNewUser = readLoginBody(BODY_LIMITS.signUp, { multipart: false })

  const find = (request: HttpRequest) =>
    accounts.routes.find((route) => isForAccount(route, request) && !isLeftOut(route))

  /** Any error has a body that the route's clients read. */
  const begin = (route: AccountRoute, request: HttpRequest): void => {
    const { errorBody } = shapeOf(route)
    const makeBody = route.does === 'signUp' ? settings.signUpRefusalBody : errorBody
    if (makeBody !== undefined) notesOf(request).errorBody = makeBody
    if (isOpen(route)) refuseOtherSites(accounts, request)
    if (route.does === 'signUp' && readOnly)
      throw new HttpError({ status: 403, message: 'This server is read-only: nobody can sign up.' })
  }

  async function openRoute(
    route: AccountRoute,
    request: HttpRequest,
    response: HttpResponse,
    next: () => void,
  ): Promise<unknown> {
    begin(route, request)
    const isSignUp = route.does === 'signUp'
    await (isSignUp ? readNewUser : readBody)(request, response)
    if (!isSignUp && !isLate(route)) return respondFor(route)(accounts, shapeOf(route), request, response)
    if (isSignUp) {
      contexts.of(request).signUp = route
      // The user's middlewares see no other spelling of it, and each field where they look for it.
      request.body = fieldsIn(request.body, settings.fields)
      request.url = request.url.replace(/^[^?]*/, () => route.path)
    }
    visitors.letPass(request)
    return next()
  }

  const early: Handler = function openAccounts(request, response, next) {
    const route = find(request)
    if (route === undefined || !isOpen(route)) next()
    else openRoute(route, request, response, next).catch(next)
  }

  const late: Handler = function accountsAfterMiddlewares(request, response, next) {
    const { signUp } = contexts.of(request)
    const found = signUp ?? find(request)
    // Nothing else becomes a sign-up, whatever a middleware does to its address.
    const route = found?.does === 'signUp' && signUp === undefined ? undefined : found
    if (route === undefined) return next()
    const respond = async () => {
      begin(route, request)
      await respondFor(route)(accounts, shapeOf(route), request, response)
    }
    respond().catch(next)
  }

  const services = accounts.routes.map((route) => serviceOf(route, isLeftOut))
  return {
    early: asService(early, { services: services.filter((service) => service.isOpen), describe }),
    late: asService(late, { services: services.filter((service) => !service.isOpen) }),
  }
}

/** Whether a route needs no token. */
function isOpen({ does }: AccountRoute): boolean {
  return does !== 'whoAmI'
}

/** A route as the start, the rules and the static files must know it. */
function serviceOf(route: AccountRoute, isLeftOut: (route: AccountRoute) => boolean): Service {
  const { method, path } = route
  return {
    hasPath: (asked) => !isLeftOut(route) && isForAccount(route, { method, path: asked }),
    hasMethod: (asked) => isForAccount(route, { method: asked, path }),
    isOpen: isOpen(route),
    isRewritten: route === SPECIFIED_WHO_AM_I,
    routes: () => (isLeftOut(route) ? [] : [{ method, path }]),
  }
}
