import { createHash } from 'node:crypto'
import { comparePassword } from '../../accounts/password-hashes'
import { sentenceAbout } from '../../accounts/refusals'
import type { Claims } from '../../auth/access-token'
import { fieldText, type User } from '../../auth/person-fields'
import { NO_USER, subjectOf, userWhoGoesOn } from '../../auth/user-of-token'
import type { HttpRequest } from '../../http/handler'
import { notesOf } from '../../http/notes'
import { sendUncached } from '../../http/send-json'
import { type Parameters, parametersOf, withoutFragment } from './authorization'
import { clientOf, secretOf } from './client'
import { issuerOf } from './endpoints'
import { claimsInScope, grantedScopes } from './identity'
import { invalidGrant, OAuthError } from './oauth-error'
import type { Realm, RespondInRealm } from './provider'

/** What a client gets tokens for. */
interface Granted {
  readonly user: User
  /** The claims with which a session goes on; undefined where one begins. */
  readonly previous?: Claims
  /** When the person has logged in, in seconds since the epoch. */
  readonly authTime: unknown
  readonly client: string
  readonly scope: string
  /** For whom the access token is. */
  readonly audience: unknown
  /** Said by the identity token alone; none after a refresh (OpenID Connect Core 1.0 section 12.2). */
  readonly nonce?: string
}

/** Gives a client tokens. */
type WayToTokens = (realm: Realm, request: HttpRequest, of: Parameters) => object | Promise<object>

/** The ways to tokens (RFC 6749 sections 4.1.3, 4.3, 4.4 and 6). */
const GRANTS: Readonly<Record<string, WayToTokens>> = {
  authorization_code: (realm, request, of) => tokensFor(realm, request, exchange(realm, request, of)),
  refresh_token: (realm, request, of) => tokensFor(realm, request, goOn(realm, request, of)),
  password: async (realm, request, of) => tokensFor(realm, request, await logInBy(realm, request, of)),
  client_credentials: tokenForClient,
}

/** Exchanges a code, a refresh token or a password for tokens. Any client is known, by any secret. */
export const token: RespondInRealm = async (realm, request, response) => {
  const of = parametersOf(request.body)
  const name = of('grant_type')
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined
  if (grant === undefined)
    throw new OAuthError(
      'unsupported_grant_type',
      `grant_type must be one of ${Object.keys(GRANTS).join(', ')}, in a form.`,
    )
  sendUncached(response, await grant(realm, request, of))
}

function exchange({ codes, issuer, sessions, known }: Realm, request: HttpRequest, of: Parameters): Granted {
  const client = clientOf(request)
  const grant = codes.find(of('code'))
  if (grant === undefined) throw invalidGrant('There is no such code.')
  const { session, challenge, nonce, scope, audience } = grant
  // Somebody else may have the tokens that the first one got (RFC 6749 section 4.1.2).
  if (grant.isUsed) {
    sessions.ended.end(session)
    throw invalidGrant('The code was used before: the session has ended.')
  }
  if (grant.until <= sessions.nowInMilliseconds()) throw invalidGrant('The code is older than a minute.')
  requireSandbox(session, sessions, 'code')
  if (client !== grant.client || withoutFragment(of('redirect_uri')) !== grant.redirect)
    throw invalidGrant('client_id and redirect_uri must be those for which the code was made.')
  // A verifier without a challenge means that somebody has taken the challenge away (RFC 9700 section 2.1.1).
  const verifier = of('code_verifier')
  const hash = createHash('sha256').update(verifier).digest('base64url')
  if (challenge === '' ? verifier !== '' : hash !== challenge)
    throw invalidGrant('code_verifier is not the one of which code_challenge was made.')
  const refused = sessions.ended.refusalOf(session)
  if (refused !== undefined) throw invalidGrant(`${refused.reason}.`)
  const user = presentUser(session, known)
  // This comes last: a code that gets no answer can be sent again.
  grant.isUsed = true
  if (issuer === undefined && issuerOf(request) !== grant.issuer)
    notesOf(request).reason =
      'the browser has logged in at another address than this one, so the issuer is another one: --issuer names one for both'
  return {
    user,
    // No refresh token came before: that of the browser stays in its cookie.
    previous: { ...session, jti: undefined },
    authTime: session.auth_time,
    client,
    scope,
    audience: audience || askedAudience(of) || client,
    nonce,
  }
}

