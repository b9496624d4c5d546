import {
  type AccountRoute,
  type AnsweredRoute,
  isAnswered,
  isForAccount,
  isOpen,
  SPECIFIED_WHO_AM_I,
} from '../auth/account-route'
import type { BuiltInRoute } from '../auth/built-in-route'
import { HttpError } from '../errors'
import { BODY_LIMITS } from '../http/body-limits'
import { fileError, multipartParser } from '../http/body-parsers'
import { jsonErrorBody, OWN_ERROR_BODY, setErrorBody } from '../http/error-body'
import type { Handler, HttpRequest, HttpResponse } from '../http/handler'
import { readLoginBody } from '../http/read-login-body'
import { refuseOtherSites, respondFor } from './account-handlers'
import { recordIn } from './body'
import type { DataAccounts } from './data-accounts'
import { accountStep, type CurrentState, isLeftToResource } from './find-route'

export interface AccountStepsOptions {
  /** Which of the routes that need no token the user's own middlewares see first, and may respond to. */
  waitsForMiddlewares: (route: AccountRoute) => boolean
  /** Refuses every change. */
  readOnly: boolean
}

/**
 * The steps of all routes, each of which passes on any other request: one ahead of the token check, for what needs no
 * token, and two after the user's own middlewares.
 */
export function accountSteps(accounts: DataAccounts, { waitsForMiddlewares, readOnly }: AccountStepsOptions) {
  const { settings, protocolOf, access } = accounts
  const { contexts } = accounts.authentication
  const parseLogin = readLoginBody(BODY_LIMITS.login, multipartParser(BODY_LIMITS.login))
  const parseSignUp = readLoginBody(BODY_LIMITS.signUp)
  // No file is stored here: a form with one is refused, unless a middleware of the user has read it.
  const parseSignUpForm = readLoginBody(BODY_LIMITS.signUp, multipartParser(BODY_LIMITS.signUp, fileError))

  const answeredStep = (handle: (route: AnsweredRoute, ...request: Parameters<Handler>) => void): Handler =>
    accountStep(accounts.findRoute, (route, request, response, next) => {
      if (isAnswered(route)) handle(route, request, response, next)
      else next()
    })

  /** Any error has a body that the route's clients read. */
  const useErrorBody = (route: AccountRoute, request: HttpRequest): void => {
    const { errorBody } = protocolOf(route)
    const makeBody = route.does === 'signUp' ? settings.signUpRefusal.body : errorBody
    if (makeBody !== undefined) setErrorBody(request, jsonErrorBody(makeBody))
  }

  /** A fault rule may look at the body, once it is parsed, and end the request. */
  async function chooseByBody(request: HttpRequest): Promise<void> {
    const { chooseByBody: choose } = contexts.of(request)
    if (choose === undefined) return
    await new Promise<void>((resolve, reject) => {
      choose((error) => (error ? reject(error) : resolve()))
    })
  }

  async function respond(route: AnsweredRoute, request: HttpRequest, response: HttpResponse): Promise<void> {
    useErrorBody(route, request)
    if (isOpen(route)) {
      refuseOtherSites(accounts, route, request)
      const parse = route.does === 'signUp' ? parseSignUpForm : parseLogin
      await parse(request, response)
      await chooseByBody(request)
    }
    await respondFor(route)(accounts, route, request, response)
  }

  /** Reads a sign-up, which the user's middlewares see before it is stored. */
  async function beginSignUp(
    route: AnsweredRoute,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    useErrorBody(route, request)
    refuseOtherSites(accounts, route, request)
    if (readOnly)
      throw new HttpError({ status: 403, message: 'This server is read-only: nobody can sign up.' })
    await parseSignUp(request, response)
    await chooseByBody(request)
    contexts.of(request).signUp = route
    // They see no other spelling of it, and each field where they look for it.
    request.body = recordIn(request.body, settings.fields)
    request.url = request.url.replace(/^[^?]*/, () => route.path)
    access.grant(request)
  }

  const logInOrOut = answeredStep((route, request, response, next) => {
    if (!isOpen(route)) next()
    else if (route.does === 'signUp') beginSignUp(route, request, response).then(() => next(), next)
    else if (waitsForMiddlewares(route)) {
      // The token check is on its way, whose errors have another body.
      setErrorBody(request, OWN_ERROR_BODY)
      useErrorBody(route, request)
      access.grant(request)
      next()
    } else respond(route, request, response).catch(next)
  })

  const logInAfterMiddlewares = answeredStep((route, request, response, next) => {
    const isWaiting = isOpen(route) && route.does !== 'signUp' && waitsForMiddlewares(route)
    if (isWaiting) respond(route, request, response).catch(next)
    else next()
  })

  const signUpOrSayWho = answeredStep((route, request, response, next) => {
    // Nothing becomes a sign-up here that was none before the user's middlewares.
    const isUnderWay = !isOpen(route) || route === contexts.of(request).signUp
    if (isUnderWay) respond(route, request, response).catch(next)
    else next()
  })

  return {
    /** Ahead of the token check: what needs no token. A sign-up begins here. */
    logInOrOut,
    /** What needs no token, but has waited for the user's middlewares, because they may respond to it. */
    logInAfterMiddlewares,
    /** After them as well: what a sign-up stores, and what needs a token. */
    signUpOrSayWho,
  }
}

/** A route as the start, the rules and the static files must know it. */
export function builtInRoute(route: AccountRoute, data: CurrentState): BuiltInRoute {
  const { method, path } = route
  return {
    hasPath: (asked) => !isLeftToResource(route, data) && isForAccount(route, { method, path: asked }),
    hasMethod: (asked) => isForAccount(route, { method: asked, path }),
    isOpen: isOpen(route),
    mayBeRewritten: route === SPECIFIED_WHO_AM_I,
    shown: () => (isLeftToResource(route, data) ? [] : [{ method, path }]),
  }
}
