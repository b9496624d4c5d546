import { type AccountRoute, isForAccount, SPECIFIED_WHO_AM_I } from '../auth/account-route'
import type { Contexts } from '../auth/contexts'
import { isWhoAmITaken } from '../auth/paths'
import type { Handler, HttpRequest } from '../http/handler'

/** Some data, as it is now. */
export interface CurrentState {
  readonly state: object
}

/** Gives the route of accounts that a request is for, if it is for one. */
export type FindRoute = (request: HttpRequest) => AccountRoute | undefined

/** What a step does with a request that is for a route of accounts. */
type HandleAccount = (route: AccountRoute, ...request: Parameters<Handler>) => void

/** A step for what is for a route of accounts. It passes on any other request, which enters no other file of accounts. */
export function accountStep(findRoute: FindRoute, handle: HandleAccount): Handler {
  return function accountMiddleware(request, response, next) {
    const route = findRoute(request)
    if (route === undefined) next()
    else handle(route, request, response, next)
  }
}

/**
 * Finds the route of a request once, for all steps: they look again only where a user's middleware, or a step of ours, has
 * given the request another address or method. A sign-up stays one, whatever a middleware does to its address.
 */
export function routeFinder(
  routes: readonly AccountRoute[],
  contexts: Contexts,
  data: CurrentState,
): FindRoute {
  return (request) => {
    const context = contexts.of(request)
    const { method, url } = request
    if (context.signUp !== undefined) return context.signUp
    const { found } = context
    if (found?.method !== method || found.url !== url || found.data !== data) {
      const route = routes.find((one) => isForAccount(one, request) && !isLeftToResource(one, data))
      context.found = { method, url, data, route }
      return route
    }
    return found.route
  }
}

/** Whether the path of the specified "who am I" belongs to a resource of the data, or may do so where that is not known. */
export function isLeftToResource(route: AccountRoute, { state }: Partial<CurrentState>): boolean {
  return route === SPECIFIED_WHO_AM_I && (state === undefined || isWhoAmITaken(state))
}
