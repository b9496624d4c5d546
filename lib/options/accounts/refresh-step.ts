import { areClaims, type Claims, type ExtraClaims } from '../../auth/access-token'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError, type Refusal } from '../../errors'
import type { Handler, HttpRequest } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { isRecord } from '../../is-record'
import { type Account, accountOfToken } from './account'
import type { AccountSettings } from './account-settings'
import type { Issue } from './issue'
import { sentTokens, tokensInBody } from './sent-tokens'
import type { Sessions } from './sessions'

export interface RefreshStepOptions {
  settings: AccountSettings
  sessions: Sessions
  visitors: Visitors
  /** Whom a token may name, as they are now. */
  known: (request: HttpRequest) => KnownUsers
  /** Further claims for a token. */
  extraClaims: (request: HttpRequest) => ExtraClaims
  issue: Issue
}

/**
 * Exchanges a refresh token for new tokens: that of the body, whatever its field is called, of a header or of the
 * cookie. An access token that is still valid can be renewed as well.
 *
 * Passes on 401 without either, and 400 and 413 when the body cannot be read.
 */
export function refreshStep({
  settings,
  sessions,
  visitors,
  known,
  extraClaims,
  issue,
}: RefreshStepOptions): Handler {
  const readBody = readLoginBody()

  /** The claims of the token with which the session goes on. */
  function previousOf(request: HttpRequest): Claims | Refusal {
    const sent = sentTokens(request, settings.places, settings.refreshCookie)
    const read = sent.map((token) => sessions.readRefreshToken(token))
    const claims = read.find(areClaims)
    if (claims !== undefined) return sessions.use(claims) ?? claims
    const access = visitors.judge(request, sessions)
    if (access.claims !== undefined) return access.claims
    const reasons = [...read, access.refusal].flatMap((its) => (areClaims(its) ? [] : its.reason))
    return { reason: `there is no valid refresh token: ${[...new Set(reasons)].join('; ')}` }
  }

  function refresh(request: HttpRequest): { previous: Claims; account: Account } {
    const previous = previousOf(request)
    if (!areClaims(previous)) throw refused(previous.reason)
    if (previous.sandbox !== undefined && previous.sandbox !== extraClaims(request).sandbox)
      throw refused('the refresh token was made in a sandbox: the request must name it')
    const account = accountOfToken(previous, known(request))
    if (account === undefined) throw refused('the user of the refresh token is gone')
    return { previous, account }
  }

  return function refreshMiddleware(request, response, next) {
    readBody(request, response, (error) => {
      if (error) return next(error)
      try {
        const { previous, account } = refresh(request)
        issue(request, response, account, {
          status: 200,
          message: 'Refreshed.',
          previous,
        })
      } catch (failure) {
        next(failure)
      }
    })
  }
}

function refused(reason: string): HttpError {
  return new HttpError({
    status: 401,
    message: 'Log in again: there is no refresh token that is valid.',
    reason,
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** A login whose path takes refresh tokens as well: the body decides. */
export function chooseByBody({ login, refresh }: { login: Handler; refresh: Handler }): Handler {
  const readBody = readLoginBody()
  return function loginOrRefreshMiddleware(request, response, next) {
    readBody(request, response, (error) => {
      if (error) return next(error)
      const choice = asksForRefresh(request.body) ? refresh : login
      choice(request, response, next)
    })
  }
}

/** Whether a body asks for a refresh (RFC 6749 section 6): it says so, or has a token and does not say what it is. */
function asksForRefresh(body: unknown): boolean {
  const grant = isRecord(body) ? body.grant_type : undefined
  return grant === undefined ? tokensInBody(body).length > 0 : grant === 'refresh_token'
}
