import { sentenceAbout } from '../../accounts/refusals'
import type { Claims } from '../../auth/access-token'
import { HttpError } from '../../errors'
import { notesOf } from '../../http/notes'
import { sendToClient } from './answer'
import { Authorization, type AuthorizationProblem, parametersOf } from './authorization'
import { beginSession, browserSessionOf } from './browser-session'
import { issuerOf } from './endpoints'
import { grantedScopes } from './identity'
import { PAGE_HEADERS, providerLoginPage } from './pages'
import type { RespondInRealm } from './provider'
import { refuseForeignForms, sendPage } from './responses'
import { sessionState } from './session-state'

/** Milliseconds that a code can be exchanged (RFC 6749 section 4.1.2: ten minutes at most). */
const CODE_LIFETIME = 60_000

/**
 * Asks a person to log in, unless the browser is logged in, and sends the browser back to the client with a code, or with
 * an error (OpenID Connect Core 1.0 section 3.1.2).
 */
export const authorize: RespondInRealm = async (realm, request, response) => {
  const { codes, hosts, sessions } = realm
  // No script may follow the redirect, which would show it the code.
  response.removeHeader('Access-Control-Allow-Origin')
  const asked = new Authorization(request.query, hosts)
  if (asked.problem !== undefined) return fail(asked.problem)
  if (request.method === 'POST') return grant(await logIn())
  const session = browserSessionOf(request, realm)
  if (session !== undefined && isFresh(session) && !['login', 'select_account'].some(asked.hasPrompt, asked))
    return grant(session)
  if (asked.hasPrompt('none')) return fail(['login_required', 'Nobody is logged in with this browser.'])
  sendPage(response, providerLoginPage({ name: asked.of('login_hint') }))

  async function logIn(): Promise<Claims | undefined> {
    refuseForeignForms(realm, request)
    const identified = await realm.identify(request.body, request)
    if (identified.user !== undefined) return beginSession(response, identified.user, realm)
    const { reason, why } = identified
    const problem = sentenceAbout(why)
    const text = providerLoginPage({ name: parametersOf(request.body)('username'), problem })
    const headers = { ...PAGE_HEADERS, 'WWW-Authenticate': 'Bearer' }
    throw new HttpError({ status: 401, message: problem, reason, text, headers })
  }

  /** Whether somebody has logged in no longer ago than the client wants. */
  function isFresh({ iat = 0 }: Claims): boolean {
    const most = asked.of('max_age')
    return most === '' || sessions.nowInMilliseconds() / 1000 - iat <= Number(most)
  }

  function grant(session: Claims | undefined): void {
    if (session === undefined) throw new TypeError('A session that has just begun has no claims.')
    const { client, redirect, back, of } = asked
    const address = issuerOf(request)
    const code = codes.add({
      client,
      redirect,
      audience: of('audience') || of('resource'),
      challenge: of('code_challenge'),
      nonce: of('nonce'),
      scope: grantedScopes(of('scope'), address),
      issuer: address,
      session,
      until: sessions.nowInMilliseconds() + CODE_LIFETIME,
    })
    sendToClient(response, asked, {
      code,
      session_state: sessionState({ client, origin: back.origin, sid: session.sid }),
    })
  }

  function fail([error, description]: AuthorizationProblem): void {
    notesOf(request).reason = description
    sendToClient(response, asked, { error, error_description: description })
  }
}
