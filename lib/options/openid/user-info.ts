import type { Claims } from '../../auth/access-token'
import type { User } from '../../auth/person-fields'
import { NO_USER, userOfToken } from '../../auth/user-of-token'
import { invalidToken, UnauthorizedError } from '../../errors'
import type { HttpRequest } from '../../http/handler'
import { sendUncached } from '../../http/send-json'
import { claimsInScope, identityOf } from './identity'
import { OAuthError } from './oauth-error'
import type { Realm, RespondInRealm } from './provider'

/** What a token says of its scopes where no client of this provider has asked for some: everything. */
const ALL_SCOPES = 'profile email phone'

/** The token of a request. The client of Keycloak writes `bearer`, which no other route takes. */
export function bearerIn({ headers }: HttpRequest): string {
  const [, sent = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return sent
}

/** Says who a token is for (OpenID Connect Core 1.0 section 5.3). */
export const userInfo: RespondInRealm = (realm, request, response) => {
  const { user, claims } = senderOf(request, realm)
  const scope = claims.azp === undefined ? ALL_SCOPES : String(claims.scope)
  sendUncached(response, claimsInScope(user, scope, realm))
}

/** What keycloak-js asks for by `loadUserProfile`: the profile of Keycloak's account console. */
export const account: RespondInRealm = (realm, request, response) => {
  const { user } = senderOf(request, realm)
  const said: Record<string, unknown> = { ...claimsInScope(user, ALL_SCOPES, realm) }
  sendUncached(response, {
    id: identityOf(user, realm),
    username: said.preferred_username,
    email: said.email,
    firstName: said.given_name,
    lastName: said.family_name,
    emailVerified: said.email_verified,
  })
}

/** @throws UnauthorizedError without a good token, and OAuthError 403 for that of a program */
function senderOf(request: HttpRequest, { sessions, known }: Realm): { user: User; claims: Claims } {
  const sent = bearerIn(request)
  if (sent === '') throw new UnauthorizedError()
  const { claims, refusal } = sessions.readAccessToken(sent)
  if (claims === undefined) throw new UnauthorizedError(refusal)
  if (claims.gty === NO_USER.gty)
    throw new OAuthError('insufficient_scope', 'The token is that of a program, and not of a user.', {
      status: 403,
    })
  const user = userOfToken(claims, known())
  if (user === undefined) throw new UnauthorizedError(invalidToken('its user is gone'))
  return { user, claims }
}
