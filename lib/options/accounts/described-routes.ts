import type { AccountRoute as DescribedRoute } from '../../auth/account-route'
import type { AccountFunction, AccountRoute } from './account-routes'
import type { AccountSettings } from './account-settings'
import { fillTemplate } from './template'

/** What each function does, at the start. */
const NOTES: Readonly<Record<AccountFunction, string>> = {
  login: 'log in',
  signUp: 'sign up, and log in',
  me: 'whose token it is',
  refresh: 'new tokens for a refresh token',
  logout: 'end the session',
}

/** What each function does, for the document. */
const DOES = {
  login: 'logIn',
  signUp: 'signUp',
  me: 'whoAmI',
  refresh: 'refresh',
  logout: 'logOut',
} as const satisfies Readonly<Record<AccountFunction, DescribedRoute['does']>>

/** What a route does, in some words. */
export function noteOf(route: AccountRoute): string {
  return NOTES[route.function]
}

/** The routes, for the document. It needs no token, so the samples of responses show no user. */
export function describedRoutes(settings: AccountSettings): DescribedRoute[] {
  return settings.routes.map(({ function: name, method, path }) => ({
    method,
    path,
    does: DOES[name],
    ...(name !== 'me' && { response: (token: string) => sampleResponse(name, token, settings) }),
  }))
}

function sampleResponse(name: AccountFunction, token: string, { loginResponse }: AccountSettings): unknown {
  const values = { token, refresh: 'text', user: {}, expires: 3600, message: 'text' }
  return name === 'logout' ? {} : fillTemplate(loginResponse, values)
}
