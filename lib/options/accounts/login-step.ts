import type { Credentials } from '../../auth/credentials'
import { HttpError } from '../../errors'
import type { Handler, HttpRequest } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { isRecord } from '../../is-record'
import { type Account, accountOf, userOfLogin } from './account'
import type { AccountSettings } from './account-settings'
import { type ComparePassword, identify } from './identify'
import type { Issue } from './issue'
import { whyNoLogin } from './why-no-login'

export interface LoginStepOptions {
  settings: AccountSettings
  /** The stored users, as they are at the moment of a login. */
  usersFor: (request: HttpRequest) => readonly unknown[]
  /** Logins beside the stored users. */
  logins: readonly Credentials[]
  idProperty: string
  compare: ComparePassword
  issue: Issue
}

const REFUSED = 'Wrong name or password.'

/**
 * Logs a user in, whatever the names of the fields are: see {@link identify}.
 *
 * Passes on the status of `login-refusal` when the body is nobody, and 400 and 413 when it cannot be read.
 */
export function loginStep({
  settings,
  usersFor,
  logins,
  idProperty,
  compare,
  issue,
}: LoginStepOptions): Handler {
  const readLogin = readLoginBody()
  const loginUsers = logins.map(userOfLogin)

  /** @throws HttpError when the body does not hold what a user logs in with */
  async function accountFor(request: HttpRequest): Promise<Account> {
    const sent = request.method === 'GET' ? queryOf(request) : request.body
    const body = isRecord(sent) ? sent : {}
    const found = await identify(body, usersFor(request), compare)
    if ('user' in found) return accountOf(found.user, idProperty)
    const other = await identify(body, loginUsers, compare)
    if ('user' in other) return { user: other.user, id: undefined }
    throw new HttpError({
      status: settings.refusalStatus,
      message: REFUSED,
      reason: whyNoLogin(body, found.reason, request.headers['content-type']),
      headers: settings.refusalStatus === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
    })
  }

  return function loginMiddleware(request, response, next) {
    readLogin(request, response, (error) => {
      if (error) return next(error)
      accountFor(request)
        .then((account) => issue(request, response, account, { status: 200, message: 'Logged in.' }))
        .catch(next)
    })
  }
}

/** A GET has no body that anybody reads. */
function queryOf({ url }: HttpRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?')[1]))
}