function goOn({ sessions, known }: Realm, request: HttpRequest, of: Parameters): Granted {
  const client = clientOf(request)
  const { claims, refusal } = sessions.readRefreshToken(of('refresh_token'), 'client')
  if (claims === undefined) throw invalidGrant(`${refusal.reason}.`)
  requireSandbox(claims, sessions, 'refresh token')
  if (claims.azp !== client) throw invalidGrant('The refresh token was made for another client.')
  const user = presentUser(claims, known)
  // This comes last: a token that gets no answer can be sent again.
  const refused = sessions.use(claims)
  if (refused !== undefined) throw invalidGrant(`${refused.reason}.`)
  const { auth_time: authTime, aud: audience, scope } = claims
  return {
    user,
    previous: claims,
    authTime,
    client,
    scope: fieldText(scope),
    audience,
  }
}

/** For tests that log in without a page: a name and a password, as the page takes them. */
async function logInBy(realm: Realm, request: HttpRequest, of: Parameters): Promise<Granted> {
  const client = clientOf(request)
  const sent = { username: of('username'), password: of('password') }
  const identified = await realm.identify(sent, request)
  const { user } = identified
  if (user === undefined) throw invalidGrant(sentenceAbout(identified.why), identified.reason)
  const scope = grantedScopes(of('scope'), issuerOf(request))
  return { user, authTime: inSeconds(Date.now()), client, scope, audience: askedAudience(of) || client }
}

/**
 * A token of a program, which is no user. Any client is known otherwise, so that everybody would get one: the name and the
 * password of a login of `--user` are needed.
 */
async function tokenForClient(
  { sessions, known, issuer }: Realm,
  request: HttpRequest,
  of: Parameters,
): Promise<object> {
  const client = clientOf(request)
  const secret = secretOf(request)
  notesOf(request).passwords = [secret]
  const namesakes = known().logins.filter(({ email }) => email === client)
  if (!(await isSecretOfOne(secret, namesakes, request)))
    throw new OAuthError(
      'invalid_client',
      'client_id and client_secret must be the name and the password of a --user.',
      {
        status: 401,
        headers: { 'WWW-Authenticate': 'Basic realm="token"' },
      },
    )
  const scope = of('scope')
  const { accessToken } = sessions.signTokens(
    {
      ...NO_USER,
      sub: client,
      azp: client,
      client_id: client,
      iss: issuer ?? issuerOf(request),
      aud: askedAudience(of) || client,
      scope,
    },
    { by: 'client' },
  )
  return { access_token: accessToken, token_type: 'Bearer', expires_in: sessions.lifetime, scope }
}

/** Whether a secret is the password of one of some logins, as it is or as a hash. An empty one is that of nobody. */
async function isSecretOfOne(
  secret: string,
  logins: readonly User[],
  request: HttpRequest,
): Promise<boolean> {
  if (secret === '') return false
  for (const { password } of logins)
    if (await comparePassword(secret, fieldText(password), request)) return true
  return false
}

async function tokensFor(
  realm: Realm,
  request: HttpRequest,
  { user, previous, authTime, client, scope, audience, nonce }: Granted,
): Promise<object> {
  const { sessions, signer, claimsFor, known, issuer = issuerOf(request) } = realm
  const identity = { ...claimsInScope(user, scope, realm), azp: client, auth_time: authTime }
  const common = { ...claimsFor(user), ...identity, sub: subjectOf(user, known()), scope }
  const made = sessions.signTokens(
    { ...common, iss: issuer, aud: audience, client_id: client },
    { previous, by: 'client' },
  )
  // Clients compare the times of an identity token with the clock of their machine, whatever that of a sandbox is.
  const now = inSeconds(Date.now())
  const signed = {
    ...identity,
    iss: issuer,
    aud: client,
    sid: made.sid,
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

/** @throws OAuthError for one who is gone, or may not log in any more */
function presentUser(claims: Claims, known: Realm['known']): User {
  const { user, reason } = userWhoGoesOn(claims, known())
  if (user === undefined) throw invalidGrant(`There are no new tokens: ${reason}.`)
  return user
}

/** For whom the access token is to be, as Auth0's client and RFC 8707 say it; empty where that was not said. */
function askedAudience(of: Parameters): string {
  return of('audience') || of('resource')
}

/** @throws OAuthError for what was made in other data */
function requireSandbox(claims: Claims, sessions: Realm['sessions'], what: string): void {
  if (!sessions.ended.isMadeHere(claims))
    throw invalidGrant(`The ${what} was made in another sandbox, or outside of this one.`)
}

function inSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
