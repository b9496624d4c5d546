import { type AccountRoute, isSpecified } from '../auth/account-route'
import { type LoginFields, PersonFields } from '../auth/person-fields'
import { type Filled, readTemplate, type Template, type TemplateValues } from '../auth/template'
import { cookieName, type TokenIn } from '../auth/token-places'
import type { TokenRefusal } from '../auth/unauthorized-body'
import type { LoginCondition } from '../auth/user-of-token'
import { DEFAULTS } from '../defaults'
import { OptionError } from '../errors'
import { isSendable } from '../http/sendable-headers'
import { isRecord } from '../is-record'
import type { Only } from '../option-kinds'
import type { AccountOptions } from './account-options'
import { allRoutes, readAccountRoutes } from './account-routes'
import { isReservedClaim } from './claims'
import { refuseIdleOptions } from './idle-options'
import { readLoginIf } from './login-if'
import type { Issued } from './login-protocol'
import {
  type PersonRefusal,
  type RefusalSettings,
  readLoginRefusal,
  readPersonRefusal,
  readSignUpRefusal,
  readTokenRefusal,
} from './refusals'

/** What the options say, read and with their defaults. */
export interface AccountSettings {
  /** The routes that the options name, and those that every server has. */
  readonly routes: readonly AccountRoute[]
  /** Whether people log in, or sign up, otherwise than as it is specified: their passwords may be hashes. */
  readonly hasOwnAccounts: boolean
  /** Whether anybody gets refresh tokens. */
  readonly hasRefresh: boolean
  /** The routes whose responses have a refresh token in the body. */
  readonly routesWithRefresh: ReadonlySet<AccountRoute>
  /** The cookies in which access tokens travel, beside the bodies of logins. */
  readonly accessCookies: readonly string[]
  /** The cookie in which the refresh token travels; none for the body. */
  readonly refreshCookies: readonly string[]
  /** Whether a refresh token is good for one use. */
  readonly refreshOnce: boolean
  /** Where tokens are read beside the usual header. */
  readonly tokenIn: TokenIn | undefined
  /** The collection whose records log in. */
  readonly loginUsers: string
  /** Which of their fields say who they are. */
  readonly fields: PersonFields
  /** Whether a user without any password has whatever is sent. */
  readonly anyPassword: boolean
  readonly loginResponse: Filled<keyof Issued>
  readonly loginHeaders: readonly (readonly [name: string, fill: Filled<keyof Issued>])[]
  readonly meResponse: Filled<'user' | 'token'>
  readonly logoutResponse: Filled<'message'>
  /** Claims that are added to the usual ones. */
  readonly tokenClaims: Filled<'user'>
  /** Of a refused login; other refusals have statuses of their own. The body is that of whatever goes wrong. */
  readonly loginRefusal: RefusalSettings
  /** The same of a sign-up, where somebody has the name. */
  readonly signUpRefusal: RefusalSettings
  /** Of somebody who signs up, or whose record is changed. */
  readonly personRefusal: PersonRefusal
  /** How the token check refuses; undefined where that is as usual. */
  readonly tokenRefusal: TokenRefusal | undefined
  /** Which records may log in: those that meet all of these. */
  readonly loginConditions: readonly LoginCondition[]
}

/** What the settings of accounts depend on beside their own options. */
export interface SettingsOfServer {
  /** Whether people also log in, and get refresh tokens, by what is no route of accounts. Default: false. */
  hasOtherLogin?: boolean
  /** How what does not fit a schema is refused: what is wrong with the fields of people has the same form. */
  schemaRefusal?: Template | undefined
}

/** The record of the user, and all fields of it: what most front ends read. */
const ME_RESPONSE: Template = { '...': '$user', user: '$user' }

/** What a login responds with by default: the names under which front ends read the same things. */
export const LOGIN_RESPONSE: Readonly<Record<string, Template>> = {
  // It comes first because the lines that the start prints read the first value.
  access_token: '$token',
  accessToken: '$token',
  token: '$token',
  message: '$message',
  '...': '$user',
  token_type: '$type',
  expires_in: '$expires',
  user: '$user',
  refresh_token: '$refresh',
  refreshToken: '$refresh',
}

/** What the templates of an application can say of new tokens, and of a refresh token where anybody takes one. */
const ISSUED: readonly (keyof Issued)[] = ['token', 'user', 'expires', 'expiresAt', 'message']

const LOGOUT_RESPONSE: Template = { message: '$message' }

/**
 * Reads the options.
 *
 * @param server what they depend on
 * @throws OptionError for one that cannot be used
 */
