import type { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { OptionError, type Refusal } from '../errors'
import type { AllowedHosts } from '../http/allowed-hosts'
import { COOKIE_NAME, cookiesIn } from '../http/cookies'
import { isFromOtherSite } from '../http/other-sites'
import { possibleTokens } from './access-token'

/** Where tokens are read beside `Authorization: Bearer`, as `--token-in` takes it. */
export type TokenIn = string | readonly string[]

/** A place in which a request may send its token: a header or a cookie, which a browser sends by itself. */
export type TokenPlace = HeaderPlace | { readonly name: string; readonly cookie: string }

interface HeaderPlace {
  /** As the log says it. */
  readonly name: string
  readonly cookie?: undefined
  /** In lower case. */
  readonly header: string
  /** Whether the token may stand alone, or after another word than `Bearer`. */
  readonly isBare: boolean
}

/** The header in which every client can send its token. */
const AUTHORIZATION = 'authorization'

/** Exactly `Bearer`, one space, and one word (RFC 6750 section 2.1). */
const BEARER = /^Bearer (\S+)$/
/** The same without `Bearer`, or with what Django's packages and others send in its place. */
const ONE_WORD = /^(?:(?:Bearer|Token|JWT) )?(\S+)$/
/** A word that stands before a token, without one. */
const SCHEME_ALONE = /^(Bearer|Token|JWT)\s*$/

/** Why a header holds no token where JavaScript has made a text of an object. */
const OBJECT_SENT = 'a script has put an object into the header, in the place of the token that is in it'

/** Why cookies do not work, as a clause for the server's log. */
export const OTHER_SITE =
  'the page is of another site, with which browsers use no cookie: 127.0.0.1 is another one than localhost, and https ' +
  'than http'

/**
 * The places in which a token is read, in this order: `Authorization: Bearer`, the other headers, the cookies.
 *
 * @throws OptionError for a place that cannot be one
 */
export function tokenPlaces(tokenIn: TokenIn = []): readonly TokenPlace[] {
  const given = [tokenIn].flat().map(readPlace)
  const isAuthorization = (place: TokenPlace) => place.cookie === undefined && place.header === AUTHORIZATION
  const others = given.filter((place) => !isAuthorization(place))
  return [
    { name: 'Authorization header', header: AUTHORIZATION, isBare: given.some(isAuthorization) },
    ...others.filter(({ cookie }) => cookie === undefined),
    ...others.filter(({ cookie }) => cookie !== undefined),
  ]
}

function readPlace(text: unknown): TokenPlace {
  const cookie = cookieName(text)
  if (cookie !== undefined) return { name: `cookie ${cookie}`, cookie }
  // Headers and cookies have the same characters in their names (RFC 9110 section 5.1).
  if (typeof text !== 'string' || !COOKIE_NAME.test(text) || /^(?:set-)?cookie$/i.test(text))
    throw new OptionError(
      `--token-in: ${inspect(text)} must be the name of a header that holds the token, such as x-access-token; ` +
        'authorization, for that header without "Bearer"; or a cookie with its name, such as cookie:session.',
    )
  const header = text.toLowerCase()
  return { name: `${header} header`, header, isBare: true }
}

/**
 * The name of the cookie that `cookie:<name>` stands for.
 *
 * @returns undefined for anything else
 */
export function cookieName(place: unknown): string | undefined {
  const [, name] = /^cookie:(.+)$/.exec(String(place)) ?? []
  return name !== undefined && COOKIE_NAME.test(name) ? name : undefined
}

/**
 * What a request has sent in a place: a token, or why it is none.
 *
 * @param allowedHosts whose pages may send a cookie beside those of the same host name. Default: none.
 * @returns nothing where nothing has been sent; several where there are cookies with one name
 */
export function tokensIn(
  place: TokenPlace,
  request: IncomingMessage,
  allowedHosts: AllowedHosts = [],
): (string | Refusal)[] {
  if (place.cookie !== undefined) {
    const tokens = tokenCookies(request, place.cookie)
    // A browser sends cookies with requests of any page: only those that no page of another site has made count.
    return tokens.length > 0 && isFromOtherSite(request, allowedHosts) ? [{ reason: OTHER_SITE }] : tokens
  }
  const value = request.headers[place.header]
  // It is none where the name is that of something that every object has.
  if (typeof value !== 'string') return []
  // After a login that has failed, the variable in the lines that the start prints is empty.
  const [, scheme] = SCHEME_ALONE.exec(value) ?? []
  if (scheme !== undefined) return [{ reason: `there is no token after "${scheme}": has the login failed?` }]
  if (value.includes(String({}))) return [{ reason: OBJECT_SENT }]
  const [, token] = (place.isBare ? ONE_WORD : BEARER).exec(value) ?? []
  const expected = place.isBare
    ? 'the header must hold the token alone, or after Bearer, Token or JWT and one space'
    : 'the Authorization header must be "Bearer" with a capital B, one space and the token'
  return [token ?? { reason: expected }]
}

/**
 * What may be a token in a request's cookies with a name; without any, the first of them, so that the log says what is wrong
 * with it.
 */
export function tokenCookies(request: Pick<IncomingMessage, 'headers'>, name: string): string[] {
  const sent = cookiesIn(request, name)
  const tokens = possibleTokens(sent)
  return tokens.length > 0 ? tokens : sent.slice(0, 1)
}
