import { createHash } from 'node:crypto'
import type { Claims } from '../../auth/access-token'
import { fieldText } from '../../auth/person-fields'
import { subjectOf, userWhoGoesOn } from '../../auth/user-of-token'
import type { HttpRequest } from '../../http/handler'
import { notesOf } from '../../http/notes'
import { sendUncached } from '../../http/send-json'
import { type Parameters, parametersOf } from './authorization'
import { issuerOf } from './endpoints'
import { claimsInScope } from './identity'
import { invalidGrant, OAuthError } from './oauth-error'
import type { Realm, RespondInRealm } from './provider'

/** What a client gets tokens for. */
interface Granted {
  /** The claims with which the session goes on. */
  readonly previous: Claims
  readonly client: string
  readonly scope: string
  /** Said by the identity token alone; none after a refresh (OpenID Connect Core 1.0 section 12.2). */
  readonly nonce?: string
}

/** Exchanges a code or a refresh token for tokens (RFC 6749 sections 4.1.3 and 6). Any client is known, by any secret. */
export const token: RespondInRealm = async (realm, request, response) => {
  const of = parametersOf(request.body)
  const client = clientOf(request) ?? of('client_id')
  const grants: Readonly<Record<string, () => Granted>> = {
    authorization_code: () => exchange(realm, request, of, client),
    refresh_token: () => exchangeRefreshToken(realm, of('refresh_token'), client),
  }
  const grant = Object.hasOwn(grants, of('grant_type')) ? grants[of('grant_type')] : undefined
  if (grant === undefined)
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token, in a form.',
    )
  sendUncached(response, await tokensFor(realm, request, grant()))
}

function exchange(
  { codes, issuer, sessions }: Realm,
  request: HttpRequest,
  of: Parameters,
  client: string,
): Granted {
  const grant = codes.find(of('code'))
  if (grant === undefined) throw invalidGrant('There is no such code.')
  const { session, challenge, nonce, scope } = grant
  // Somebody else may have the tokens that the first one got (RFC 6749 section 4.1.2).
  if (grant.isUsed) {
    sessions.end(session)
    throw invalidGrant('The code was used before: the session has ended.')
  }
  grant.isUsed = true
  if (grant.until <= sessions.now()) throw invalidGrant('The code is older than a minute.')
  requireSandbox(session, sessions, 'code')
  if (client !== grant.client || of('redirect_uri') !== grant.redirect)
    throw invalidGrant('client_id and redirect_uri must be those for which the code was made.')
  // A verifier without a challenge means that somebody has taken the challenge away (RFC 9700 section 2.1.1).
  const verifier = of('code_verifier')
  const hash = createHash('sha256').update(verifier).digest('base64url')
  if (challenge === '' ? verifier !== '' : hash !== challenge)
    throw invalidGrant('code_verifier is not the one of which code_challenge was made.')
  const refused = sessions.refusalOf(session)
  if (refused !== undefined) throw invalidGrant(`${refused.reason}.`)
  if (issuer === undefined && issuerOf(request) !== grant.issuer)
    notesOf(request).reason =
      'the browser has logged in at another address than this one, so the issuer is another one: --issuer names one for both'
  // No refresh token came before: that of the browser stays in its cookie.
  const { sid, exp, auth_time } = session
  return { previous: { ...session, sid, exp, auth_time, jti: undefined }, client, scope, nonce }
}

function exchangeRefreshToken({ sessions }: Realm, sent: string, client: string): Granted {
  const { claims, refusal } = sessions.readRefreshToken(sent, 'client')
  if (claims === undefined) throw invalidGrant(`${refusal.reason}.`)
  requireSandbox(claims, sessions, 'refresh token')
  if (claims.azp !== client) throw invalidGrant('The refresh token was made for another client.')
  const refused = sessions.use(claims)
  if (refused !== undefined) throw invalidGrant(`${refused.reason}.`)
  return { previous: claims, client, scope: fieldText(claims.scope) }
}

async function tokensFor(
  realm: Realm,
  request: HttpRequest,
  { previous, client, scope, nonce }: Granted,
): Promise<object> {
  const { sessions, signer, claimsOf, known, issuer = issuerOf(request) } = realm
  const { user, reason } = userWhoGoesOn(previous, known())
  if (user === undefined) throw invalidGrant(`There are no new tokens: ${reason}.`)
  const identity = { ...claimsInScope(user, scope, realm), azp: client, auth_time: previous.auth_time }
  const made = sessions.issue(
    { ...claimsOf(user), ...identity, sub: subjectOf(user, known()), scope },
    { previous, by: 'client' },
  )
  // Clients compare the times of an identity token with the clock of their machine, whatever that of a sandbox is.
  const now = Math.floor(Date.now() / 1000)
  const signed = {
    ...identity,
    iss: issuer,
    aud: client,
    sid: previous.sid,
    ...(nonce && { nonce }),
    iat: now,
    exp: now + sessions.lifetime,
  }
  return {
    access_token: made.accessToken,
    token_type: 'Bearer',
    expires_in: sessions.lifetime,
    refresh_token: made.refreshToken,
    scope,
    ...(scope.split(' ').includes('openid') && { id_token: await signer.sign(signed) }),
  }
}

/** @throws OAuthError for what was made in other data */
function requireSandbox(claims: Claims, sessions: Realm['sessions'], what: string): void {
  if (claims.sandbox !== sessions.claims.sandbox)
    throw invalidGrant(`The ${what} was made in another sandbox, or outside of this one.`)
}

/** The client that the header names (RFC 6749 section 2.3.1), as a form encodes it. */
function clientOf({ headers }: HttpRequest): string | undefined {
  const [, encoded] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const [name = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return new URLSearchParams(`name=${name.replaceAll('&', '%26')}`).get('name') ?? undefined
}
