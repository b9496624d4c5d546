import type { Claims } from '../../auth/access-token'
import type { AccountRoute } from '../../auth/account-route'
import { bodyProblem } from '../../auth/login-refusal'
import { asService, isFor, type Service } from '../../auth/service'
import { OTHER_SITE, tokensIn } from '../../auth/token-places'
import { userOfToken } from '../../auth/user-of-token'
import { HttpError } from '../../errors'
import { clearCookie, cookiesIn } from '../../http/cookies'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler'
import { isFromOtherSite } from '../../http/other-sites'
import { readLoginBody } from '../../http/read-login-body'
import { serviceOf } from './account-routes'
import type { Accounts } from './account-settings'
import { unwrapped } from './fields'
import { identify } from './identify'
import { issue, sendUncached } from './issue'
import { asksForRefresh, tokensInBody } from './tokens-in-body'

/** Responds to a request, whose body is parsed, or throws why not. */
type Respond = (accounts: Accounts, request: HttpRequest, response: HttpResponse) => unknown

/** Logs in whom the body names. A GET has no body that anybody reads, so its query is one. */
const logIn: Respond = async (accounts, { method, url, headers, body: parsed }, response) => {
  const sent = method === 'GET' ? Object.fromEntries(new URL(url, 'http://localhost').searchParams) : parsed
  const body = unwrapped(sent)
  const { loginUsers = [], logins } = accounts.known()
  const { user, reason } = await identify(body, [loginUsers, logins])
  if (user !== undefined) return issue(accounts, response, user, { message: 'Logged in.' })
  const problem = method === 'GET' ? undefined : bodyProblem(body, headers['content-type'])
  throw new HttpError({
    message: problem === undefined ? 'Wrong name or password.' : `No login was read: ${problem}.`,
    reason: problem ?? reason,
    ...withChallenge(accounts.refusalStatus),
  })
}

/** Sends new tokens for one with which a session goes on. */
const refresh: Respond = (accounts, request, response) => {
  const previous = previousClaims(accounts, request)
  if (previous.sandbox !== undefined && accounts.sessions.claims.sandbox === undefined)
    throw refusedRefresh('the refresh token was made in a sandbox: the request must name it')
  const user = userOfToken(previous, accounts.known())
  if (user === undefined) throw refusedRefresh('the user of the refresh token is gone')
  issue(accounts, response, user, { message: 'Refreshed.', previous })
}

/** Where a refresh has the path of a login, the body decides. */
const logInOrRefresh: Respond = (accounts, request, response) =>
  (asksForRefresh(request.body) ? refresh : logIn)(accounts, request, response)

/** Ends the sessions of all tokens that were sent. A request without one is logged out already. */
const logOut: Respond = (accounts, request, response) => {
  for (const token of sentTokens(accounts, request)) accounts.sessions.endBy(token)
  for (const name of cookieNames(accounts)) clearCookie(response, name)
  sendUncached(response, { message: 'Logged out.' })
}

/** Says whose token it is. It stands after the token check, which lets requests without one pass where all is allowed. */
const whoAmI: Respond = ({ meResponse, refusalBody, visitors, known }, request, response) => {
  const { text: token, claims, refusal } = visitors.tokenOf(request)
  if (claims === undefined) throw visitors.unauthorized(refusal)
  setErrorBody(response, refusalBody)
  const user = userOfToken(claims, known())
  if (user === undefined)
    throw new HttpError({ status: 404, message: 'The user of this token is gone: log in again.' })
  sendUncached(response, meResponse({ user, token }))
}

/**
 * The claims of a refresh token in the body, whatever its field is called, in a header or in a cookie; else those of an
 * access token that is still valid.
 *
 * @throws HttpError 401 without either
 */
function previousClaims(accounts: Accounts, request: HttpRequest): Claims {
  const { sessions, visitors } = accounts
  const read = sentTokens(accounts, request).map((token) => sessions.readRefreshToken(token))
  const claims = read.find((token) => token.claims !== undefined)?.claims
  if (claims !== undefined) {
    const refusal = sessions.use(claims)
    if (refusal !== undefined) throw refusedRefresh(refusal.reason)
    return claims
  }
  const access = visitors.tokenOf(request, sessions)
  if (access.claims !== undefined) return access.claims
  const reasons = new Set([...read, access].map(({ refusal }) => refusal?.reason))
  const isMissing = read.length === 0 && !access.refusal?.isInvalidToken
  throw refusedRefresh(
    isMissing ? 'no refresh token was sent' : `there is no valid refresh token: ${[...reasons].join('; ')}`,
  )
}

function refusedRefresh(reason: string): HttpError {
  return new HttpError({
    message: 'Log in again: there is no refresh token that is valid.',
    reason,
    ...withChallenge(401),
  })
}

/** A 401 says how one proves who one is (RFC 9110 section 15.5.2). */
function withChallenge(status: number) {
  return { status, headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {} }
}

/** All that a request has sent and that may be a token: in its body, in a header, in a cookie, in this order. */
function sentTokens({ refreshCookies, visitors }: Accounts, request: HttpRequest): string[] {
  const inPlaces = visitors.places.flatMap((place) => tokensIn(place, request))
  return [
    ...tokensInBody(request.body),
    ...inPlaces.filter((sent) => typeof sent === 'string'),
    ...refreshCookies.flatMap((name) => cookiesIn(request, name)),
  ]
}

function cookieNames({ refreshCookies, visitors }: Accounts): string[] {
  return [...visitors.cookies, ...refreshCookies]
}

/**
 * Any error has a body that front ends read. Where tokens are in cookies, pages of other sites are refused: a form on one
 * could log a person in as somebody else, or out.
 *
 * @throws HttpError 403
 */
export function begin(accounts: Accounts, request: HttpRequest, response: HttpResponse): void {
  setErrorBody(response, accounts.refusalBody)
  if (cookieNames(accounts).length === 0 || !isFromOtherSite(request)) return
  throw new HttpError({
    status: 403,
    message:
      'The login uses a cookie, so only pages of the same site may use it: open the page at the host name of ' +
      'this server, for instance both at localhost.',
    reason: `cookies go with requests of the same site alone: ${OTHER_SITE}`,
  })
}

/** Makes a handler that needs no token. It passes on 400 and 413 when the body cannot be read. */
export function openHandler(accounts: Accounts, respond: Respond): Handler {
  const readBody = readLoginBody()
  async function respondTo(request: HttpRequest, response: HttpResponse): Promise<void> {
    begin(accounts, request, response)
    await readBody(request, response)
    await respond(accounts, request, response)
  }
  return (request, response, next) => {
    respondTo(request, response).catch(next)
  }
}

/**
 * The steps of all routes, each of which passes on any other request.
 *
 * @param signUp makes the handler of sign-ups at a path, as it was configured
 */
export function accountSteps(
  accounts: Accounts,
  signUp: (path: string) => Handler,
): (Handler & { service: Service })[] {
  return accounts.routes.map((route) => {
    const service = serviceOf(route)
    const handler = handlerOf(route)
    const step: Handler = (request, response, next) => {
      if (isFor(service, request)) handler(request, response, next)
      else next()
    }
    return asService(service, step)
  })

  function handlerOf({ does, path, takesRefresh }: AccountRoute): Handler {
    if (does === 'signUp') return signUp(path)
    if (does === 'whoAmI') return (request, response) => whoAmI(accounts, request, response)
    return openHandler(accounts, takesRefresh ? logInOrRefresh : { logIn, refresh, logOut }[does])
  }
}
