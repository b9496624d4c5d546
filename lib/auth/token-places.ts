import type { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { OptionError, type Refusal } from '../errors'
import { COOKIE_NAME, cookiesIn } from '../http/cookies'
import { isFromOtherSite } from '../http/other-sites'

/** Where tokens are read beside `Authorization: Bearer`, as `--token-in` takes it. */
export type TokenIn = string | readonly string[]

/** A cookie in which a request may send its token. A browser sends it by itself. */
interface CookiePlace {
  /** As the log says it, such as `cookie session`. */
  readonly name: string
  readonly cookie: string
}

/** A header in which a request may send its token. */
interface HeaderPlace {
  readonly name: string
  readonly cookie?: undefined
  /** In lower case. */
  readonly header: string
  /** What it must hold; the group is the token. */
  readonly form: RegExp
  /** What it must hold, in words. */
  readonly expected: string
}

export type TokenPlace = CookiePlace | HeaderPlace

/** Exactly `Bearer`, one space, and one word (RFC 6750 section 2.1). */
const AUTHORIZATION: HeaderPlace = {
  name: 'Authorization header',
  header: 'authorization',
  form: /^Bearer (\S+)$/,
  expected: 'the Authorization header must be "Bearer" with a capital B, one space and the token',
}

/** A word that may also stand alone. */
const ONE_WORD = /^(?:Bearer )?(\S+)$/

const BARE_AUTHORIZATION: HeaderPlace = {
  ...AUTHORIZATION,
  form: ONE_WORD,
  expected: `${AUTHORIZATION.expected}, or the token alone`,
}

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
  const others = given.filter((place) => place !== BARE_AUTHORIZATION)
  return [
    given.length > others.length ? BARE_AUTHORIZATION : AUTHORIZATION,
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
  return header === AUTHORIZATION.header
    ? BARE_AUTHORIZATION
    : {
        name: `${header} header`,
        header,
        form: ONE_WORD,
        expected: 'it must hold the token and nothing else',
      }
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
 * @returns nothing where nothing has been sent; several where there are cookies with one name
 */
export function tokensIn(place: TokenPlace, request: IncomingMessage): (string | Refusal)[] {
  if (place.cookie !== undefined) {
    const tokens = cookiesIn(request, place.cookie)
    // A browser sends cookies with requests of any page: only those that no page of another site has made count.
    return tokens.length > 0 && isFromOtherSite(request) ? [{ reason: OTHER_SITE }] : tokens
  }
  const value = request.headers[place.header]
  // It is none where the name is that of something that every object has.
  if (typeof value !== 'string') return []
  // After a login that has failed, the variable in the lines that the start prints is empty.
  if (/^Bearer\s*$/.test(value))
    return [{ reason: 'there is no token behind "Bearer": has the login failed?' }]
  const [, token] = place.form.exec(value) ?? []
  return [token ?? { reason: place.expected }]
}
