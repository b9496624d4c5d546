import type { IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'

/** Names of hosts and origins that may use a server besides localhost, or the word that stands for every one. */
export type AllowedHosts = readonly string[] | 'all'

/**
 * A name, with a dot in front for its subdomains, too; an IPv6 address; an origin without a port; or the scheme of an
 * application. That of the web alone would be every host.
 */
const ALLOWED_HOST =
  /^(?:\.?[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\]|[a-z][a-z\d+.-]*:\/\/[\w.-]+|(?!https?:)[a-z][a-z\d+.-]*:\/\/)$/i

/** What a name must be, in an error. */
export const ALLOWED_HOST_FORM =
  'a host without a port, such as "10.0.2.2", ".test" for all names that end so, an origin such as ' +
  '"chrome-extension://abc", or a scheme such as "myapp://"; or all'

/** Whether a text is a name as `--allow-host` takes it. */
export function isAllowedHost(text: unknown): text is string {
  return typeof text === 'string' && ALLOWED_HOST.test(text)
}

/**
 * Reads the names, as Vite's `server.allowedHosts` has them.
 *
 * @returns `all` also where the word is among the names
 * @throws TypeError for anything but `all`, or an array of names
 */
export function readAllowedHosts(hosts: AllowedHosts): AllowedHosts {
  if (hosts === 'all') return hosts
  const wrong = Array.isArray(hosts) ? hosts.find((host) => !isAllowedHost(host)) : hosts
  if (!Array.isArray(hosts) || wrong !== undefined)
    throw new TypeError(`allowedHosts: ${inspect(wrong)} must be ${ALLOWED_HOST_FORM}.`)
  return hosts.includes('all') ? 'all' : hosts.map((host) => host.toLowerCase())
}

const ORIGIN = /^([a-z][a-z\d+.-]*:\/\/)([\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/

/**
 * Whether an origin is one of the names, or its host is one, with whatever scheme and port.
 *
 * @param names in lower case
 */
export function isAllowedOrigin(origin: string, names: readonly string[]): boolean {
  const [, scheme = '', host] = ORIGIN.exec(origin.toLowerCase()) ?? []
  if (host === undefined) return false
  return names.some(
    (name) => name === host || name === scheme + host || (name.startsWith('.') && `.${host}`.endsWith(name)),
  )
}

/**
 * The origin of the page that has made a request: the `Origin` as it was sent, or that of the `Referer`.
 *
 * @returns undefined where a request has neither; an empty string where the `Referer` is no URL
 */
export function originOfPage({ origin, referer }: IncomingHttpHeaders): string | undefined {
  if (origin !== undefined || referer === undefined) return origin
  if (!URL.canParse(referer)) return ''
  // The `origin` of such a URL is "null" for every scheme but those of the web.
  const { protocol, host } = new URL(referer)
  return `${protocol}//${host}`
}

/**
 * The name by which an origin would be allowed: the host of a website, and the whole origin of anything else,
 * such as an extension of a browser.
 *
 * @returns undefined where no name can allow it, as that of a file (`null`)
 */
export function nameOfOrigin(origin: string): string | undefined {
  const [, scheme = '', host] = ORIGIN.exec(origin.toLowerCase()) ?? []
  const name = /^https?:/.test(scheme) ? host : scheme + host
  return host !== undefined && isAllowedHost(name) ? name : undefined
}
