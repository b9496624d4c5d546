import type { Claims } from '../auth/access-token'
import type { AccountRoute, AnsweredRoute } from '../auth/account-route'
import { unreadToken } from '../auth/token-advice'
import { OTHER_SITE, tokenCookies } from '../auth/token-places'
import { mayLogIn, userOfToken, userWhoGoesOn } from '../auth/user-of-token'
import { badRequest, HttpError, UnauthorizedError } from '../errors'
import { nameOfOrigin, originOfPage } from '../http/allowed-hosts'
import { clearCookie } from '../http/cookies'
import type { HttpRequest, HttpResponse } from '../http/handler'
import { notesOf } from '../http/notes'
import { sendUncached } from '../http/send-json'
import type { AccountSettings } from './account-settings'
import { bodyProblem, isEmptyBody, unreadProblem } from './body'
import type { DataAccounts } from './data-accounts'
import { issue } from './issue'
import { withChallenge } from './login-protocol'
import { asksForRefresh, tokensInBody } from './tokens-in-body'

/** Responds to a request, whose body is parsed, or throws why not. */
type RespondForAccount = (
  accounts: DataAccounts,
  route: AnsweredRoute,
  request: HttpRequest,
  response: HttpResponse,
) => unknown

/** Logs in whom the body names. A GET has no body that anybody reads, so its query is one. */
const logIn: RespondForAccount = async (accounts, route, request, response) => {
  const protocol = accounts.protocolOf(route)
  const { method, url, body } = request
  const sent = method === 'GET' ? Object.fromEntries(new URL(url, 'http://localhost').searchParams) : body
  const identified = await protocol.identify(sent, request)
  if (identified.user !== undefined)
    return issue(accounts, route, response, identified.user, { message: 'Logged in.' })
  const problem = method === 'GET' ? undefined : bodyProblem(request)
  throw protocol.refusal(identified, problem)
}

/** Stores who signs up, and logs in. */
const signUp: RespondForAccount = async (accounts, route, request, response) => {
  const problem = unreadProblem(request)
  if (problem !== undefined) throw badRequest(`No sign-up was read: ${problem}.`)
  const user = await accounts.signUp(request)
  response.statusCode = 201
  if (mayLogIn(user, accounts.known()))
    return issue(accounts, route, response, user, { message: 'Signed up.' })
  const message = 'Signed up. Somebody must let you in before you can log in.'
  sendUncached(response, accounts.protocolOf(route).loginBody({ user, message }))
}

/** Sends new tokens for one with which a session goes on. */
const refresh: RespondForAccount = (accounts, route, request, response) => {
  const { sessions, known } = accounts
  const { previous, isRefreshToken } = readPrevious(accounts, request)
  if (previous.sandbox !== undefined && sessions.sandbox === undefined)
    throw refusedRefresh('the refresh token was made in a sandbox: the request must name it')
  const { user, reason } = userWhoGoesOn(previous, known())
  if (user === undefined) throw refusedRefresh(reason)
  // This comes last: a token that gets no answer can be sent again.
  const refusal = isRefreshToken ? sessions.use(previous) : undefined
  if (refusal !== undefined) throw refusedRefresh(refusal.reason)
  issue(accounts, route, response, user, { message: 'Refreshed.', previous })
}

/** Ends the sessions of all tokens that were sent. A request without one is logged out already. */
const logOut: RespondForAccount = (accounts, _route, request, response) => {
  const tokens = sentTokens(accounts, request)
  const problem = unreadProblem(request)
  if (tokens.length === 0 && problem !== undefined) throw badRequest(`No token was read: ${problem}.`)
  const ended = tokens.filter((token) => accounts.sessions.endBy(token))
  // It is a 200 all the same, which says nothing of a token that stays good.
  if (ended.length === 0)
    notesOf(request).reason = `no session has ended: ${whyNoneEnded(accounts, request, tokens)}`
  // Another application on localhost may have a cookie of this name.
  for (const name of cookieNames(accounts.settings))
    if (tokenCookies(request, name).some((value) => accounts.sessions.hasMade(value)))
      clearCookie(response, name)
  sendUncached(response, accounts.settings.logoutResponse({ message: 'Logged out.' }))
}

/** Why a logout has ended no session, as a clause: its token is not read where it is, or is none of this server. */
function whyNoneEnded(
  { sessions, authentication }: DataAccounts,
  request: HttpRequest,
  [sent]: readonly string[],
): string | undefined {
  const read = (token: string) =>
    sessions.isRefreshToken(token) ? sessions.readRefreshToken(token) : sessions.readAccessToken(token)
  const { refusal } = sent === undefined ? authentication.verifiedTokenOf(request) : read(sent)
  return unreadToken(request, authentication.tokens) ?? refusal?.reason
}

