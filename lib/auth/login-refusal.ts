import { isRecord } from '../is-record'

/** Fields that applications send instead of `email`. No other name that a request sent is ever printed. */
const OTHER_NAMES = ['username', 'login', 'user', 'mail']

/**
 * Why a login is refused, as a clause for the server's log. It holds no value that was sent.
 *
 * @param body as it was parsed
 * @param contentType of the request
 */
export function whyNoLogin(body: unknown, contentType: string | undefined): string {
  if (!isRecord(body) || Object.keys(body).length === 0) return whyNoFields(contentType)
  if (isJsonAsForm(body)) return 'JSON was sent as a form: send the header Content-Type: application/json'
  if (!('email' in body)) {
    const other = OTHER_NAMES.find((name) => name in body)
    return other === undefined ? 'the body has no "email"' : `the body has "${other}" instead of "email"`
  }
  if (!('password' in body)) return 'the body has no "password"'
  if (typeof body.email !== 'string' || typeof body.password !== 'string')
    return '"email" and "password" must be strings'
  return 'no user has this email and this password'
}

/** Express gives an empty body where it has read none. */
function whyNoFields(contentType: string | undefined): string {
  const [type] = /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '') ?? []
  if (type === undefined) return 'the body is empty, or has no Content-Type: send JSON or a form'
  if (/json|urlencoded/.test(type)) return 'the body holds no fields'
  return `the body is ${type}: send JSON, with the header Content-Type: application/json`
}

/** A form parser takes the whole JSON text as one name. */
function isJsonAsForm(body: Record<string, unknown>): boolean {
  return Object.keys(body).some((name) => /^\s*[{[]/.test(name))
}
