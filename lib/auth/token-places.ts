import type { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { OptionError, type Refusal } from '../errors'
import { COOKIE_NAME, cookiesIn } from '../http/cookies'
import { isFromOtherSite } from '../http/other-sites'

/** Where tokens are read beside `Authorization: Bearer`, as `--token-in` takes it. */
export type TokenIn = string | readonly string[]

/** What a request has sent in a place: a token, or why it is none. */
export type Sent = { readonly token: string } | Refusal

/** A place in which a request may send its token. */
export interface TokenPlace {
  /** As the log says it, such as `cookie session`. */
  readonly name: string
  /** The cookie that it is; undefined for a header. A browser sends a cookie by itself. */
  readonly cookie?: string
  /** @returns nothing where nothing has been sent; several where there are cookies with one name */
  readonly read: (request: IncomingMessage) => readonly Sent[]
}

/** What a place must be, in an error. */
const FORM =
  'the name of a header that holds the token, such as x-access-token; authorization, for that header without ' +
  '"Bearer"; or a cookie with its name, such as cookie:session'

/**
 * The places in which a token is read, in this order: `Authorization: Bearer`, the other headers, the cookies.
 *
 * @throws OptionError for a place that cannot be one
 */
export function tokenPlaces(tokenIn: TokenIn = []): readonly TokenPlace[] {
  const names = [tokenIn].flat().map((place) => (cookieName(place) === undefined ? headerName(place) : place))
  const headers = names.filter((name) => cookieName(name) === undefined && name !== AUTHORIZATION)
  const cookies = names.map(cookieName).filter((name) => name !== undefined)
  return [
    authorizationHeader(names.includes(AUTHORIZATION)),
    ...headers.map(inHeader),
    ...cookies.map(inCookie),
  ]
}

const AUTHORIZATION = 'authorization'

/**
 * The name of the cookie that `cookie:<name>` stands for.
 *
 * @returns undefined for any other text
 */
export function cookieName(place: string): string | undefined {
  const [, name] = /^cookie:(.+)$/.exec(place) ?? []
  return name !== undefined && COOKIE_NAME.test(name) ? name : undefined
}

/** @throws OptionError for what cannot be the name of a header that holds a token */
function headerName(place: unknown): string {
  // Headers and cookies have the same characters in their names (RFC 9110 section 5.1).
  if (typeof place !== 'string' || !COOKIE_NAME.test(place) || /^(?:set-)?cookie$/i.test(place))
    throw new OptionError(`tokenIn: ${inspect(place)} must be ${FORM}.`)
  return place.toLowerCase()
}

/**
 * The Authorization header: exactly `Bearer`, one space, and one word (RFC 6750 section 2.1).
 *
 * @param isBare whether the word may also stand alone
 */
function authorizationHeader(isBare: boolean): TokenPlace {
  const name = 'Authorization header'
  return {
    name,
    read({ headers: { authorization } }) {
      if (authorization === undefined) return []
      // After a login that has failed, the variable in the lines that the start prints is empty.
      if (/^Bearer\s*$/.test(authorization))
        return [{ reason: 'there is no token behind "Bearer": has the login failed?' }]
      const [, token] = (isBare ? ONE_WORD : BEARER).exec(authorization) ?? []
      if (token !== undefined) return [sentToken(token)]
      const form = `the ${name} must be "Bearer" with a capital B, one space and the token`
      return [{ reason: isBare ? `${form}, or the token alone` : form }]
    },
  }
}

const BEARER = /^Bearer (\S+)$/
const ONE_WORD = /^(?:Bearer )?(\S+)$/

function inHeader(name: string): TokenPlace {
  return {
    name: `${name} header`,
    read({ headers }) {
      const value = headers[name]
      // It is none where the name is that of something that every object has.
      if (typeof value !== 'string') return []
      const [, token] = ONE_WORD.exec(value) ?? []
      return [token === undefined ? { reason: 'it must hold the token and nothing else' } : sentToken(token)]
    },
  }
}

/** A browser sends cookies with requests of any page: only those that no page of another site has made count. */
function inCookie(cookie: string): TokenPlace {
  return {
    name: `cookie ${cookie}`,
    cookie,
    read(request) {
      const tokens = cookiesIn(request, cookie)
      return tokens.length > 0 && isFromOtherSite(request) ? [{ reason: OTHER_SITE }] : tokens.map(sentToken)
    },
  }
}

/** Why cookies do not work, as a clause for the server's log. */
export const OTHER_SITE =
  'the page is of another site, with which browsers use no cookie: 127.0.0.1 is another one than localhost, and https ' +
  'than http'

function sentToken(token: string): Sent {
  // An application has sent a variable without a value, or a text as JSON.
  if (/^(?:undefined|null)$/.test(token))
    return {
      reason: `the token is the word ${token}: the login sends it as access_token`,
      isInvalidToken: true,
    }
  if (/^["']/.test(token))
    return { reason: 'the token stands in quotation marks: send it without them', isInvalidToken: true }
  return { token }
}
