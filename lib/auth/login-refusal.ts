import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import { isRecord } from '../is-record'
import { isCredentials } from './credentials'

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
