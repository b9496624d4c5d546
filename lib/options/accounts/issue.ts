import type { Claims } from '../../auth/access-token'
import type { User } from '../../auth/user-fields'
import { subjectOf } from '../../auth/user-of-token'
import { sendCookie } from '../../http/cookies'
import type { HttpResponse } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import type { Accounts } from './account-settings'
import { claimsAbout } from './claims'
import { REFRESH_LIFETIME } from './sessions'

/** What is said with new tokens. */
interface Issued {
  /** Default: 200. */
  status?: number
  /** A sentence for people. */
  message: string
  /** The claims of the token with which a session goes on. Default: a new session begins. */
  previous?: Claims
}

/** Sends somebody new tokens: the response of a login, a sign-up or a refresh. */
export function issue(
  { tokenClaims, loginResponse, refreshCookies, sessions, visitors, known }: Accounts,
  response: HttpResponse,
  user: User,
  { status = 200, message, previous }: Issued,
): void {
  const claims = { ...claimsAbout(user, tokenClaims({ user })), sub: subjectOf(user, known()) }
  const { accessToken: token, refreshToken: refresh } = sessions.issue(claims, previous)
  for (const name of visitors.cookies) sendCookie(response, name, token, sessions.lifetime)
  for (const name of refreshCookies) sendCookie(response, name, refresh, REFRESH_LIFETIME)
  response.statusCode = status
  const values = { token, refresh, user, expires: sessions.lifetime, message }
  sendUncached(response, loginResponse(values))
}

/** Sends JSON that nobody may keep, because it is about one person. */
export function sendUncached(response: HttpResponse, value: unknown): void {
  response.setHeader('Cache-Control', 'no-store')
  sendJson(response, value)
}
