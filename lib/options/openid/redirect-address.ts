import { badRequest } from '../../errors'
import { type AllowedHosts, isAllowedOrigin } from '../../http/allowed-hosts'
import { isLocalOrigin } from '../../http/loopback'

/** Where a browser goes back to. */
interface RedirectAddress {
  readonly back: URL
  readonly fragment: string | undefined
}

/**
 * Reads an address to which a browser is sent, with a code or after a logout: one of localhost, or of a host that is
 * allowed. A code that went elsewhere would let another page in (RFC 9700 section 4.1).
 *
 * @param name of the parameter, for the error
 * @returns the address as browsers read it, so that nothing is redirected to what they read otherwise, and what stands
 *   behind its `#`; undefined where nothing does
 * @throws HttpError 400 for any other
 */
export function readRedirectAddress(sent: string, hosts: AllowedHosts, name: string): RedirectAddress {
  const address = URL.canParse(sent) ? new URL(sent) : undefined
  if (address === undefined || address.username !== '' || address.password !== '')
    throw badRequest(`${name} must be an absolute address without a user and a password.`)
  const fragment = sent.includes('#') ? address.hash.slice(1) : undefined
  address.hash = ''
  if (!isAllowedAddress(address, hosts))
    throw badRequest(
      `${name} must be an address at localhost: for another host, start with --allow-host and its name, or the scheme ` +
        'of an application, such as myapp:// (allowedHosts in createApp).',
    )
  return { back: address, fragment }
}

/** Any scheme but http and https must be named: `javascript://localhost` is none of localhost. */
function isAllowedAddress({ protocol, hostname, origin }: URL, hosts: AllowedHosts): boolean {
  if (protocol === 'http:' || protocol === 'https:')
    return isLocalOrigin(origin) || hosts === 'all' || isAllowedOrigin(origin, hosts)
  const named = [`${protocol}//`, `${protocol}//${hostname.toLowerCase()}`]
  return hosts !== 'all' && named.some((name) => hosts.includes(name))
}
