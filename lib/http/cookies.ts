import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import { notesOf } from './notes'

/** What a cookie's name can hold: a token of RFC 9110 section 5.6.2. */
export const COOKIE_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Bytes of a name and a value together, over which browsers keep no cookie (RFC 6265bis section 5.6). */
const LONGEST = 4096

/**
 * The values of a request's cookies with a name, to the letter. There are several where another application on the
 * host has set one for a path or a domain (RFC 6265 section 4.2.2).
 */
export function cookiesIn({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string[] {
  return (headers.cookie?.split(';') ?? []).flatMap((pair) => {
    const end = pair.indexOf('=')
    return end !== -1 && pair.slice(0, end).trim() === name ? [pair.slice(end + 1).trim()] : []
  })
}

/**
 * Adds a cookie to a response that no script reads, that requests of other sites do not carry, and that goes back to
 * this host alone (RFC 6265bis section 4.1.2). Over plain http it could not be `Secure`: browsers would drop it.
 *
 * Browsers would drop one over 4 kB, too, and keep the one from before, of whoever was logged in then: it is cleared.
 *
 * @param lifetime seconds; 0 to make the browser forget the cookie
 */
export function sendCookie(response: ServerResponse, name: string, value: string, lifetime: number): void {
  const isTooLong = name.length + value.length > LONGEST
  if (isTooLong)
    notesOf(response.req).reason = `a browser keeps no cookie over 4 kB, and the token for ${name} is longer`
  const kept = isTooLong ? '; Max-Age=0' : `${value}; Max-Age=${lifetime}`
  const secure = response.req.socket instanceof TLSSocket ? '; Secure' : ''
  response.appendHeader('Set-Cookie', `${name}=${kept}; Path=/; HttpOnly; SameSite=Lax${secure}`)
}

/** Makes the browser forget a cookie. */
export function clearCookie(response: ServerResponse, name: string): void {
  sendCookie(response, name, '', 0)
}
