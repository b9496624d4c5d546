import { Access } from '../auth/access'
import { type SigningKey, signingKey } from '../auth/access-token'
import { isSpecified, SPECIFIED_LOGIN } from '../auth/account-route'
import { Authentication } from '../auth/authentication'
import { passSessions } from '../auth/login-sessions'
import type { User } from '../auth/person-fields'
import { unauthorizedBody } from '../auth/unauthorized-body'
import { DEFAULTS } from '../defaults'
import { OptionError } from '../errors'
import { setCommonErrorBody } from '../http/error-body'
import type { Handler } from '../http/handler'
import { isRecord } from '../is-record'
import { PLAIN_RULES } from '../json-server/record-rules'
import { type KindsOf, LOOKED_AT_ELSEWHERE, requireKinds } from '../option-kinds'
import { ACCOUNT_KINDS, type AccountOptions } from './account-options'
import { Accounts } from './accounts'

export interface LoginOptions extends Omit<AccountOptions, 'loginUsers'> {
  /** The secret that signs tokens, the same for the login and the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: () => readonly unknown[]
  /** Stores a user who signs up, and gives the record with its id. Needed for `signUp`. */
  addUser?: (user: User) => unknown
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** Seconds that a token lasts. Default: 3,600 (docs/promises.md, Tokens). */
  lifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

/** Whose records log in is said by `users`. */
const { loginUsers, ...KINDS_OF_ACCOUNTS } = ACCOUNT_KINDS

const LOGIN_KINDS: KindsOf<LoginOptions> = {
  ...KINDS_OF_ACCOUNTS,
  key: LOOKED_AT_ELSEWHERE,
  users: ['a function that returns at once'],
  addUser: ['a function that returns at once', 'an async function'],
  idProperty: ['a string'],
  lifetime: ['a number'],
  clock: ['a function that returns at once'],
}

/**
 * For a server of one's own: `POST /auth/login`, which exchanges the email and the password of a stored user for a signed
 * access token, and the paths of an application's own logins, where the options name some as those of `createApp` do, but
 * for those by which people change their own records. Any other request is passed on, unparsed. Mount it ahead of the token
 * check, `bearerToken` with the same key, which refuses the tokens whose session it has ended.
 *
 * Passes on 401 when no user has both, or a field is missing or not a string; 400 and 413 when the body cannot be read
 * (docs/promises.md, Login).
 *
 * @throws RangeError when the lifetime is not a positive number of whole seconds
 * @throws TypeError when the key is missing or empty, or an option does not exist or cannot be used
 *
 * @example
 * app.use(login({ key, users: () => db.get('users').value(), login: '/api/login', me: '/api/me' }))
 */
export function login(options: LoginOptions): Handler {
  requireKinds(options, LOGIN_KINDS)
  const {
    key: secret,
    users,
    addUser,
    idProperty = DEFAULTS.idProperty,
    lifetime = DEFAULTS.tokenLifetime,
    clock = Date.now,
    ...accountOptions
  } = options
  const { tokenIn } = accountOptions
  const key = signingKey(secret)
  const accounts = new Accounts(accountOptions, { keys: { secret: key }, lifetime })
  const { settings } = accounts
  const routes = settings.routes.filter((route) => route === SPECIFIED_LOGIN || !isSpecified(route))
  if (addUser === undefined && routes.some(({ does }) => does === 'signUp'))
    throw new OptionError('signUp needs addUser, which stores a user.')
  const changing = routes.find(({ does }) => does === 'changeMe')
  if (changing !== undefined)
    throw new OptionError(
      `me: "${changing.method} ${changing.path}" would change a record, and login() changes none: ` +
        'add a route of your own for it, or use createApp.',
    )
  const authentication = new Authentication({ keys: { secret: key }, clock, tokenIn })
  const { tokenRefusal } = settings
  const personRules = accounts.personRules(authentication.contexts, [])
  const sessions = accounts.sessionsFor({ clock })
  const stored = (): readonly unknown[] => {
    const found: unknown = users()
    // Its owner may change it in place: nothing is remembered of a copy.
    if (Array.isArray(found)) return [...found]
    const kind = Object.prototype.toString.call(found)
    throw new TypeError(`users() must return an array at once, but it returned ${kind}.`)
  }
  const { steps } = accounts.stepsFor(
    {
      data: { state: {} },
      sessions,
      authentication,
      access: new Access(authentication),
      known: accounts.knownIn(() => {
        const found = stored()
        return { users: found, loginUsers: found, logins: [], idProperty }
      }),
      async store(make, request) {
        const collection = stored()
        const rules = personRules?.(request, PLAIN_RULES) ?? PLAIN_RULES
        const sent = { ...make(collection) }
        // The id comes with what is stored.
        const record = rules.add({ name: settings.loginUsers, collection, sent, identify() {} })
        const user = await addUser?.(record)
        if (isRecord(user)) return user
        throw new TypeError('addUser must give the record that it has stored.')
      },
      waitsForMiddlewares: () => false,
      readOnly: false,
    },
    routes,
  )
  return function loginMiddleware(request, response, next) {
    passSessions(request, { key, check: sessions.ended })
    steps.logInOrOut(request, response, (error) => {
      if (error) return next(error)
      // From here on, a token may be needed, by who am I and by the token check that follows.
      const { refusal } = authentication.tokenOf(request, sessions.ended)
      if (refusal && tokenRefusal) setCommonErrorBody(request, unauthorizedBody(tokenRefusal))
      steps.signUpOrSayWho(request, response, (failure) => {
        if (failure && refusal?.isInvalidToken) authentication.forgetOwnCookie(request, response)
        next(failure)
      })
    })
  }
}
