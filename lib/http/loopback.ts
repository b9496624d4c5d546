/** The IPv4 addresses of this machine alone (RFC 1122 section 3.2.1.3). */
const LOOPBACK = String.raw`127(?:\.\d+){3}`

/**
 * A host that leads to this machine alone, whatever a name server says (RFC 6761 section 6.3), and a port.
 */
const LOCAL = String.raw`(?:(?:[\w-]+\.)*localhost\.?|${LOOPBACK}|\[::1\])(?::\d*)?$`
const LOCAL_HOST = new RegExp(`^${LOCAL}`, 'i')
const LOOPBACK_ADDRESS = new RegExp(`^(?:localhost|(?:::ffff:)?${LOOPBACK}|::1)$`, 'i')
const LOCAL_ORIGIN = new RegExp(String.raw`^[a-z][a-z\d+.-]*://${LOCAL}`, 'i')

/**
 * Whether a Host header names this machine: localhost, a name below it, 127.0.0.1 (or another address that
 * begins with 127) or [::1], with any port.
 */
export function isLocalHost(host: string): boolean {
  return LOCAL_HOST.test(host)
}

/** Whether an Origin header names a page from this machine: with one of these hosts, any scheme and port. */
export function isLocalOrigin(origin: string): boolean {
  return LOCAL_ORIGIN.test(origin)
}

/**
 * Whether an address, or a name to bind, is a loopback one: nobody else's machine can connect to it. An IPv4
 * address can be written as an IPv6 one.
 */
export function isLoopback(address: string): boolean {
  return LOOPBACK_ADDRESS.test(address)
}
