import { LOGIN_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import { OptionError } from '../../errors'
import type { RequestLine } from '../../http/request'
import type { AccountOptions, AccountPaths } from './account-options'

/** What a path is for. */
export type AccountFunction = 'login' | 'signUp' | 'me' | 'refresh' | 'logout'

/** The functions, as the command line names them, with the method that each has where none is given. */
const FUNCTIONS: Readonly<Record<AccountFunction, { flag: string; method: string }>> = {
  login: { flag: '--login', method: 'POST' },
  signUp: { flag: '--sign-up', method: 'POST' },
  me: { flag: '--me', method: 'GET' },
  refresh: { flag: '--refresh', method: 'POST' },
  logout: { flag: '--logout', method: 'POST' },
}

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
const SPECIFIED: readonly AccountRoute[] = [
  { function: 'login', method: 'POST', path: LOGIN_PATH },
  { function: 'me', method: 'GET', path: WHO_AM_I_PATH },
]

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
    for (const text of listOf(options[name])) {
      const route = readRoute(name, text)
      const index = routes.findIndex((known) => isSameRoute(known, route))
      const given = routes[index]
      const taken = given ?? SPECIFIED.find((known) => isSameRoute(known, route))
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
  const routes = [...readAccountRoutes(options), ...SPECIFIED]
  return ({ method, path }: { method?: string | undefined; path: string }): boolean =>
    routes.some((route) => hasRoutePath(route, path) && hasRouteMethod(route, method ?? route.method))
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

function listOf(paths: AccountPaths | undefined): readonly string[] {
  return paths === undefined ? [] : typeof paths === 'string' ? [paths] : paths
}

function isSameRoute(one: AccountRoute, other: AccountRoute): boolean {
  return one.method === other.method && comparable(one.path) === comparable(other.path)
}

/** Whether a path is that of a route, as Express compares them: case and a slash at the end do not matter. */
export function hasRoutePath(route: AccountRoute, path: string): boolean {
  return comparable(path) === comparable(route.path)
}

/** Whether a request is for a route. */
export function isForRoute(route: AccountRoute, { method, path }: RequestLine): boolean {
  return hasRouteMethod(route, method) && hasRoutePath(route, path)
}

/** Who am I is a read, which HEAD asks as well. A HEAD logs nobody in or out. */
export function hasRouteMethod(route: AccountRoute, method: string): boolean {
  return method === route.method || (route.function === 'me' && route.method === 'GET' && method === 'HEAD')
}

function comparable(path: string): string {
  return path.toLowerCase().replace(/\/$/, '')
}
