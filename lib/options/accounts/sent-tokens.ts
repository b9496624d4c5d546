import type { TokenPlace } from '../../auth/token-places'
import { cookieIn } from '../../http/cookies'
import type { HttpRequest } from '../../http/handler'
import { isRecord } from '../../is-record'

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
 *
 * @param places those of access tokens
 * @param refreshCookie the cookie that holds the refresh token; undefined for none
 */
export function sentTokens(
  request: HttpRequest,
  places: readonly TokenPlace[],
  refreshCookie: string | undefined,
): string[] {
  const inPlaces = places.map((place) => place.read(request))
  const inCookie = refreshCookie === undefined ? undefined : cookieIn(request, refreshCookie)
  return [
    ...tokensInBody(request.body),
    ...inPlaces.flatMap((sent) => (sent !== undefined && 'token' in sent ? [sent.token] : [])),
    ...(inCookie === undefined ? [] : [inCookie]),
  ]
}
