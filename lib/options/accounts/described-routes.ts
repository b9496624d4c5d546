import type { AccountRoute as DescribedRoute } from '../../auth/account-route'
import type { AccountFunction } from './account-routes'
import type { AccountSettings } from './account-settings'
import { fillTemplate } from './template'

/** What each function does, for the document. */
const DOES = {
  login: 'logIn',
  signUp: 'signUp',
  me: 'whoAmI',
  refresh: 'refresh',
  logout: 'logOut',
} as const satisfies Readonly<Record<AccountFunction, DescribedRoute['does']>>

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
