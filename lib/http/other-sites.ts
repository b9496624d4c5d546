import type { IncomingMessage } from 'node:http'

/** What a browser says of a request that no page of another site has made (Fetch Metadata, section 2.5). */
const OWN = ['same-origin', 'same-site', 'none']

/**
 * Whether a page of another site has made a request. `Sec-Fetch-Site` decides alone where it is sent; browsers leave
 * it out over plain http to other names than localhost, and then an `Origin` must have the request's host name. A
 * request with neither does not come from a script or a form: curl and servers that render send none.
 *
 * Other ports of one host name are the same site.
 */
export function isFromOtherSite({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return !OWN.includes(String(site))
  const own = hostName(`http://${host ?? ''}`)
  return origin !== undefined && (own === undefined || hostName(origin) !== own)
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
