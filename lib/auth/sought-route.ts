import { holdsSecret, shortened } from '../http/log/redact-target'
import type { RequestLine } from '../http/request'
import { type AccountRoute, flagOf, hasPath } from './account-route'

/** Where other servers have the routes of accounts. */
const OTHER_PLACES: readonly { does: AccountRoute['does']; name: string; line: RegExp }[] = [
  { does: 'logIn', name: 'login', line: /^POST .*\/(?:log-?in|sign-?in|sessions?)\/?$/i },
  { does: 'signUp', name: 'sign-up', line: /^POST .*\/(?:register|sign-?up)\/?$/i },
  { does: 'logOut', name: 'logout', line: /^POST .*\/(?:log-?out|sign-?out)\/?$/i },
  { does: 'refresh', name: 'refresh', line: /^POST .*\/refresh(?:-?token)?\/?$/i },
  { does: 'whoAmI', name: '"who am I"', line: /^GET .*\/(?:me|whoami)\/?$/i },
]

/**
 * Which route of accounts a request seems to look for, by another method or at a path of other servers, as a clause for the
 * server's log; undefined for any other request, and for one that has a route.
 *
 * @param sent its target as it was sent, if a rewrite rule has changed it
 */
export function soughtRoute(
  { method, path }: RequestLine,
  accounts: readonly AccountRoute[],
  sent = path,
): string | undefined {
  const [sentPath = ''] = sent.split('?')
  const here = accounts.filter((route) => hasPath(route, path) || hasPath(route, sentPath))
  const asked = method === 'HEAD' ? 'GET' : method
  if (here.some((route) => route.method === asked)) return undefined
  // A resource may have the same path.
  if (here.length > 0) return `the route of the server itself is ${routeLines(here).join(' and ')}`
  const sought = OTHER_PLACES.find(({ line }) => line.test(`${method} ${path}`))
  if (accounts.length === 0 || sought === undefined || holdsSecret(sentPath)) return undefined
  const { does, name } = sought
  const lines = routeLines(accounts.filter((route) => route.does === does))
  const place = lines.length === 0 ? `there is no ${name}` : `the ${name} is ${lines.join(' or ')}`
  // No flag takes such a path.
  if (/\/[/.]/.test(sentPath)) return place
  return `${place}, and with ${flagOf(sought)} ${shortened(sentPath)} there is one here`
}

/** Each once: an option may name what every server has. */
function routeLines(routes: readonly AccountRoute[]): string[] {
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}
