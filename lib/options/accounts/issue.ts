import type { Claims, ExtraClaims } from '../../auth/access-token'
import type { HttpResponse } from '../../http/handler'
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
  /** Further claims of each token. */
  extraClaims: ExtraClaims
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
export type Issue = (response: HttpResponse, account: Account, issued: Issued) => void

export function makeIssue({ settings, sessions, cookies, lifetime, extraClaims }: IssueOptions): Issue {
  return function issue(response, { user, id }, { status, message, previous }) {
    const claims = {
      ...claimsAbout(user, settings.tokenClaims),
      ...extraClaims,
      ...(id !== undefined && { sub: id }),
    }
    const tokens = sessions.issue(claims, previous)
    cookies.send(response, tokens)
    const { accessToken: token, refreshToken: refresh } = tokens
    response.statusCode = status
    response.setHeader('Cache-Control', 'no-store')
    sendJson(
      response,
      fillTemplate(settings.loginResponse, { token, refresh, user, expires: lifetime, message }),
    )
  }
}
