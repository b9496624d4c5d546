import { REFRESH_LIFETIME } from '../../accounts/sessions'
import type { Claims } from '../../auth/access-token'
import type { User } from '../../auth/person-fields'
import { tokenCookies } from '../../auth/token-places'
import { userWhoGoesOn } from '../../auth/user-of-token'
import { clearCookie, sendCookie } from '../../http/cookies'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import type { ProviderAccounts } from './provider'

/** The cookie by which a browser stays logged in here, for all clients. Nothing but this provider reads it. */
const COOKIE = 'openid_session'

/** What a browser sends as its session here, valid or not. */
export function browserTokens(request: HttpRequest): string[] {
  return tokenCookies(request, COOKIE)
}

/** Begins the session of a browser, and gives its claims. */
export function beginSession(
  response: HttpResponse,
  user: User,
  accounts: ProviderAccounts,
): Claims | undefined {
  const { sessions, claimsFor } = accounts
  // Clients compare it with the clock of their machine, whatever that of a sandbox is.
  const authTime = Math.floor(Date.now() / 1000)
  const { refreshToken } = sessions.signTokens({ ...claimsFor(user), auth_time: authTime }, { by: 'browser' })
  sendCookie(response, COOKIE, refreshToken, REFRESH_LIFETIME)
  return sessions.readRefreshToken(refreshToken, 'browser').claims
}

/**
 * The claims of a browser's session in this data. A page of another site may lead the browser here, as applications do,
 * but not ask in the background.
 */
export function browserSessionOf(request: HttpRequest, accounts: ProviderAccounts): Claims | undefined {
  const { authentication, sessions, known } = accounts
  const isSeen = request.headers['sec-fetch-dest'] === 'document'
  if (!isSeen && authentication.isFromOtherSite(request)) return undefined
  return browserTokens(request)
    .flatMap((text) => sessions.readRefreshToken(text, 'browser').claims ?? [])
    .find(
      (claims) =>
        sessions.ended.isMadeHere(claims) &&
        sessions.ended.refusalOf(claims) === undefined &&
        userWhoGoesOn(claims, known()).user !== undefined,
    )
}

/** Makes a browser forget a session that has ended. Another mock on localhost has a cookie of the same name. */
export function forgetEndedSession(
  request: HttpRequest,
  response: HttpResponse,
  accounts: ProviderAccounts,
): void {
  const isOurs = browserTokens(request).some((text) => accounts.sessions.hasMade(text))
  if (isOurs && browserSessionOf(request, accounts) === undefined) clearCookie(response, COOKIE)
}
