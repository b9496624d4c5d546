import { comparablePath, type RequestLine } from '../http/request'
import { LOGIN_PATH, WHO_AM_I_PATH } from './access-policy'

/** A route that logs in or out, or says who is logged in: what others must know of it. */
export interface AccountRoute {
  readonly method: string
  readonly path: string
  readonly does: 'logIn' | 'signUp' | 'refresh' | 'logOut' | 'whoAmI'
  /** Whether it is a login that takes refresh tokens as well: the body decides. */
  readonly takesRefresh?: true
  /**
   * A sample of its response with a token, where applications choose what that is. Default: the response is as
   * specified.
   */
  readonly response?: (token: string) => unknown
}

/** What every server has. */
export const SPECIFIED_LOGIN: AccountRoute = { method: 'POST', path: LOGIN_PATH, does: 'logIn' }
export const SPECIFIED_WHO_AM_I: AccountRoute = { method: 'GET', path: WHO_AM_I_PATH, does: 'whoAmI' }
export const SPECIFIED_ROUTES = [SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I]

/** Whether a route has a path. */
export function hasPath({ path: own }: AccountRoute, path: string): boolean {
  return comparablePath(own) === comparablePath(path)
}

/** Paths at which other servers log in, or sign up. */
const OTHER_LOGINS = /\/(?:log-?in|sign-?in|sessions?|register|sign-?up)\/?$/i
export const OTHER_SIGN_UPS = /\/(?:register|sign-?up)\/?$/i

/** Whether a request logs in, or signs up, at a path at which other servers do. */
export function seeksLogin({ method, path }: RequestLine): boolean {
  return method === 'POST' && OTHER_LOGINS.test(path)
}

/**
 * Which route a request seems to look for, by another method or at another path, as a clause for the server's log;
 * undefined for any other request.
 *
 * @param sent its target as it was sent, if a rewrite rule has changed it
 */
export function soughtRoute(
  line: RequestLine,
  routes: readonly AccountRoute[],
  sent = line.path,
): string | undefined {
  const [sentPath = ''] = sent.split('?')
  const here = routes.filter((route) => hasPath(route, line.path) || hasPath(route, sentPath))
  const asked = line.method === 'HEAD' ? 'GET' : line.method
  const other = here.some(({ method }) => method === asked) ? undefined : here[0]
  const route = other ?? (seeksLogin(line) ? routes.find(({ does }) => does === 'logIn') : undefined)
  return route && `the ${route.does === 'logIn' ? 'login' : 'route'} is ${route.method} ${route.path}`
}
