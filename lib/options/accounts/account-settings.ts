import type { AccountRoute } from '../../auth/account-route'
import { FormerNames } from '../../auth/former-names'
import { type LoginFields, PersonFields, type User } from '../../auth/person-fields'
import { readRefusalTemplate, readTemplate, type Template, type TemplateValues } from '../../auth/template'
import { cookieName } from '../../auth/token-places'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { type HttpError, OptionError } from '../../errors'
import type { HttpRequest } from '../../http/handler'
import { isSendable } from '../../http/sendable-headers'
import { isRecord } from '../../is-record'
import type { AccountOptions } from './account-options'
import { allRoutes, readAccountRoutes } from './account-routes'
import { isReservedClaim } from './claims'
import { makeIdentify } from './identify'
import { makeIndexes } from './people-index'
import type { Sessions } from './sessions'

/** The options with their defaults, checked. */
export type AccountSettings = ReturnType<typeof readAccountSettings>

/** The accounts of some data: all that it takes to log somebody in or out. */
export interface Accounts {
  readonly settings: AccountSettings
  readonly routes: readonly AccountRoute[]
  readonly sessions: Sessions
  readonly visitors: Visitors
  /** Who may log in, and whom a token may name, as they are now. */
  readonly known: () => KnownUsers
  /** Stores who signs up, and gives the record with its id. */
  readonly signUp: (request: HttpRequest) => Promise<User>
}

/** The record of the user, and all fields of it: what most front ends read. */
const ME_RESPONSE: Template = { '...': '$user', user: '$user' }

/** The names under which front ends read the same things. */
const LOGIN_RESPONSE: Template = {
  // It comes first because the lines that the start prints read the first value.
  access_token: '$token',
  accessToken: '$token',
  token: '$token',
  message: '$message',
  '...': '$user',
  token_type: 'Bearer',
  expires_in: '$expires',
  user: '$user',
  refresh_token: '$refresh',
  refreshToken: '$refresh',
}

const REFUSAL_BODY: Template = { message: '$message', error: '$message' }

/**
 * Reads the options.
 *
 * @param hasOtherLogin whether people also log in by what is no route of accounts
 * @throws OptionError for one that cannot be used
 */
export function readAccountSettings(options: AccountOptions, hasOtherLogin = false) {
  const {
    anyPassword = false,
    refreshIn,
    refreshOnce = false,
    loginUsers = DEFAULTS.loginUsers,
    loginResponse = LOGIN_RESPONSE,
  } = options
  const { meResponse = ME_RESPONSE, loginRefusal, signUpRefusal, tokenRefusal, tokenClaims = {} } = options
  const own = readAccountRoutes(options)
  const logsIn = own.some(({ does }) => does === 'logIn')
  const hasRefresh = own.some(({ does, takesRefresh }) => does === 'refresh' || takesRefresh)
  if (!isRecord(tokenClaims))
    throw new OptionError('token-claims must be an object, for instance {"uid": "$user.id"}.')
  const reserved = Object.keys(tokenClaims).find(isReservedClaim)
  if (reserved !== undefined)
    throw new OptionError(`token-claims: "${reserved}" is said by the server itself: choose another name.`)
  const refreshCookies = refreshIn === undefined ? [] : [readCookieName(refreshIn)]
  if (refreshIn !== undefined && [options.tokenIn].flat().includes(refreshIn))
    throw new OptionError(
      `--token-in and --refresh-in cannot both be ${refreshIn}: name another cookie for one.`,
    )
  refuseIdleOptions(options, own, { hasRefresh, hasOtherLogin })
  const fields = new PersonFields(readLoginFields(options.loginFields))
  const shown = (value: unknown) => fields.withoutPasswords(value)
  const indexOf = makeIndexes(fields)
  const issued = { names: issuedNames(options, hasRefresh), shown }
  const refusal = readRefusal('login-refusal', loginRefusal, 401, REFUSAL_VALUES)
  const refusedSignUp = readRefusal('sign-up-refusal', signUpRefusal, 409, SIGN_UP_REFUSAL_VALUES)
  const refuseToken =
    tokenRefusal === undefined
      ? undefined
      : readTemplate(tokenRefusal, { option: 'token-refusal', names: REFUSAL_VALUES })
  return {
    routes: allRoutes(options),
    /** Whether people log in or sign up as the application has it. */
    hasOwnLogin: logsIn || own.some(({ does }) => does === 'signUp'),
    /** Whether anybody gets refresh tokens. */
    hasRefresh,
    /** Whether a response may have one in its body. */
    hasRefreshInBody:
      hasRefresh && (refreshIn === undefined || !logsIn || options.loginResponse !== undefined),
    /** The cookie in which the refresh token travels; none for the body. */
    refreshCookies,
    refreshOnce,
    /** Whether the specified login gives a refresh token in its response: nobody else does. */
    hasSpecifiedRefresh: hasRefresh && !logsIn,
    /** Where tokens are read beside the usual header. */
    tokenIn: options.tokenIn,
    /** The collection whose records log in. */
    loginUsers,
    /** Which of their fields say who they are. */
    fields,
    former: new FormerNames(fields),
    indexOf,
    identify: makeIdentify(fields, { anyPassword, indexOf }),
    loginResponse: readTemplate(loginResponse, { ...issued, option: 'login-response' }),
    loginHeaders: readLoginHeaders(options.loginHeaders, { ...issued, option: 'login-headers' }),
    meResponse: readTemplate(meResponse, { option: 'me-response', names: ['user', 'token'], shown }),
    /** Claims that are added to the usual ones. */
    tokenClaims: readTemplate(tokenClaims, { option: 'token-claims', names: ['user'], shown }),
    /** Of a refused login; other refusals have statuses of their own. */
    refusalStatus: refusal.status,
    /** The body of whatever goes wrong with a request for an account that is no sign-up. */
    refusalBody: refusal.body,
    /** Of a sign-up by a name that somebody has; other refusals have statuses of their own. */
    signUpRefusalStatus: refusedSignUp.status,
    signUpRefusalBody: refusedSignUp.body,
    /** Makes the body of the token check's 401 from a sentence; undefined where it is as usual. */
    tokenRefusalBody: refuseToken && ((message: string) => refuseToken({ message, status: 401 })),
  }
}

