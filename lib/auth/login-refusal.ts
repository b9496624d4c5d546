import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import { holdsSecret, shortened } from '../http/log/redact-target'
import type { RequestLine } from '../http/request'
import { isRecord } from '../is-record'
import { type AccountRoute, hasPath } from './account-route'
import { isCredentials } from './credentials'

/** Where other servers have the routes of accounts, and the flag with which this one has one there. */
const OTHER_PLACES: readonly { does: AccountRoute['does']; name: string; flag: string; line: RegExp }[] = [
  { does: 'logIn', name: 'login', flag: 'login', line: /^POST .*\/(?:log-?in|sign-?in|sessions?)\/?$/i },
  { does: 'signUp', name: 'sign-up', flag: 'sign-up', line: /^POST .*\/(?:register|sign-?up)\/?$/i },
  { does: 'logOut', name: 'logout', flag: 'logout', line: /^POST .*\/(?:log-?out|sign-?out)\/?$/i },
  { does: 'refresh', name: 'refresh', flag: 'refresh', line: /^POST .*\/refresh(?:-?token)?\/?$/i },
  { does: 'whoAmI', name: '"who am I"', flag: 'me', line: /^GET .*\/(?:me|whoami)\/?$/i },
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
  if (here.length > 0) return `the route of the server itself is ${linesOf(here).join(' and ')}`
  const sought = OTHER_PLACES.find(({ line }) => line.test(`${method} ${path}`))
  if (accounts.length === 0 || sought === undefined || holdsSecret(sentPath)) return undefined
  const { does, name, flag } = sought
  const lines = linesOf(accounts.filter((route) => route.does === does))
  const place = lines.length === 0 ? `there is no ${name}` : `the ${name} is ${lines.join(' or ')}`
  // No flag takes such a path.
  if (/\/[/.]/.test(sentPath)) return place
  return `${place}, and with --${flag} ${shortened(sentPath)} there is one here`
}

/** Each once: an option may name what every server has. */
function linesOf(routes: readonly AccountRoute[]): string[] {
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}

/** Fields that applications send in place of the email. No other field that a request sent is ever printed. */
const OTHER_NAMES = ['username', 'login', 'user', 'mail']

/**
 * Why the specified login is refused, as a clause for the server's log. It holds no value that was sent.
 *
 * @param body as it was parsed
 * @param contentType of the request
 */
export function loginProblem(body: unknown, contentType: string | undefined): string {
  const fields = isRecord(body) ? body : {}
  const problem = bodyProblem(fields, contentType)
  if (problem !== undefined) return problem
  if (isCredentials(body)) return 'no user has this email and this password'
  const other = 'email' in fields ? undefined : OTHER_NAMES.find((name) => name in fields)
  return other === undefined
    ? 'the body must have "email" and "password", both strings'
    : `the body has "${other}" instead of "email"`
}

/**
 * Why the body of a login has no fields that are its own, as a clause for the server's log. Express gives an empty body
 * where it has read none.
 */
export function bodyProblem(body: Record<string, unknown>, contentType = ''): string | undefined {
  if (Object.keys(body).length > 0) return isJsonAsForm(body) ? JSON_AS_FORM : undefined
  const [type] = /^[\w.+-]+\/[\w.+-]+/.exec(contentType) ?? []
  return type === undefined || /json|urlencoded/.test(type)
    ? 'the body is empty, or has no Content-Type: send JSON or a form'
    : `the body is ${type}: send JSON, with the header Content-Type: application/json`
}
