import { areClaims, type Claims } from '../../auth/access-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import type { HttpRequest } from '../../http/handler'
import { isRecord } from '../../is-record'
import type { AccountSettings } from './account-settings'
import { sentTokens, tokensInBody } from './sent-tokens'
import type { Sessions } from './sessions'

export interface RefreshOptions {
  settings: AccountSettings
  sessions: Sessions
  visitors: Visitors
}

/**
 * The claims of the token with which a session goes on: the refresh token of the body, whatever its field is called,
 * of a header or of the cookie; else an access token that is still valid.
 *
 * @throws HttpError 401 without either
 */
export function useRefreshToken(
  request: HttpRequest,
  { settings, sessions, visitors }: RefreshOptions,
): Claims {
  const read = sentTokens(request, settings).map((token) => sessions.readRefreshToken(token))
  const claims = read.find(areClaims)
  if (claims !== undefined) {
    const refusal = sessions.use(claims)
    if (refusal !== undefined) throw refusedRefresh(refusal.reason)
    return claims
  }
  const access = visitors.judge(request, sessions)
  if (access.claims !== undefined) return access.claims
  const reasons = [...read, access.refusal].flatMap((its) => (areClaims(its) ? [] : its.reason))
  throw refusedRefresh(`there is no valid refresh token: ${[...new Set(reasons)].join('; ')}`)
}

/** The error for a refresh, for the log with a reason. */
export function refusedRefresh(reason: string): HttpError {
  return new HttpError({
    status: 401,
    message: 'Log in again: there is no refresh token that is valid.',
    reason,
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** Whether a body asks for a refresh (RFC 6749 section 6): it says so, or has a token and does not say what it is. */
export function asksForRefresh(body: unknown): boolean {
  const grant = isRecord(body) ? body.grant_type : undefined
  return grant === undefined ? tokensInBody(body).length > 0 : grant === 'refresh_token'
}
