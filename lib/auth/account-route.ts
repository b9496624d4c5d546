import { comparablePath } from '../http/request'
import { LOGIN_PATH, WHO_AM_I_PATH } from './access-policy'

/** A route that logs in or out, or says who is logged in: what others must know of it. */
export interface AccountRoute {
  readonly method: string
  readonly path: string
  /** Whether it is a login that takes refresh tokens as well: the body decides. */
  readonly takesRefresh?: true
  readonly does: 'logIn' | 'signUp' | 'refresh' | 'logOut' | 'whoAmI'
  /**
   * Its response with a token to a user, where applications choose what that is. Default: the response is as specified.
   */
  readonly response?: (token: string, user?: object) => unknown
}

/** What every server has. */
export const SPECIFIED_LOGIN: AccountRoute = { method: 'POST', path: LOGIN_PATH, does: 'logIn' }
export const SPECIFIED_WHO_AM_I: AccountRoute = { method: 'GET', path: WHO_AM_I_PATH, does: 'whoAmI' }
export const SPECIFIED_ROUTES = [SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I]

/** Whether a route has a path. */
export function hasPath({ path: own }: AccountRoute, path: string): boolean {
  return comparablePath(own) === comparablePath(path)
}
