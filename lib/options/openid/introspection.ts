import type { Claims } from '../../auth/access-token'
import { NO_USER, userOfToken } from '../../auth/user-of-token'
import { sendBody, sendUncached } from '../../http/send-json'
import { parametersOf } from './authorization'
import { clientOf } from './client'
import { OAuthError } from './oauth-error'
import type { Realm, RespondInRealm } from './provider'

/**
 * Ends the session of a token, if it is one of the client that asks (RFC 7009). Another client's is left alone, and what is
 * no token is none any more: both are a 200.
 */
export const revoke: RespondInRealm = ({ sessions }, request, response) => {
  const claims = usableClaims(tokenIn(request.body), sessions)
  if (claims !== undefined && claims.azp === clientOf(request)) sessions.ended.end(claims)
  response.setHeader('Cache-Control', 'no-store')
  sendBody(response, Buffer.alloc(0))
}

/** Says whether a token is good, and for what (RFC 7662). Any client may ask about a token that it has. */
export const introspect: RespondInRealm = ({ sessions, known }, request, response) => {
  const claims = usableClaims(tokenIn(request.body), sessions)
  const isOfProgram = claims?.gty === NO_USER.gty
  const isActive = claims !== undefined && (isOfProgram || userOfToken(claims, known()) !== undefined)
  if (!isActive) return sendUncached(response, { active: false })
  const said: Readonly<Record<string, unknown>> = claims
  const { sub, azp, client_id = azp, scope, exp, iat, iss, aud, email, username = email } = said
  sendUncached(response, {
    active: true,
    sub,
    client_id,
    username,
    scope,
    exp,
    iat,
    iss,
    aud,
    token_type: 'Bearer',
  })
}

/** The claims of an access token, or of a client's refresh token, of this data that can still be used. */
function usableClaims(text: string, sessions: Realm['sessions']): Claims | undefined {
  const ofRefresh = sessions.readRefreshToken(text, 'client').claims
  const usable = ofRefresh && sessions.whyUnusable(ofRefresh) === undefined ? ofRefresh : undefined
  const claims = sessions.readAccessToken(text).claims ?? usable
  return claims && sessions.ended.isMadeHere(claims) ? claims : undefined
}

/** @throws OAuthError 400 where no token was sent */
function tokenIn(body: unknown): string {
  const text = parametersOf(body)('token')
  if (text === '') throw new OAuthError('invalid_request', 'The form must have the parameter token once.')
  return text
}
