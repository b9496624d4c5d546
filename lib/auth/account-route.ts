import { comparablePath, type RequestLine } from '../http/request'
import { LOGIN_PATH, WHO_AM_I_PATH } from './paths'

/** A route that logs in or out, or says or changes who is logged in: what others must know of it. */
export interface AccountRoute {
  readonly method: string
  readonly path: string
  /** Whether it is a login that takes refresh tokens as well: what is sent decides. */
  readonly takesRefresh?: true
  readonly does: 'logIn' | 'signUp' | 'refresh' | 'logOut' | 'whoAmI' | 'changeMe'
}

/** Which routes need no token. */
const OPEN: Readonly<Record<AccountRoute['does'], boolean>> = {
  logIn: true,
  signUp: true,
  refresh: true,
  logOut: true,
  whoAmI: false,
  changeMe: false,
}

/** The flag that names a route, by what that does. */
const FLAGS: Readonly<Record<AccountRoute['does'], string>> = {
  logIn: '--login',
  signUp: '--sign-up',
  whoAmI: '--me',
  changeMe: '--me',
  refresh: '--refresh',
  logOut: '--logout',
}

/** The flag that names such a route. */
export function flagOf({ does }: Pick<AccountRoute, 'does'>): string {
  return FLAGS[does]
}

/** Whether a route needs no token. */
export function isOpen({ does }: AccountRoute): boolean {
  return OPEN[does]
}

/** A route that the server itself responds to: a change of the own record goes on to the resources. */
export type AnsweredRoute = AccountRoute & { readonly does: Exclude<AccountRoute['does'], 'changeMe'> }

/** Whether the server itself responds to a route. */
export function isAnswered(route: AccountRoute): route is AnsweredRoute {
  return route.does !== 'changeMe'
}

/** The login and the "who am I" that every server has, unless an option names the same path and method. */
export const SPECIFIED_LOGIN: AccountRoute = { method: 'POST', path: LOGIN_PATH, does: 'logIn' }
export const SPECIFIED_WHO_AM_I: AccountRoute = { method: 'GET', path: WHO_AM_I_PATH, does: 'whoAmI' }
export const SPECIFIED_ROUTES = [SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I]

/** Whether a route is as the specification has it, whatever the options say. */
export function isSpecified(route: AccountRoute): boolean {
  return SPECIFIED_ROUTES.includes(route)
}

/** Whether a route has a path, as Express compares paths. */
export function hasPath({ path: own }: AccountRoute, path: string): boolean {
  return comparablePath(own) === comparablePath(path)
}

/**
 * Whether a request is for a route. The path of a specified one is compared to the letter. Who am I is a read, which HEAD
 * asks as well; a HEAD logs nobody in or out.
 */
export function isForAccount(route: AccountRoute, { method, path }: RequestLine): boolean {
  const isHead = method === 'HEAD' && route.does === 'whoAmI' && route.method === 'GET'
  const isPath = isSpecified(route) ? route.path === path : hasPath(route, path)
  return isPath && (method === route.method || isHead)
}