/** Says whose token it is: the token check lets requests without one pass where all is allowed. */
const whoAmI: RespondForAccount = (accounts, route, request, response) => {
  const { authentication, sessions, known, protocolOf } = accounts
  const { text: token, claims, refusal } = authentication.tokenOf(request, sessions.ended)
  if (claims === undefined) throw new UnauthorizedError(refusal)
  const user = userOfToken(claims, known())
  if (user === undefined)
    throw new HttpError({ status: 404, message: 'The user of this token is gone: log in again.', body: {} })
  protocolOf(route).sendUser(user, token, request, response)
}

/**
 * Whether a request is a refresh where that has the path of a login: its body says so or, where it has sent nothing to log in
 * with, a header or a cookie has a refresh token.
 */
function isRefresh(accounts: DataAccounts, request: HttpRequest): boolean {
  if (asksForRefresh(request.body, accounts.settings.fields)) return true
  if (!isEmptyBody(request)) return false
  return sentTokens(accounts, request).some((token) => accounts.sessions.isRefreshToken(token))
}

/** What the routes do. */
export function respondFor({ does, takesRefresh }: AnsweredRoute): RespondForAccount {
  if (takesRefresh === true)
    return (accounts, route, request, response) =>
      (isRefresh(accounts, request) ? refresh : logIn)(accounts, route, request, response)
  return { logIn, signUp, refresh, logOut, whoAmI }[does]
}

/** The token with which a session is to go on. */
interface Previous {
  /** Its claims. */
  readonly previous: Claims
  /** Whether it is a refresh token, which is used up. */
  readonly isRefreshToken: boolean
}

/**
 * Reads the token with which a session is to go on: a refresh token that was sent decides alone, in the body, whatever its
 * field is called, in a header or in a cookie; without one, an access token that is still valid does.
 *
 * @throws HttpError 401 without either
 */
function readPrevious(accounts: DataAccounts, request: HttpRequest): Previous {
  const { sessions, authentication } = accounts
  const sent = sentTokens(accounts, request)
  const refreshTokens = sent.filter((token) => sessions.isRefreshToken(token))
  const read = refreshTokens.map((token) => sessions.readRefreshToken(token))
  const claims = read.find((token) => token.claims !== undefined)?.claims
  if (claims !== undefined) return { previous: claims, isRefreshToken: true }
  const access =
    refreshTokens.length > 0
      ? []
      : [
          authentication.tokenOf(request, sessions.ended),
          ...sent.map((token) => sessions.readAccessToken(token)),
        ]
  const valid = access.find((token) => token.claims !== undefined)?.claims
  if (valid !== undefined) return { previous: valid, isRefreshToken: false }
  const reasons = [...read, ...access].flatMap(({ refusal }) => refusal ?? [])
  const why = new Set(reasons.map(({ reason }) => reason))
  if (sent.length > 0) throw refusedRefresh(`there is no valid refresh token: ${[...why].join('; ')}`)
  const problem = unreadProblem(request)
  throw refusedRefresh(
    problem === undefined ? 'no refresh token was sent' : `no refresh token was read: ${problem}`,
  )
}

function refusedRefresh(reason: string): HttpError {
  return new HttpError({
    message: 'Log in again: there is no refresh token that is valid.',
    reason,
    ...withChallenge(401),
  })
}

/** All that a request has sent and that may be a token: in its body, in a header, in a cookie, in this order. */
function sentTokens({ settings, authentication }: DataAccounts, request: HttpRequest): string[] {
  const inCookies = settings.refreshCookies.flatMap((name) => tokenCookies(request, name))
  return [...tokensInBody(request.body), ...authentication.sentTokens(request), ...inCookies]
}

function cookieNames({ accessCookies, refreshCookies }: AccountSettings): string[] {
  return [...accessCookies, ...refreshCookies]
}

/**
 * Where tokens are in cookies, pages of other sites are refused: a form on one could log a person in as somebody else, or
 * out.
 *
 * @throws HttpError 403
 */
export function refuseOtherSites(
  { authentication, protocolOf }: DataAccounts,
  route: AccountRoute,
  request: HttpRequest,
): void {
  if (!protocolOf(route).hasCookies || !authentication.isFromOtherSite(request)) return
  const name = nameOfOrigin(originOfPage(request.headers) ?? '')
  throw new HttpError({
    status: 403,
    message:
      'The login uses a cookie, so only pages of the same site may use it: open the page at the host name of ' +
      `this server, for instance both at localhost, or start with --allow-host ${name ?? 'and its host'}.`,
    reason: `cookies go with requests of the same site alone: ${OTHER_SITE}`,
  })
}
