import {
  type AccountRoute,
  flagOf,
  hasPath,
  isForAccount,
  isSpecified,
  SPECIFIED_ROUTES,
} from '../auth/account-route'
import { type BuiltInRoute, isFor } from '../auth/built-in-route'
import { USER_LOOKUP_PATH } from '../auth/paths'
import { OptionError } from '../errors'
import { comparablePath } from '../http/request'
import type { AccountOptions } from './account-options'
import { isLeftToResource } from './find-route'

/** What a path can be for: the option that names it, and the method that it has where none is given. */
const PURPOSES = [
  { does: 'logIn', option: 'login', method: 'POST' },
  { does: 'signUp', option: 'signUp', method: 'POST' },
  { does: 'whoAmI', option: 'me', method: 'GET' },
  { does: 'refresh', option: 'refresh', method: 'POST' },
  { does: 'logOut', option: 'logout', method: 'POST' },
] as const

/** By these methods, who am I is a change of the record. */
const CHANGES: readonly string[] = ['PATCH', 'PUT', 'DELETE']

/** What a path must be, in an error. */
export const ACCOUNT_PATH_FORM =
  'a path that begins with a slash and has no pattern, for instance "/api/session", or a method and such a path, for ' +
  'instance "DELETE /api/session"'

/** A method, if there is one, and a path without a pattern such as `:id`, a query or a dot segment. */
const ROUTE = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/(?:(?!\.{1,2}(?:\/|$)|:)[\w.~!$&',:;=@%+-]+(?:\/|$))*)$/

/** Whether a value is a path as `--login` and the flags like it take it. */
export function isAccountPath(value: unknown): value is string {
  return typeof value === 'string' && ROUTE.test(value)
}

/**
 * Reads the paths of all options. A refresh may have the path of a login, whose route then stands for both.
 *
 * @throws OptionError for what is no path, and for a path that two options have, or the server has for another purpose
 */
export function readAccountRoutes(options: AccountOptions): AccountRoute[] {
  const named = PURPOSES.flatMap((purpose) =>
    [options[purpose.option] ?? []].flat().map((text) => readRoute(purpose, text)),
  )
  const all = withRefreshOfLogins(named)
  const routes = all.filter((route) => all.find((known) => isSameRoute(known, route)) === route)
  for (const route of all) refuseOtherPurpose(route, [...routes, ...SPECIFIED_ROUTES])
  return routes
}

/**
 * @param purpose what the path is for, and the method where none is given
 * @throws OptionError for what is no path, for that of the user lookup, and for a sign-up by GET
 */
function readRoute({ does, method: usual }: (typeof PURPOSES)[number], text: unknown): AccountRoute {
  const [, method = usual, path] = (typeof text === 'string' && ROUTE.exec(text)) || []
  if (path === undefined)
    throw new OptionError(`${flagOf({ does })}: ${JSON.stringify(text)} must be ${ACCOUNT_PATH_FORM}.`)
  if (comparablePath(path) === USER_LOOKUP_PATH)
    throw new OptionError(`${flagOf({ does })}: ${path} is the user lookup: give it another path.`)
  // A login by GET has its fields in the query, where nobody should put a new person.
  if (does === 'signUp' && method === 'GET')
    throw new OptionError(
      `${flagOf({ does })}: a GET of ${path} has no body to sign up with: leave out the method, which is POST then.`,
    )
  return { does: does === 'whoAmI' && CHANGES.includes(method) ? 'changeMe' : does, method, path }
}

/** Where a refresh has the path of a login, the login takes refresh tokens in its place, and the body decides. */
function withRefreshOfLogins(named: readonly AccountRoute[]): AccountRoute[] {
  const hasBody = ({ method }: AccountRoute) => method !== 'GET'
  const isNamed = (does: AccountRoute['does'], route: AccountRoute) =>
    named.some((known) => known.does === does && isSameRoute(known, route))
  return named
    .filter((route) => route.does !== 'refresh' || !hasBody(route) || !isNamed('logIn', route))
    .map((route) =>
      route.does === 'logIn' && hasBody(route) && isNamed('refresh', route)
        ? { ...route, takesRefresh: true }
        : route,
    )
}

/** @throws OptionError for a route that does something else among those that are known */
function refuseOtherPurpose(route: AccountRoute, known: readonly AccountRoute[]): void {
  const taken = known.find((other) => isSameRoute(other, route) && other.does !== route.does)
  if (taken === undefined) return
  const [line, flag, other] = [`${route.method} ${route.path}`, flagOf(route), flagOf(taken)]
  if (!isSpecified(taken))
    throw new OptionError(
      `${line} cannot be both ${other} and ${flag}: give one of them another path or method.`,
    )
  const isRefreshAtLogin = route.does === 'refresh' && taken.does === 'logIn'
  const advice = isRefreshAtLogin ? `, or add ${other} ${taken.path}, which takes refresh tokens then` : ''
  throw new OptionError(
    `Every server has ${line} as ${other}, so it cannot be ${flag}: name another path or method${advice}.`,
  )
}

/**
 * Refuses what only one of two steps would respond to.
 *
 * @param builtInRoutes all of a server
 * @throws OptionError for a path of an option that another built-in route has, such as the public list
 */
export function refuseTakenPaths(
  routes: readonly AccountRoute[],
  builtInRoutes: readonly BuiltInRoute[],
): void {
  for (const route of routes) {
    const [, other] = builtInRoutes.filter((one) => isFor(one, route))
    if (other !== undefined && !isSpecified(route))
      throw new OptionError(
        `${route.method} ${route.path} cannot be ${flagOf(route)}, because the server itself responds there: give it another ` +
          'path, or leave out what does, which is --docs, --openid, or the public list: --no-public.',
      )
  }
}

/** The routes of a server: those of its options, and those that every server has. */
export function allRoutes(own: readonly AccountRoute[]): AccountRoute[] {
  return [...own, ...SPECIFIED_ROUTES.filter((route) => !own.some((named) => isSameRoute(named, route)))]
}

/**
 * Tells whether a request is for one of some routes; without a method, whether one with this path can be.
 *
 * @param state the data as it is now, or undefined while it is not known: it may have what is at the path of who am I
 */
export function accountMatcher(routes: readonly AccountRoute[], state: () => object | undefined) {
  return ({ method, path }: { method?: string | undefined; path: string }): boolean =>
    routes.some(
      (route) =>
        isForAccount(route, { method: method ?? route.method, path }) &&
        !isLeftToResource(route, { state: state() }),
    )
}

function isSameRoute(one: AccountRoute, other: AccountRoute): boolean {
  return one.method === other.method && hasPath(one, other.path)
}
