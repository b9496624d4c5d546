import { whyNoFields } from '../../auth/login-refusal'
import type { KnownUsers } from '../../auth/user-of-token'
import { HttpError } from '../../errors'
import type { HttpRequest } from '../../http/handler'
import { isJsonAsForm, JSON_AS_FORM } from '../../http/json-as-form'
import { isRecord } from '../../is-record'
import { type Account, accountOf, userOfLogin } from './account'
import { identify } from './identify'

/**
 * Who logs in with a request, whatever the names of the fields are: see {@link identify}. A GET has no body that
 * anybody reads, so its query is one.
 *
 * @param known who may log in
 * @param status of a refusal
 * @throws HttpError when the body does not hold what a user logs in with
 */
export async function logIn(request: HttpRequest, known: KnownUsers, status: number): Promise<Account> {
  const sent = request.method === 'GET' ? queryOf(request) : request.body
  const body = isRecord(sent) ? sent : {}
  const { accounts = [], logins, idProperty } = known
  const found = await identify(body, accounts)
  if ('user' in found) return accountOf(found.user, idProperty)
  const users = logins.map(userOfLogin)
  const other = await identify(body, users)
  if ('user' in other) return { user: other.user, id: undefined }
  throw new HttpError({
    status,
    message: 'Wrong name or password.',
    reason: whyNobody(body, found.reason, request.headers['content-type']),
    headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
  })
}

function queryOf({ url }: HttpRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?')[1]))
}

/** Why a login is refused, as a clause for the server's log. It holds no value that was sent. */
function whyNobody(body: Readonly<Record<string, unknown>>, reason: string, contentType?: string): string {
  if (Object.keys(body).length === 0) return whyNoFields(contentType)
  return isJsonAsForm(body) ? JSON_AS_FORM : reason
}
