import type { Claims, ExtraClaims } from '../../auth/access-token'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import type { Account } from './account'
import type { AccountSettings } from './account-settings'
import { claimsAbout } from './claims'
import type { AccountCookies } from './cookies'
import type { Sessions } from './sessions'
import { fillTemplate } from './template'

export interface IssueOptions {
  settings: AccountSettings
  sessions: Sessions
  cookies: AccountCookies
  /** Seconds that a token lasts. */
  lifetime: number
  /** Further claims for a token. */
  extraClaims: (request: HttpRequest) => ExtraClaims
}

/** What is said with the tokens. */
export interface Issued {
  status: number
  /** A sentence for people. */
  message: string
  /** The claims of the token with which a session goes on. Default: a new session begins. */
  previous?: Claims
}

/** Sends somebody new tokens, in the response of a login, a sign-up or a refresh. */
export type Issue = (request: HttpRequest, response: HttpResponse, account: Account, issued: Issued) => void

export function makeIssue({ settings, sessions, cookies, lifetime, extraClaims }: IssueOptions): Issue {
  return function issue(request, response, account, { status, message, previous }) {
    const { user, id } = account
    const claims = {
      ...claimsAbout(user, settings.tokenClaims),
      ...extraClaims(request),
      ...(id !== undefined && { sub: id }),
    }
    const tokens = sessions.issue(claims, previous)
    cookies.send(response, tokens)
    const values = {
      token: tokens.accessToken,
      refresh: tokens.refreshToken,
      user,
      expires: lifetime,
      message,
    }
    response.statusCode = status
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, fillTemplate(settings.loginResponse, values))
  }
}
