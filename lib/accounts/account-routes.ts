import { type AccountRoute, hasPath, isForAccount, SPECIFIED_ROUTES } from '../auth/account-route'
import { USER_LOOKUP_PATH } from '../auth/paths'
import { OptionError } from '../errors'
import { comparablePath } from '../http/request'
import type { AccountOptions } from './account-options'
import { isLeftToResource } from './find-route'

/** What a path can be for: the option that names it, its flag, and the method that it has where none is given. */
const PURPOSES = [
  { does: 'logIn', option: 'login', flag: '--login', method: 'POST' },
  { does: 'signUp', option: 'signUp', flag: '--sign-up', method: 'POST' },
  { does: 'whoAmI', option: 'me', flag: '--me', method: 'GET' },
  { does: 'refresh', option: 'refresh', flag: '--refresh', method: 'POST' },
  { does: 'logOut', option: 'logout', flag: '--logout', method: 'POST' },
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
  const routes: AccountRoute[] = []
  for (const { option, ...purpose } of PURPOSES) {
    for (const text of [options[option] ?? []].flat()) {
      const { flag } = purpose
      const line = readRoute(purpose, text)
      const does = purpose.does === 'whoAmI' && CHANGES.includes(line.method) ? 'changeMe' : purpose.does
      const route: AccountRoute = { does, ...line }
      const index = routes.findIndex((known) => isSameRoute(known, route))
      const given = routes[index]
      if (comparablePath(route.path) === USER_LOOKUP_PATH)
        throw new OptionError(`${flag}: ${route.path} is the user lookup: give it another path.`)
      const taken = given ?? SPECIFIED_ROUTES.find((known) => isSameRoute(known, route))
      if (given?.does === 'logIn' && does === 'refresh') routes[index] = { ...given, takesRefresh: true }
      else if (taken !== undefined && taken.does !== does)
        throw new OptionError(
          `${route.method} ${route.path} cannot be both ${flagOf(taken)} and ${flag}: ` +
            'give one of them another path or method.',
        )
      else if (given === undefined) routes.push(route)
    }
  }
  return routes
}

/** The flag that names such a route. */
export function flagOf({ does }: AccountRoute): string {
  return String(PURPOSES.find((purpose) => purpose.does === (does === 'changeMe' ? 'whoAmI' : does))?.flag)
}

/** @param purpose the flag, and the method where none is given */
function readRoute({ flag, method: usual }: { flag: string; method: string }, text: unknown) {
  const [, method = usual, path] = (typeof text === 'string' && ROUTE.exec(text)) || []
  if (path === undefined)
    throw new OptionError(`${flag}: ${JSON.stringify(text)} must be ${ACCOUNT_PATH_FORM}.`)
  return { method, path }
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
