import type { KeyObject } from 'node:crypto'
import { type ExtraClaims, signToken } from '../../auth/access-token'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import type { Account } from './account'
import type { AccountSettings } from './account-settings'
import { claimsAbout } from './claims'
import { withoutSecrets } from './shown-user'
import { fillTemplate } from './template'

export interface IssueOptions {
  settings: AccountSettings
  key: KeyObject
  /** Milliseconds since the epoch. */
  clock: () => number
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
}

/** Sends somebody new tokens, in the response of a login, a sign-up or a refresh. */
export type Issue = (request: HttpRequest, response: HttpResponse, account: Account, issued: Issued) => void

export function makeIssue({ settings, key, clock, lifetime, extraClaims }: IssueOptions): Issue {
  return function issue(request, response, account, { status, message }) {
    const { user, id } = account
    const iat = Math.floor(clock() / 1000)
    const claims = {
      ...claimsAbout(user, settings.tokenClaims),
      ...extraClaims(request),
      ...(id !== undefined && { sub: id }),
      iat,
      exp: iat + lifetime,
    }
    const values = {
      token: signToken(claims, key),
      user: withoutSecrets(user),
      expires: lifetime,
      message,
    }
    response.statusCode = status
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, fillTemplate(settings.loginResponse, values))
  }
}
