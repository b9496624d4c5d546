import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import type { RequestLine } from '../http/request'
import { isRecord } from '../is-record'
import { LOGIN_PATH } from './access-policy'
import { isCredentials } from './credentials'

/** Paths at which other servers log in, or sign up. */
const OTHER_LOGINS = /\/(?:log-?in|sign-?in|sessions?|register|sign-?up)\/?$/i
export const OTHER_SIGN_UPS = /\/(?:register|sign-?up)\/?$/i

/** Whether a request logs in, or signs up, at a path at which other servers do. */
export function seeksLogin({ method, path }: RequestLine): boolean {
  return method === 'POST' && OTHER_LOGINS.test(path)
}

/** Where the login is, as a clause for the server's log, if a request seems to look for it in another way. */
export function loginHint(line: RequestLine): string {
  return line.path === LOGIN_PATH || seeksLogin(line) ? `; the login is POST ${LOGIN_PATH}` : ''
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
