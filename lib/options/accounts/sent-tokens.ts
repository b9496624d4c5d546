import { cookiesIn } from '../../http/cookies'
import type { HttpRequest } from '../../http/handler'
import { isRecord } from '../../is-record'
import type { AccountSettings } from './account-settings'

/** Three parts, of which the last is a signature of HS256: 32 bytes in base64url (RFC 7515 section 3.1). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{43}$/

/** The tokens in a body, whatever their fields are called. */
export function tokensInBody(body: unknown): string[] {
  const texts = isRecord(body) ? Object.values(body) : [body]
  return texts.filter((text): text is string => typeof text === 'string' && TOKEN.test(text))
}

/**
 * All that a request for a refresh or a logout has sent and that may be a token: in its body, in a header, in a
 * cookie, in this order.
 */
export function sentTokens(request: HttpRequest, { places, refreshCookie }: AccountSettings): string[] {
  const inPlaces = places.flatMap((place) => place.read(request))
  return [
    ...tokensInBody(request.body),
    ...inPlaces.flatMap((sent) => ('token' in sent ? sent.token : [])),
    ...(refreshCookie === undefined ? [] : cookiesIn(request, refreshCookie)),
  ]
}
