import { LOGIN_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import type { AccountRoute as DescribedRoute } from '../../auth/account-route'
import type { Service } from '../../auth/service'
import { OptionError } from '../../errors'
import type { AccountOptions } from './account-options'

/**
 * What a path can be for, by the name of its option: the method that it has where none is given, what it does, for
 * the document and for the start.
 */
const FUNCTIONS = {
  login: { flag: '--login', method: 'POST', does: 'logIn', note: 'log in' },
  signUp: { flag: '--sign-up', method: 'POST', does: 'signUp', note: 'sign up, and log in' },
  me: { flag: '--me', method: 'GET', does: 'whoAmI', note: 'whose token it is' },
  refresh: { flag: '--refresh', method: 'POST', does: 'refresh', note: 'new tokens for a refresh token' },
  logout: { flag: '--logout', method: 'POST', does: 'logOut', note: 'end the session' },
} as const

/** What a path is for. */
export type AccountFunction = keyof typeof FUNCTIONS

/** A method and a path that belong to a function. */
export interface AccountRoute {
  readonly function: AccountFunction
  readonly method: string
  /** As it was given. */
  readonly path: string
  /** Whether it is a login that takes refresh tokens as well: the body decides. */
  readonly takesRefresh?: true
}

/** What the server has without any option: the function that it is may have its path, and no other may. */
export const SPECIFIED_LOGIN: AccountRoute = { function: 'login', method: 'POST', path: LOGIN_PATH }
export const SPECIFIED_WHO_AM_I: AccountRoute = { function: 'me', method: 'GET', path: WHO_AM_I_PATH }

/** A method, if there is one, and a path without a pattern, a query or a dot segment. */
const ROUTE = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$&',;=@%+-]+\/?)*)$/

/**
 * Reads the paths of all functions. A refresh may have the path of a login: the body then decides, and the login's
 * route stands for both.
 *
 * @throws OptionError for what is no path, and for a path that two functions have
 */
export function readAccountRoutes(options: AccountOptions): AccountRoute[] {
  const routes: AccountRoute[] = []
  for (const name of Object.keys(FUNCTIONS).filter(isFunction)) {
    for (const text of [options[name] ?? []].flat()) {
      const route = readRoute(name, text)
      const index = routes.findIndex((known) => isSameRoute(known, route))
      const given = routes[index]
      const taken = given ?? [SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I].find((known) => isSameRoute(known, route))
      const isBoth = given?.function === 'login' && name === 'refresh'
      if (isBoth) routes[index] = { ...given, takesRefresh: true }
      else if (taken !== undefined && taken.function !== name)
        throw new OptionError(
          `${route.method} ${route.path} cannot be both ${FUNCTIONS[taken.function].flag} and ${FUNCTIONS[name].flag}: ` +
            'give one of them another path or method.',
        )
      if (given === undefined) routes.push(route)
    }
  }
  return routes
}

/**
 * Tells whether a request, or one by any method, is for one of these paths or of those that every server has.
 *
 * @throws OptionError for what is no path
 */
export function accountMatcher(options: AccountOptions) {
  const services = [...readAccountRoutes(options), SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I].map(serviceOf)
  return ({ method, path }: { method?: string | undefined; path: string }): boolean =>
    services.some(({ hasMethod, hasPath }) => hasPath(path) && (method === undefined || hasMethod(method)))
}

function readRoute(name: AccountFunction, text: unknown): AccountRoute {
  const { flag, method: usual } = FUNCTIONS[name]
  const [, method = usual, path] = (typeof text === 'string' && ROUTE.exec(text)) || []
  if (path === undefined)
    throw new OptionError(
      `${flag}: ${JSON.stringify(text)} must be a path without a pattern, for instance "/api/session", or a method ` +
        'and a path, for instance "DELETE /api/session".',
    )
  return { function: name, method, path }
}

function isFunction(name: string): name is AccountFunction {
  return Object.hasOwn(FUNCTIONS, name)
}

/** Whether two routes are for the same requests. */
export function isSameRoute(one: AccountRoute, other: AccountRoute): boolean {
  return one.method === other.method && comparable(one.path) === comparable(other.path)
}

/** A route as the start, the rules and the static files must know it. Express compares paths in the same way. */
export function serviceOf(route: AccountRoute): Service {
  const { function: name, method, path } = route
  return {
    hasPath: (asked) => comparable(asked) === comparable(path),
    // Who am I is a read, which HEAD asks as well. A HEAD logs nobody in or out.
    hasMethod: (asked) => asked === method || (asked === 'HEAD' && name === 'me' && method === 'GET'),
    isOpen: name !== 'me',
    isRewritten: false,
    routes: () => [{ method, path, note: FUNCTIONS[name].note }],
  }
}

/**
 * A route for the document.
 *
 * @param response makes a sample of what it responds, with a token
 */
export function describe({ function: name, method, path }: AccountRoute, response: Sample): DescribedRoute {
  return { method, path, does: FUNCTIONS[name].does, ...(name !== 'me' && { response }) }
}

type Sample = NonNullable<DescribedRoute['response']>

/** Case and a slash at the end do not matter. */
function comparable(path: string): string {
  return path.toLowerCase().replace(/\/$/, '')
}
