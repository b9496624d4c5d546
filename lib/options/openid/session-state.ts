import { createHash, randomBytes } from 'node:crypto'
import { notesOf } from '../../http/notes'
import { sendBody } from '../../http/send-json'
import { parametersOf } from './authorization'
import { browserSessionOf } from './browser-session'
import { FRAME_HEADERS, STATUS_CHECK, UNCHANGED_CHECK } from './pages'
import type { RespondInRealm } from './provider'
import { sendPage } from './responses'

/** A session, as one client at one origin knows it. */
interface ClientSession {
  readonly client: string
  readonly origin: string
  /** The id of the session. */
  readonly sid: unknown
}

/** What an answer with a code says of the session (OpenID Connect Session Management 1.0 section 2). */
export function sessionState(
  { client, origin, sid }: ClientSession,
  salt = randomBytes(12).toString('base64url'),
): string {
  const hash = createHash('sha256').update(`${client} ${origin} ${sid} ${salt}`)
  return `${hash.digest('base64url')}.${salt}`
}

/** Whether a state is that of a session. The client of Keycloak sends the id, which it has from the token. */
function isStateOf(state: string, session: ClientSession): boolean {
  return state === session.sid || state === sessionState(session, state.split('.')[1])
}

/**
 * The page in a frame that tells a client whether the browser still has the session of a state, and what that page asks for
 * itself (OpenID Connect Session Management 1.0 section 3.2).
 */
export const statusCheck: RespondInRealm = (realm, request, response) => {
  const of = parametersOf(request.query)
  const [client, state] = [of('client_id'), of('session_state')]
  if (client === '') {
    // In a frame of another site, browsers send no cookie, so that nothing can be said.
    const isFramedElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
    return sendPage(response, isFramedElsewhere ? UNCHANGED_CHECK : STATUS_CHECK, FRAME_HEADERS)
  }
  // Clients ask every few seconds.
  notesOf(request).isUnlogged = true
  const session = browserSessionOf(request, realm)
  const isSame =
    session === undefined
      ? state === ''
      : isStateOf(state, { client, origin: of('origin'), sid: session.sid })
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  sendBody(response, Buffer.from(isSame ? 'unchanged' : 'changed'))
}