/** What a response with new tokens can say. A refresh token that nobody takes is none. */
function issuedNames({ loginResponse }: AccountOptions, hasRefresh: boolean): readonly string[] {
  const names = ['token', 'user', 'expires', 'expiresAt', 'message']
  return hasRefresh || loginResponse === undefined ? [...names, 'refresh'] : names
}

/** @throws OptionError for a name that no response may have */
function readLoginHeaders(given: AccountOptions['loginHeaders'] = {}, values: TemplateValues) {
  const wrong = Object.keys(given).find(
    (name) => !isSendable(name, '') || /^(?:set-cookie2?|cache-control|content-.*)$/i.test(name),
  )
  if (wrong !== undefined)
    throw new OptionError(
      `login-headers: "${wrong}" cannot be set: it must be the name of a header that says nothing of the body, ` +
        'its end or its age, and a cookie is set by --token-in.',
    )
  return Object.entries(given).map(([name, text]) => [name, readTemplate(text, values)] as const)
}

/** What a refusal can say, and that of a sign-up that does not fit a schema. */
const REFUSAL_VALUES = ['message', 'status']
const SIGN_UP_REFUSAL_VALUES = [...REFUSAL_VALUES, 'errors', 'first', 'list', 'texts']

/** @throws OptionError for anything else than names of fields */
function readLoginFields(given: LoginFields = {}): LoginFields {
  const { names, password, ...others }: Record<string, unknown> = isRecord(given) ? given : { given }
  const isNames = names === undefined || (Array.isArray(names) && names.length > 0 && names.every(isText))
  if (!isNames || !(password === undefined || isText(password)) || Object.keys(others).length > 0)
    throw new OptionError(
      'login-fields must be names of fields, for instance {"names": ["npp"], "password": "code"}: either can be left out.',
    )
  return given
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** @throws OptionError for an option that changes nothing beside the others */
function refuseIdleOptions(
  options: AccountOptions,
  own: readonly AccountRoute[],
  { hasRefresh, hasOtherLogin }: { hasRefresh: boolean; hasOtherLogin: boolean },
): void {
  const { tokenIn, refreshIn, refreshOnce } = options
  const has = (...purposes: AccountRoute['does'][]) => own.some(({ does }) => purposes.includes(does))
  const cookiePlace = [tokenIn].flat().find((place) => cookieName(place) !== undefined)
  if (!has('logIn', 'signUp') && !hasOtherLogin)
    refuseIdle('login', {
      'login-users': options.loginUsers,
      'login-fields': options.loginFields,
    })
  if (!has('logIn')) refuseIdle('login', { '--any-password': options.anyPassword || undefined })
  if (!has('logIn', 'signUp') && !hasRefresh)
    refuseIdle('login', {
      'login-response': options.loginResponse,
      'login-headers': options.loginHeaders,
      'login-refusal': options.loginRefusal,
      'token-claims': hasOtherLogin ? undefined : options.tokenClaims,
      // A page sends a token in a header by itself, and the specified login sets no cookie.
      [`--token-in ${cookiePlace}`]: cookiePlace,
    })
  if (!has('signUp')) refuseIdle('sign-up', { 'sign-up-refusal': options.signUpRefusal })
  if (!own.some(({ does, method }) => does === 'whoAmI' && ['GET', 'POST'].includes(method)))
    refuseIdle('me', { 'me-response': options.meResponse })
  if (!hasRefresh)
    refuseIdle('refresh', {
      '--refresh-in': refreshIn,
      '--refresh-once': (refreshOnce && !hasOtherLogin) || undefined,
    })
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

function readRefusal(option: string, given: Template | undefined, usual: number, names: readonly string[]) {
  const { status, fill, hasOwnBody } = readRefusalTemplate(
    given,
    { status: usual, body: REFUSAL_BODY },
    { option, names },
  )
  const saysFields = hasOwnBody && names.includes('errors')
  return {
    status,
    /** What is wrong with fields is said as schemas say it, where this refusal does not say it itself. */
    body({ message, status: own, details }: HttpError) {
      if (details !== undefined && !saysFields) return undefined
      const values = details ?? { errors: {}, first: {}, list: [], texts: [message] }
      return fill({ ...values, message, status: own })
    },
  }
}

function readCookieName(place: string): string {
  const name = cookieName(place)
  if (name === undefined)
    throw new OptionError(
      `--refresh-in: "${place}" must be a cookie with its name, for instance cookie:refresh.`,
    )
  return name
}
