import { cookieName, tokenPlaces } from '../../auth/token-places'
import { DEFAULTS } from '../../defaults'
import { type HttpError, OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import type { AccountOptions } from './account-options'
import { type AccountFunction, readAccountRoutes } from './account-routes'
import { checkTemplate, fillTemplate, type Template } from './template'

/** The options with their defaults, checked. */
export type AccountSettings = ReturnType<typeof readAccountSettings>

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
export function readAccountSettings(options: AccountOptions) {
  const { refreshIn, refreshOnce = false, loginUsers = DEFAULTS.loginUsers } = options
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
  checkUses(options)
  return {
    routes,
    /** Where access tokens are read. */
    places,
    /** The cookie in which the refresh token travels; undefined for the body. */
    refreshCookie,
    refreshOnce,
    loginResponse,
    meResponse,
    tokenClaims,
    /** The collection whose records log in. */
    loginUsers,
    /** Of a refused login; other refusals have statuses of their own. */
    refusalStatus: status,
    /** Makes the body of whatever goes wrong with a request for an account. */
    refusalBody: ({ message, status }: HttpError) => fillTemplate(body, { message, status }),
    /** Makes the body of the token check's 401 from a sentence; undefined where it is as usual. */
    tokenRefusalBody:
      tokenRefusal === undefined
        ? undefined
        : (message: string) => fillTemplate(tokenRefusal, { message, status: 401 }),
  }
}

/** Options that change nothing without one of others, by the names that the command line and the file have for them. */
const USES: readonly (readonly [
  option: keyof AccountOptions,
  text: string,
  of: readonly AccountFunction[],
])[] = [
  ['loginResponse', 'login-response', ['login', 'signUp', 'refresh']],
  ['loginRefusal', 'login-refusal', ['login', 'signUp', 'refresh']],
  ['tokenClaims', 'token-claims', ['login', 'signUp', 'refresh']],
  ['meResponse', 'me-response', ['me']],
  ['refreshIn', '--refresh-in', ['refresh']],
  ['refreshOnce', '--refresh-once', ['refresh']],
]

/** @throws OptionError for an option that changes nothing */
function checkUses(options: AccountOptions): void {
  const isGiven = (name: AccountFunction) => [options[name] ?? []].flat().length > 0
  const [, text, [first] = []] =
    USES.find(
      ([option, , of]) => options[option] !== undefined && options[option] !== false && !of.some(isGiven),
    ) ?? []
  if (first === undefined) return
  throw new OptionError(
    `${text} changes nothing without a path: add --${first}, for instance "--${first} /${first}".`,
  )
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
