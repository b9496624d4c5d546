import type { HttpResponse } from '../../http/handler'
import type { Authorization } from './authorization'
import { FRAME_HEADERS, formPage, messageToParent } from './pages'
import { redirect, sendPage } from './responses'

/** What the authorization endpoint says to a client: parameters by their names. */
type AuthorizationAnswer = Readonly<Record<string, string>>

/** Takes the browser back to a client with an answer, in the way that the client wants. */
export function sendToClient(
  response: HttpResponse,
  asked: Authorization,
  answer: AuthorizationAnswer,
): void {
  const { back, state, mode } = asked
  const said = { ...answer, ...(state !== '' && { state }) }
  if (mode === 'form_post') sendPage(response, formPage(back.href, said), FRAME_HEADERS)
  else if (mode === 'web_message') sendPage(response, messageToParent(back.origin, said), FRAME_HEADERS)
  else redirect(response, mode === 'fragment' ? inFragment(asked, said) : inQuery(asked, said))
}

/** The fragment of the client, such as that of its router, stays as it is. */
function inQuery({ back, fragment }: Authorization, said: AuthorizationAnswer): string {
  const address = new URL(back)
  for (const [name, value] of Object.entries(said)) address.searchParams.set(name, value)
  return address.href + (fragment === undefined ? '' : `#${fragment}`)
}

/** What is said comes last, and takes the place of what was said before. */
function inFragment({ back, fragment = '' }: Authorization, said: AuthorizationAnswer): string {
  const isOld = (part: string) => SAID.includes(part.split('=', 1)[0] ?? '')
  const others = fragment.split('&').filter((part) => part !== '' && !isOld(part))
  return `${back.href}#${[...others, String(new URLSearchParams(said))].join('&')}`
}

/** The parameters of all answers. */
const SAID = ['code', 'state', 'session_state', 'error', 'error_description']