export function readAccountSettings(
  options: AccountOptions,
  { hasOtherLogin = false, schemaRefusal }: SettingsOfServer = {},
): AccountSettings {
  const {
    login,
    signUp,
    me,
    refresh,
    logout,
    tokenIn,
    refreshIn,
    refreshOnce = false,
    loginUsers = DEFAULTS.loginUsers,
    loginFields,
    loginIf,
    anyPassword = false,
    loginResponse,
    loginHeaders,
    meResponse = ME_RESPONSE,
    logoutResponse = LOGOUT_RESPONSE,
    loginRefusal,
    signUpRefusal,
    tokenRefusal,
    tokenClaims = {},
    ...others
  } = options
  others satisfies Only<object, typeof others>
  const own = readAccountRoutes({ login, signUp, me, refresh, logout })
  const logsIn = own.some(({ does }) => does === 'logIn')
  const hasRefresh = own.some(({ does, takesRefresh }) => does === 'refresh' || takesRefresh)
  if (!isRecord(tokenClaims))
    throw new OptionError('token-claims must be an object, for instance {"uid": "$user.id"}.')
  const reserved = Object.keys(tokenClaims).find(isReservedClaim)
  if (reserved !== undefined)
    throw new OptionError(`token-claims: "${reserved}" is said by the server itself: choose another name.`)
  const refreshCookies = refreshIn === undefined ? [] : [readCookieName(refreshIn)]
  if (refreshIn !== undefined && [tokenIn].flat().includes(refreshIn))
    throw new OptionError(
      `--token-in and --refresh-in cannot both be ${refreshIn}: name another cookie for one.`,
    )
  refuseIdleOptions(options, own, { hasRefresh, hasOtherLogin })
  const fields = new PersonFields(readLoginFields(loginFields))
  const issued = { names: hasRefresh ? [...ISSUED, 'refresh' as const] : ISSUED, fields }
  const routes = allRoutes(own)
  const isInOwnBodies = refreshIn === undefined || loginResponse !== undefined
  const hasRefreshInBody = (route: AccountRoute): boolean => {
    // Where nobody else logs people in, the specified login gives it, and its clients read the next one in a body, too.
    const isOfSpecifiedLogin = !logsIn && (isSpecified(route) || route.does === 'refresh')
    return isOfSpecifiedLogin || (isInOwnBodies && !isSpecified(route))
  }
  return {
    routes,
    hasOwnAccounts: hasOtherLogin || logsIn || own.some(({ does }) => does === 'signUp'),
    hasRefresh,
    routesWithRefresh: new Set(hasRefresh ? routes.filter(hasRefreshInBody) : []),
    accessCookies: [tokenIn ?? []].flat().flatMap((place) => cookieName(place) ?? []),
    refreshCookies,
    refreshOnce,
    tokenIn,
    loginUsers,
    fields,
    anyPassword,
    loginResponse:
      loginResponse === undefined
        ? readTemplate(LOGIN_RESPONSE, {
            option: 'login-response',
            names: [...ISSUED, 'refresh', 'type'],
            fields,
          })
        : readTemplate(loginResponse, { option: 'login-response', ...issued }),
    loginHeaders: readLoginHeaders(loginHeaders, { option: 'login-headers', ...issued }),
    meResponse: readTemplate(meResponse, { option: 'me-response', names: ['user', 'token'], fields }),
    tokenClaims: readTemplate(tokenClaims, { option: 'token-claims', names: ['user'], fields }),
    logoutResponse: readTemplate(logoutResponse, { option: 'logout-response', names: ['message'] }),
    loginRefusal: readLoginRefusal(loginRefusal),
    signUpRefusal: readSignUpRefusal(signUpRefusal),
    personRefusal: readPersonRefusal(schemaRefusal),
    tokenRefusal: readTokenRefusal(tokenRefusal),
    loginConditions: readLoginIf(loginIf),
  }
}

/** @throws OptionError for what are no headers, and for a name that no response may have */
function readLoginHeaders(given: AccountOptions['loginHeaders'] = {}, values: TemplateValues<keyof Issued>) {
  if (!isRecord(given) || !Object.values(given).every((text) => ['string', 'number'].includes(typeof text)))
    throw new OptionError(
      'login-headers must be names of headers with texts, for instance {"Authorization": "Bearer $token"}.',
    )
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

/** @throws OptionError for anything else than names of fields */
function readLoginFields(given: LoginFields = {}): LoginFields {
  const { names, password, ...others }: Record<string, unknown> = isRecord(given) ? given : { given }
  const isNames =
    names === undefined || (Array.isArray(names) && names.length > 0 && names.every(isFieldName))
  if (!isNames || !(password === undefined || isFieldName(password)) || Object.keys(others).length > 0)
    throw new OptionError(
      'login-fields must be names of fields, for instance {"names": ["npp"], "password": "code"}: either can be left out.',
    )
  return given
}

function isFieldName(value: unknown): value is string {
  return typeof value === 'string' && value.split('.').every((part) => part !== '')
}

function readCookieName(place: string): string {
  const name = cookieName(place)
  if (name === undefined)
    throw new OptionError(
      `--refresh-in: "${place}" must be a cookie with its name, for instance cookie:refresh.`,
    )
  return name
}
