import type { Claims } from '../auth/access-token'
import type { AccountRoute } from '../auth/account-route'
import type { User } from '../auth/person-fields'
import { sendCookie } from '../http/cookies'
import { exposeHeaders } from '../http/exposed-headers'
import type { HttpResponse } from '../http/handler'
import { notesOf } from '../http/notes'
import { sendUncached } from '../http/send-json'
import { isSendable } from '../http/sendable-headers'
import type { DataAccounts } from './data-accounts'
import type { Issued } from './login-protocol'
import { REFRESH_LIFETIME } from './sessions'

/** What is said with new tokens. */
interface Said {
  /** A sentence for people. */
  message: string
  /** The claims of the token with which a session goes on. Default: a new session begins. */
  previous?: Claims
}

/** Sends somebody who may log in new tokens: the response of a login, a sign-up or a refresh. */
export function issue(
  { settings, protocolOf, protocolOfToken, sessions }: DataAccounts,
  route: AccountRoute,
  response: HttpResponse,
  user: User,
  { message, previous }: Said,
): void {
  const { accessCookies, refreshCookies, routesWithRefresh } = settings
  const protocol = protocolOf(route)
  // A session stays that of the login with which it began, whatever the route.
  const { claimsFor } = previous === undefined ? protocol : protocolOfToken(previous)
  const { accessToken: token, refreshToken, expiresAt } = sessions.signTokens(claimsFor(user), { previous })
  if (protocol.hasCookies) {
    for (const name of accessCookies) sendCookie(response, name, token, sessions.lifetime)
    for (const name of refreshCookies) sendCookie(response, name, refreshToken, REFRESH_LIFETIME)
  }
  const issued: Issued = {
    token,
    type: 'Bearer',
    refresh: routesWithRefresh.has(route) ? refreshToken : undefined,
    user,
    expires: sessions.lifetime,
    expiresAt: new Date(expiresAt * 1000).toJSON(),
    message,
  }
  for (const [name, value] of protocol.loginHeaders(issued)) addHeader(response, name, value)
  sendUncached(response, protocol.loginBody(issued))
}

/** Adds a header that pages of other origins can read. */
function addHeader(response: HttpResponse, name: string, value: unknown): void {
  if (!isSendable(name, value)) {
    notesOf(response.req).reason = `the header ${name} is left out, because no header can hold its value`
    return
  }
  response.setHeader(name, value)
  exposeHeaders(response, name)
}
