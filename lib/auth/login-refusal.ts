import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import type { RequestLine } from '../http/request'
import { isRecord } from '../is-record'
import { LOGIN_PATH } from './access-policy'
import { isCredentials } from './credentials'

/** Paths at which other servers log in, or sign up. */
const OTHER_LOGINS = /\/(?:log-?in|sign-?in|sessions?)\/?$/i
export const OTHER_SIGN_UPS = /\/(?:register|sign-?up)\/?$/i

/** Whether a request logs in, or signs up, at a path at which other servers do. */
export function seeksLogin({ method, path }: RequestLine): boolean {
  return method === 'POST' && [OTHER_LOGINS, OTHER_SIGN_UPS].some((paths) => paths.test(path))
}

/** Where the login is, as a clause for the server's log, if a request seems to look for it in another way. */
export function whereLoginIs(line: RequestLine): string {
  return line.path === LOGIN_PATH || seeksLogin(line) ? `; the login is POST ${LOGIN_PATH}` : ''
}

/** Fields that applications send in place of the email. No other field that a request sent is ever printed. */
const OTHER_NAMES = ['username', 'login', 'user', 'mail']

/**
 * Why a login is refused, as a clause for the server's log. It holds no value that was sent.
 *
 * @param body as it was parsed
 * @param contentType of the request
 */
export function whyNoLogin(body: unknown, contentType: string | undefined): string {
  if (!isRecord(body) || Object.keys(body).length === 0) return whyNoFields(contentType)
  if (isJsonAsForm(body)) return JSON_AS_FORM
  if (isCredentials(body)) return 'no user has this email and this password'
  const other = 'email' in body ? undefined : OTHER_NAMES.find((name) => name in body)
  return other === undefined
    ? 'the body must have "email" and "password", both strings'
    : `the body has "${other}" instead of "email"`
}

/** Why a login is refused that has no fields. Express gives an empty body where it has read none. */
export function whyNoFields(contentType: string | undefined): string {
  const [type] = /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '') ?? []
  return type === undefined || /json|urlencoded/.test(type)
    ? 'the body is empty, or has no Content-Type: send JSON or a form'
    : `the body is ${type}: send JSON, with the header Content-Type: application/json`
}
