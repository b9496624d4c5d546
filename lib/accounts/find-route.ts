import { type AccountRoute, isForAccount, SPECIFIED_WHO_AM_I } from '../auth/account-route'
import type { Contexts } from '../auth/contexts'
import { isWhoAmITaken } from '../auth/paths'
import type { HttpRequest } from '../http/handler'

/** Some data, as it is now. */
export interface CurrentState {
  readonly state: object
}

/** Gives the route of accounts that a request is for, if it is for one. */
export type FindRoute = (request: HttpRequest) => AccountRoute | undefined

/**
 * Finds the route of a request once, for all steps: they look again only where a user's middleware, or a step of ours, has
 * given the request another address or method.
 */
export function routeFinder(
  routes: readonly AccountRoute[],
  contexts: Contexts,
  data: CurrentState,
): FindRoute {
  return (request) => {
    const context = contexts.of(request)
    const { method, url } = request
    if (context.found?.method !== method || context.found.url !== url) {
      const route = routes.find((one) => isForAccount(one, request) && !isLeftToResource(one, data))
      context.found = { method, url, route }
    }
    return context.found.route
  }
}

/** Whether the path of the specified "who am I" belongs to a resource of the data. */
export function isLeftToResource(route: AccountRoute, { state }: CurrentState): boolean {
  return route === SPECIFIED_WHO_AM_I && isWhoAmITaken(state)
}
