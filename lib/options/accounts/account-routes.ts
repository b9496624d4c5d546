import { LOGIN_PATH, WHO_AM_I_PATH } from '../../auth/access-policy'
import { type AccountRoute, isSamePath } from '../../auth/account-route'
import type { Service } from '../../auth/service'
import { OptionError } from '../../errors'
import type { AccountOptions } from './account-options'

/** What a path can be for: the option that names it, its flag, and the method that it has where none is given. */
const PURPOSES = [
  { does: 'logIn', option: 'login', flag: '--login', method: 'POST' },
  { does: 'signUp', option: 'signUp', flag: '--sign-up', method: 'POST' },
  { does: 'whoAmI', option: 'me', flag: '--me', method: 'GET' },
  { does: 'refresh', option: 'refresh', flag: '--refresh', method: 'POST' },
  { does: 'logOut', option: 'logout', flag: '--logout', method: 'POST' },
] as const

/** A route of an option. */
export interface OwnRoute extends AccountRoute {
  readonly flag: string
  /** Whether it is a login that takes refresh tokens as well: the body decides. */
  takesRefresh?: true
}

/** A method, if there is one, and a path without a pattern, a query or a dot segment. */
const ROUTE = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$&',;=@%+-]+\/?)*)$/

/** What the server has without any option: an option of the same purpose may name it, and no other may. */
export const SPECIFIED_LOGIN = { ...PURPOSES[0], path: LOGIN_PATH }
export const SPECIFIED_WHO_AM_I = { ...PURPOSES[2], path: WHO_AM_I_PATH }

/**
 * Reads the paths of all options. A refresh may have the path of a login, whose route then stands for both.
 *
 * @throws OptionError for what is no path, and for a path that two options have
 */
export function readAccountRoutes(options: AccountOptions): OwnRoute[] {
  const routes: OwnRoute[] = []
  for (const { option, ...purpose } of PURPOSES) {
    for (const text of [options[option] ?? []].flat()) {
      const route = { ...purpose, ...readRoute(purpose, text) }
      const given = routes.find((known) => isSameRoute(known, route))
      const taken = [given, SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I].find(
        (known) => known && isSameRoute(known, route),
      )
      if (given?.does === 'logIn' && route.does === 'refresh') given.takesRefresh = true
      else if (taken !== undefined && taken.does !== route.does)
        throw new OptionError(
          `${route.method} ${route.path} cannot be both ${taken.flag} and ${route.flag}: ` +
            'give one of them another path or method.',
        )
      else if (given === undefined) routes.push(route)
    }
  }
  return routes
}

/** @param purpose the flag, and the method where none is given */
function readRoute({ flag, method: usual }: { flag: string; method: string }, text: unknown) {
  const [, method = usual, path] = (typeof text === 'string' && ROUTE.exec(text)) || []
  if (path === undefined)
    throw new OptionError(
      `${flag}: ${JSON.stringify(text)} must be a path that begins with a slash and has no pattern, for instance ` +
        '"/api/session", or a method and such a path, for instance "DELETE /api/session".',
    )
  return { method, path }
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

function isSameRoute(one: AccountRoute, other: AccountRoute): boolean {
  return one.method === other.method && isSamePath(one.path, other.path)
}

/** A route as the start, the rules and the static files must know it. */
export function serviceOf({ does, method, path }: AccountRoute): Service {
  return {
    hasPath: (asked) => isSamePath(asked, path),
    // Who am I is a read, which HEAD asks as well. A HEAD logs nobody in or out.
    hasMethod: (asked) => asked === method || (asked === 'HEAD' && does === 'whoAmI' && method === 'GET'),
    isOpen: does !== 'whoAmI',
    isRewritten: false,
    routes: () => [{ method, path }],
  }
}
