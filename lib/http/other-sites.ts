import type { IncomingMessage } from 'node:http'
import { type AllowedHosts, isAllowedOrigin, originOfPage } from './allowed-hosts'

/** What a browser says of a request that nobody else has made: no page at all, or one of this origin (Fetch Metadata, section 2.5). */
const OWN = ['same-origin', 'none']

/**
 * Whether a page of another site has made a request. Where a browser does not say that it is its own, which it leaves out
 * over plain http to other names than localhost, the page that has made it must have the request's host name, by its
 * `Origin` or, without one, its `Referer`: `evil.example.com` and `mock.example.com` are the same site to a browser. A
 * request with none of these does not come from a page: curl and servers that render send none.
 *
 * Other ports of one host name are the same site.
 *
 * @param allowed names of hosts that are the same site as well, as that of a page behind a proxy. Default: none.
 */
export function isFromOtherSite(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowed: AllowedHosts = [],
): boolean {
  const { 'sec-fetch-site': site, host } = headers
  const page = originOfPage(headers)
  if (allowed === 'all' || (page !== undefined && isAllowedOrigin(page, allowed))) return false
  if (site === 'cross-site') return true
  if (OWN.includes(String(site))) return false
  if (page === undefined) return site !== undefined
  const own = hostName(`http://${host ?? ''}`)
  return own === undefined || hostName(page) !== own
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
