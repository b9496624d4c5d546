import type { AccountRoute } from '../auth/account-route'
import { cookieName } from '../auth/token-places'
import { OptionError } from '../errors'
import type { AccountOptions } from './account-options'

/** @throws OptionError for an option that changes nothing beside the others */
export function refuseIdleOptions(
  options: AccountOptions,
  own: readonly AccountRoute[],
  { hasRefresh, hasOtherLogin }: { hasRefresh: boolean; hasOtherLogin: boolean },
): void {
  const { tokenIn, refreshIn, refreshOnce } = options
  const has = (...purposes: AccountRoute['does'][]) => own.some(({ does }) => purposes.includes(does))
  const cookiePlace = [tokenIn].flat().find((place) => cookieName(place) !== undefined)
  if (!has('logIn', 'signUp') && !hasOtherLogin)
    refuseIdle('login', {
      'login-users': options.loginUsers,
      'login-fields': options.loginFields,
    })
  if (!has('logIn')) refuseIdle('login', { '--any-password': options.anyPassword || undefined })
  if (!has('logIn', 'signUp') && !hasRefresh)
    refuseIdle('login', {
      'login-response': options.loginResponse,
      'login-headers': options.loginHeaders,
      'login-refusal': options.loginRefusal,
      'token-claims': hasOtherLogin ? undefined : options.tokenClaims,
      // A page sends a token in a header by itself, and the specified login sets no cookie.
      [`--token-in ${cookiePlace}`]: cookiePlace,
    })
  if (!has('signUp')) refuseIdle('sign-up', { 'sign-up-refusal': options.signUpRefusal })
  if (!own.some(({ does, method }) => does === 'whoAmI' || (does === 'changeMe' && method !== 'DELETE')))
    refuseIdle('me', { 'me-response': options.meResponse })
  if (!has('logOut')) refuseIdle('logout', { 'logout-response': options.logoutResponse })
  if (!hasRefresh)
    refuseIdle('refresh', {
      '--refresh-in': refreshIn,
      '--refresh-once': (refreshOnce && !hasOtherLogin) || undefined,
    })
}

/**
 * Refuses options that change nothing without a path.
 *
 * @param flag that names such a path
 * @param options undefined where they are not given, by the names that people know
 * @throws OptionError for the first that is given
 */
function refuseIdle(flag: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, given] of Object.entries(options))
    if (given !== undefined)
      throw new OptionError(
        `${name} changes nothing without a path: add --${flag}, for instance "--${flag} /${flag}".`,
      )
}
