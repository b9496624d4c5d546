import { cookieName } from '../../auth/token-places'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import type { AccountOptions } from './account-options'
import { readAccountRoutes } from './account-routes'
import type { Sessions } from './sessions'
import { readTemplate, type Template } from './template'

/** The options with their defaults, checked. */
export type AccountSettings = ReturnType<typeof readAccountSettings>

/** The accounts of some data: all that it takes to log somebody in or out. */
export interface Accounts extends AccountSettings {
  readonly sessions: Sessions
  readonly visitors: Visitors
  /** Who may log in, and whom a token may name, as they are now. */
  readonly known: () => KnownUsers
}

/** The record of the user, and all fields of it: what most front ends read. */
const ME_RESPONSE: Template = { '...': '$user', user: '$user' }

/** The names under which front ends read the same things. */
const LOGIN_RESPONSE = {
  // It comes first because the lines that the start prints read the first value. No field of a user takes its place, nor
  // that of the next two, because their names mean a secret.
  access_token: '$token',
  accessToken: '$token',
  token: '$token',
  message: '$message',
  '...': '$user',
  token_type: 'Bearer',
  expires_in: '$expires',
  user: '$user',
} as const

const REFRESH_FIELDS = { refresh_token: '$refresh', refreshToken: '$refresh' } as const

const REFUSAL_BODY: Template = { message: '$message', error: '$message' }

/**
 * Reads the options.
 *
 * @throws OptionError for one that cannot be used
 */
export function readAccountSettings(options: AccountOptions) {
  const { refreshIn, refreshOnce = false, loginUsers = DEFAULTS.loginUsers } = options
  const { meResponse = ME_RESPONSE, loginRefusal, tokenRefusal, tokenClaims = {} } = options
  const routes = readAccountRoutes(options)
  const hasRefresh = routes.some(({ does, takesRefresh }) => does === 'refresh' || takesRefresh)
  const loginResponse = options.loginResponse ?? {
    ...LOGIN_RESPONSE,
    ...(hasRefresh && refreshIn === undefined && REFRESH_FIELDS),
  }
  const { status, body } = readRefusal(loginRefusal)
  const refusalValues = ['message', 'status']
  const refuseToken =
    tokenRefusal === undefined ? undefined : readTemplate('token-refusal', tokenRefusal, refusalValues)
  if (!isRecord(tokenClaims))
    throw new OptionError('token-claims must be an object, for instance {"uid": "$user.id"}.')
  const refreshCookies = refreshIn === undefined ? [] : [readCookieName(refreshIn)]
  if (refreshIn !== undefined && [options.tokenIn].flat().includes(refreshIn))
    throw new OptionError(
      `--token-in and --refresh-in cannot both be ${refreshIn}: name another cookie for one.`,
    )
  const cookiePlace = [options.tokenIn].flat().find((place) => cookieName(place) !== undefined)
  const logsIn = routes.some(({ does }) => does === 'logIn' || does === 'signUp')
  if (!logsIn) refuseIdle('login', { 'login-users': options.loginUsers })
  if (!logsIn && !hasRefresh)
    refuseIdle('login', {
      'login-response': options.loginResponse,
      'login-refusal': loginRefusal,
      'token-claims': options.tokenClaims,
      // A page sends a token in a header by itself, and the specified login sets no cookie.
      [`--token-in ${cookiePlace}`]: cookiePlace,
    })
  if (!routes.some(({ does }) => does === 'whoAmI')) refuseIdle('me', { 'me-response': options.meResponse })
  if (!hasRefresh)
    refuseIdle('refresh', { '--refresh-in': refreshIn, '--refresh-once': refreshOnce || undefined })
  return {
    routes,
    /** Whether anybody gets refresh tokens. */
    hasRefresh,
    /** The cookie in which the refresh token travels; none for the body. */
    refreshCookies,
    refreshOnce,
    /** The collection whose records log in. */
    loginUsers,
    loginResponse: readTemplate('login-response', loginResponse, [
      'token',
      'refresh',
      'user',
      'expires',
      'message',
    ]),
    meResponse: readTemplate('me-response', meResponse, ['user', 'token']),
    /** Claims that are added to the usual ones. */
    tokenClaims: readTemplate('token-claims', tokenClaims, ['user']),
    /** Of a refused login; other refusals have statuses of their own. */
    refusalStatus: status,
    /** The body of whatever goes wrong with a request for an account. */
    refusalBody: readTemplate('login-refusal', body, refusalValues),
    /** Makes the body of the token check's 401 from a sentence; undefined where it is as usual. */
    tokenRefusalBody: refuseToken && ((message: string) => refuseToken({ message, status: 401 })),
  }
}

/**
 * Refuses options that change nothing without a path.
 *
 * @param flag that names such a path
 * @param options undefined where they are not given, by the names that people know
 * @throws OptionError for the first that is given
 */
function refuseIdle(flag: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, given] of Object.entries(options))
    if (given !== undefined)
      throw new OptionError(
        `${name} changes nothing without a path: add --${flag}, for instance "--${flag} /${flag}".`,
      )
}

function readRefusal(given: Template = 401): { status: number; body: Template } {
  const { status = 401, body = REFUSAL_BODY } = isRecord(given) ? given : { status: given }
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599)
    throw new OptionError(
      'login-refusal must be a status from 400 to 599, for instance 403, or ' +
        '{"status": 400, "body": {"errors": ["$message"]}}.',
    )
  return { status, body }
}

function readCookieName(place: string): string {
  const name = cookieName(place)
  if (name === undefined)
    throw new OptionError(
      `--refresh-in: "${place}" must be a cookie with its name, for instance cookie:refresh.`,
    )
  return name
}
