import type { LoginFields } from '../auth/person-fields'
import type { Template } from '../auth/template'
import type { TokenIn } from '../auth/token-places'
import { type KindsOf, LOOKED_AT_ELSEWHERE } from '../option-kinds'
import type { LoginIf } from './login-if'

/** A path, with a method where it is not the usual one, such as `/login` or `GET /token`; or several. */
type AccountPaths = string | readonly string[]

/** What `createApp` takes for logins of other shapes. The command line takes the same. */
export interface AccountOptions {
  /** Where people log in, with any names of fields and a response that says everything. Default: nowhere. */
  login?: AccountPaths
  /** Where people sign up: this stores a user and logs in. Default: nowhere. */
  signUp?: AccountPaths
  /**
   * Where an application asks whose token it has; the usual method is GET. By PATCH, PUT or DELETE, it changes the record
   * of that user. Default: nowhere.
   */
  me?: AccountPaths
  /** Where a refresh token is exchanged for new tokens; it may be the login's path. Default: nowhere. */
  refresh?: AccountPaths
  /** Where a session ends. Default: nowhere. */
  logout?: AccountPaths
  /**
   * Where tokens are read beside `Authorization: Bearer`: the name of a header, `authorization` for that header
   * without `Bearer`, or with `Token` or `JWT` in its place, or `cookie:<name>`, a cookie which logins then set.
   * Default: nowhere.
   */
  tokenIn?: TokenIn
  /** Where the refresh token travels: `cookie:<name>`. Default: in the body. */
  refreshIn?: string
  /** Whether a refresh token is good for one use. Default: false. */
  refreshOnce?: boolean
  /** The response of a login, a sign-up and a refresh. Default: everything. */
  loginResponse?: Template
  /** Headers of that response, such as `{"Authorization": "Bearer $token"}`. Default: none. */
  loginHeaders?: Readonly<Record<string, string>>
  /** The response that says whose token it is. Default: everything. */
  meResponse?: Template
  /** The response of a logout. Default: `message`. */
  logoutResponse?: Template
  /**
   * The values of the fields of records that may log in, such as `{ active: true, deletedAt: null }`: a missing field is
   * null, and `profile.active` is one of an object. Default: all may.
   */
  loginIf?: LoginIf
  /** Whether users without any password log in with whatever is sent. Default: false. */
  anyPassword?: boolean
  /**
   * The status of a refused login, or `{ status, body }`, which can say why: `$reason` is `unknown`, `password` or, where the
   * password was right, `locked`. Default: 401, with `message` and `error`.
   */
  loginRefusal?: Template
  /**
   * The status of a sign-up by a name that somebody has, or `{ status, body }`. Default: 409, with `message`, `error` and, for
   * what is wrong with fields, `errors`.
   */
  signUpRefusal?: Template
  /**
   * The body of a 401 of the token check, or exactly `{ status, body }` with a number for another status. Default:
   * `"Unauthorized"`.
   */
  tokenRefusal?: Template
  /** Claims of a token in addition to the usual ones. Default: none. */
  tokenClaims?: Template
  /** The collection whose records log in. Default: `users`. */
  loginUsers?: string
  /** Which fields say who somebody is. Default: the usual names of an email, a user name, a telephone and a password. */
  loginFields?: LoginFields
}

/** What each of them must be. */
export const ACCOUNT_KINDS: KindsOf<AccountOptions> = {
  login: ['a string', 'an array'],
  signUp: ['a string', 'an array'],
  me: ['a string', 'an array'],
  refresh: ['a string', 'an array'],
  logout: ['a string', 'an array'],
  tokenIn: LOOKED_AT_ELSEWHERE,
  refreshIn: ['a string'],
  refreshOnce: ['true', 'false'],
  loginResponse: LOOKED_AT_ELSEWHERE,
  loginHeaders: LOOKED_AT_ELSEWHERE,
  meResponse: LOOKED_AT_ELSEWHERE,
  logoutResponse: LOOKED_AT_ELSEWHERE,
  loginIf: LOOKED_AT_ELSEWHERE,
  anyPassword: ['true', 'false'],
  loginRefusal: LOOKED_AT_ELSEWHERE,
  signUpRefusal: LOOKED_AT_ELSEWHERE,
  tokenRefusal: LOOKED_AT_ELSEWHERE,
  tokenClaims: LOOKED_AT_ELSEWHERE,
  loginUsers: ['a string'],
  loginFields: LOOKED_AT_ELSEWHERE,
}
