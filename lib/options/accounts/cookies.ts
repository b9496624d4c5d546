import type { IncomingMessage, ServerResponse } from 'node:http'
import { OTHER_SITE } from '../../auth/token-places'
import { HttpError } from '../../errors'
import { clearCookie, fitsInCookie, sendCookie } from '../../http/cookies'
import { logNotes } from '../../http/log/log-notes'
import { isFromOtherSite } from '../../http/other-sites'
import type { AccountSettings } from './account-settings'
import { REFRESH_LIFETIME, type SessionTokens } from './sessions'

/** The cookies in which tokens travel, where there are any. */
export interface AccountCookies {
  /**
   * 403 for a request that a page of another site has made: a form on it could log a person in as somebody else, or
   * out. Where no token travels in a cookie, none is refused.
   */
  refusalOf(request: IncomingMessage): HttpError | undefined
  send(response: ServerResponse, tokens: SessionTokens): void
  clear(response: ServerResponse): void
}

/** @param lifetime seconds that an access token lasts */
export function accountCookies({ places, refreshCookie }: AccountSettings, lifetime: number): AccountCookies {
  const accessCookies = places.flatMap(({ cookie }) => cookie ?? [])
  const refreshCookies = [refreshCookie ?? []].flat()
  const all = [...accessCookies, ...refreshCookies]
  return {
    refusalOf(request) {
      if (all.length === 0 || !isFromOtherSite(request)) return undefined
      return new HttpError({
        status: 403,
        message:
          'The login uses a cookie, so only pages of the same site may use it: open the page at the host name of ' +
          'this server, for instance both at localhost.',
        reason: `cookies go with requests of the same site alone: ${OTHER_SITE}`,
      })
    },
    send(response, { accessToken, refreshToken }) {
      for (const name of accessCookies) sendToken(response, name, accessToken, lifetime)
      for (const name of refreshCookies) sendToken(response, name, refreshToken, REFRESH_LIFETIME)
    },
    clear(response) {
      for (const name of all) clearCookie(response, name)
    },
  }
}

/** Browsers would drop a longer one, and go on with that of whoever was logged in before. */
function sendToken(response: ServerResponse, name: string, token: string, lifetime: number): void {
  if (fitsInCookie(name, token)) sendCookie(response, name, token, lifetime)
  else {
    clearCookie(response, name)
    logNotes(response).reason = `a browser keeps no cookie over 4 kB, and the token for ${name} is longer`
  }
}
