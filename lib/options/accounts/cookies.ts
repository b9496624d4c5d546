import type { IncomingMessage, ServerResponse } from 'node:http'
import { OTHER_SITE } from '../../auth/token-places'
import { HttpError } from '../../errors'
import { clearCookie, fitsInCookie, sendCookie } from '../../http/cookies'
import { logNotes } from '../../http/log/log-notes'
import { isFromOtherSite } from '../../http/other-sites'

/**
 * Refuses a request that a page of another site has made: a form on it could log a person in as somebody else, or out.
 *
 * @throws HttpError 403
 */
export function refuseOtherSites(request: IncomingMessage): void {
  if (!isFromOtherSite(request)) return
  throw new HttpError({
    status: 403,
    message:
      'The login uses a cookie, so only pages of the same site may use it: open the page at the host name of ' +
      'this server, for instance both at localhost.',
    reason: `cookies go with requests of the same site alone: ${OTHER_SITE}`,
  })
}

/**
 * Sends a token in a cookie. Browsers would drop one over 4 kB, and go on with that of whoever was logged in before.
 *
 * @param lifetime seconds
 */
export function sendToken(response: ServerResponse, name: string, token: string, lifetime: number): void {
  if (fitsInCookie(name, token)) sendCookie(response, name, token, lifetime)
  else {
    clearCookie(response, name)
    logNotes(response).reason = `a browser keeps no cookie over 4 kB, and the token for ${name} is longer`
  }
}
