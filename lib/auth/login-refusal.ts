import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import type { RequestLine } from '../http/request'
import { isRecord } from '../is-record'
import { type AccountRoute, hasPath } from './account-route'
import { isCredentials } from './credentials'

/** Paths at which other servers log in, or sign up. */
const OTHER_LOGINS = /\/(?:log-?in|sign-?in|sessions?|register|sign-?up)\/?$/i
const OTHER_SIGN_UPS = /\/(?:register|sign-?up)\/?$/i

/** Whether a request logs in, or signs up, at a path at which other servers do. */
function seeksLogin({ method, path }: RequestLine): boolean {
  return method === 'POST' && OTHER_LOGINS.test(path)
}

/** Whether a path is one at which other servers sign up. */
export function seeksSignUp(path: string): boolean {
  return OTHER_SIGN_UPS.test(path)
}

/**
 * The routes of accounts at the path of a request that has missed them by its method, for the server's log; undefined for
 * any other request.
 *
 * @param sent its target as it was sent, if a rewrite rule has changed it
 */
export function missedRoutes(
  { method, path }: RequestLine,
  accounts: readonly AccountRoute[],
  sent = path,
): string | undefined {
  const [sentPath = ''] = sent.split('?')
  const here = accounts.filter((route) => hasPath(route, path) || hasPath(route, sentPath))
  const asked = method === 'HEAD' ? 'GET' : method
  if (here.length === 0 || here.some((route) => route.method === asked)) return undefined
  return linesOf(here).join(' and ')
}

/**
 * Where one signs up, if the path looks like that and one can, or else logs in, as a clause for the server's log, if a
 * request seems to look for it.
 */
export function loginPlace(line: RequestLine, accounts: readonly AccountRoute[]): string | undefined {
  if (accounts.length === 0 || !seeksLogin(line)) return undefined
  const signUps = seeksSignUp(line.path) ? accounts.filter(({ does }) => does === 'signUp') : []
  const [name, places] =
    signUps.length > 0 ? ['sign-up', signUps] : ['login', accounts.filter(({ does }) => does === 'logIn')]
  return `the ${name} is ${linesOf(places).join(' or ')}`
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
