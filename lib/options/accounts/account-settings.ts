import { cookieName, type TokenPlace, tokenPlaces } from '../../auth/token-places'
import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import type { AccountOptions } from './account-options'
import { type AccountRoute, readAccountRoutes } from './account-routes'
import { checkTemplate, type Template } from './template'

/** The options with their defaults, checked. */
export interface AccountSettings {
  readonly routes: readonly AccountRoute[]
  /** Whether a refresh token is issued: a path of its own, or the login's, takes it. */
  readonly hasRefresh: boolean
  /** Where access tokens are read. */
  readonly places: readonly TokenPlace[]
  /** The cookie in which the refresh token travels; undefined for the body. */
  readonly refreshCookie: string | undefined
  readonly refreshOnce: boolean
  readonly loginResponse: Template
  readonly meResponse: Template
  /** Of a refused login; other refusals have statuses of their own. */
  readonly refusalStatus: number
  /** Of every refusal. */
  readonly refusalBody: Template
  readonly tokenRefusal: Template | undefined
  readonly tokenClaims: Template | undefined
  readonly users: string
}

/** The record of the user, and all fields of it: what most front ends read. */
const ME_RESPONSE: Template = { '...': '$user', user: '$user' }

/** The names under which front ends read the same things. */
const LOGIN_RESPONSE = {
  // It comes first because the lines that the start prints read the first value. Means a secret, as the next two, so
  // that no field of a user takes its place.
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
export function readAccountSettings(options: AccountOptions): AccountSettings {
  const { refreshIn, refreshOnce = false, loginUsers = 'users' } = options
  const routes = readAccountRoutes(options)
  const hasRefresh = options.refresh !== undefined && options.refresh.length > 0
  const loginResponse = options.loginResponse ?? {
    ...LOGIN_RESPONSE,
    ...(hasRefresh && refreshIn === undefined && REFRESH_FIELDS),
  }
  const { meResponse = ME_RESPONSE, tokenRefusal, tokenClaims } = options
  const { status, body } = readRefusal(options.loginRefusal)
  checkTemplate('login-response', loginResponse, ['token', 'refresh', 'user', 'expires', 'message'])
  checkTemplate('me-response', meResponse, ['user'])
  checkTemplate('login-refusal', body, ['message', 'status'])
  checkTemplate('token-refusal', tokenRefusal, ['message', 'status'])
  checkTemplate('token-claims', tokenClaims, ['user'])
  if (tokenClaims !== undefined && !isRecord(tokenClaims))
    throw new OptionError('token-claims must be an object, for instance {"uid": "$user.id"}.')
  const places = tokenPlaces(options.tokenIn)
  const refreshCookie = refreshIn === undefined ? undefined : readCookieName(refreshIn)
  if (places.some(({ cookie }) => cookie !== undefined && cookie === refreshCookie))
    throw new OptionError(
      `--token-in and --refresh-in: both cannot be the cookie ${refreshCookie}; name another for one.`,
    )
  return {
    routes,
    hasRefresh,
    places,
    refreshCookie,
    refreshOnce,
    loginResponse,
    meResponse,
    refusalStatus: status,
    refusalBody: body,
    tokenRefusal,
    tokenClaims,
    users: loginUsers,
  }
}

function readRefusal(given: Template = 401): { status: number; body: Template } {
  const { status = 401, body = REFUSAL_BODY } =
    typeof given === 'number' ? { status: given } : isRecord(given) ? given : { status: given }
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
