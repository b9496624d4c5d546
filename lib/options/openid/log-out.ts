import { parametersOf } from './authorization'
import { browserSessionOf, forgetEndedSession } from './browser-session'
import { messagePage } from './pages'
import type { RespondInRealm } from './provider'
import { readRedirectAddress } from './redirect-address'
import { redirect, refuseForeignForms, sendPage } from './responses'

/**
 * Ends the session of an identity token, and that of the browser, and sends the browser back where the client wants
 * (OpenID Connect RP-Initiated Logout 1.0 section 2).
 */
export const logOutOfProvider: RespondInRealm = async (realm, request, response) => {
  const { signer, sessions, hosts } = realm
  const [inQuery, inBody] = [parametersOf(request.query), parametersOf(request.body)]
  const of = (name: string) => inBody(name) || inQuery(name)
  // The second is that of Auth0's client.
  const address = of('post_logout_redirect_uri') || of('returnTo')
  const target = address === '' ? undefined : readRedirectAddress(address, hosts, 'post_logout_redirect_uri')
  const hinted = await signer.sessionOf(of('id_token_hint'))
  // Who has an identity token of a session is a client of it. A page without one could be any.
  if (hinted === undefined) refuseForeignForms(realm, request)
  else sessions.ended.endSession(hinted)
  const session = browserSessionOf(request, realm)
  if (session !== undefined && (hinted === undefined || hinted === session.sid)) sessions.ended.end(session)
  sessions.endBy(of('refresh_token'))
  forgetEndedSession(request, response, realm)
  if (target === undefined) return sendPage(response, messagePage('Logged out', 'You can close this page.'))
  const { back, fragment } = target
  if (of('state') !== '') back.searchParams.set('state', of('state'))
  redirect(response, back.href + (fragment === undefined ? '' : `#${fragment}`))
}
