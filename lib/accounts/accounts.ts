import { Access } from '../auth/access'
import { type ExtraClaims, type SigningKey, signingKey } from '../auth/access-token'
import { type AccountRoute, isSpecified, SPECIFIED_LOGIN } from '../auth/account-route'
import { Authentication } from '../auth/authentication'
import type { User } from '../auth/person-fields'
import { unauthorizedBody } from '../auth/unauthorized-body'
import { type KnownUsers, subjectOf } from '../auth/user-of-token'
import { DEFAULTS } from '../defaults'
import { OptionError, UnauthorizedError } from '../errors'
import { setErrorBody } from '../http/error-body'
import type { Handler } from '../http/handler'
import { isRecord } from '../is-record'
import type { AccountOptions } from './account-options'
import { accountMatcher } from './account-routes'
import { type AccountSettings, readAccountSettings } from './account-settings'
import { type AccountStepsOptions, accountSteps, builtInRoute } from './account-steps'
import { type DescribedAccounts, describeAccounts } from './describe-accounts'
import { type CurrentState, routeFinder } from './find-route'
import { ownProtocol } from './own-protocol'
import { ownRecordSteps } from './own-record'
import { Sessions, type SessionsOptions } from './sessions'
import { makeSignUp, type StoreUser } from './sign-up'
import { specifiedProtocol } from './specified-protocol'
import { storedPassword } from './stored-password'

/** What the accounts of some data are made of. */
interface AccountsData extends AccountStepsOptions {
  data: CurrentState
  sessions: Sessions
  authentication: Authentication
  access: Access
  /** Who may log in; the accounts know which of their fields say who they are. */
  people: () => Omit<KnownUsers, 'fields' | 'former'>
  /** Stores the user who signs up. */
  store: StoreUser
}

/**
 * Reads the options, once for all data of a server.
 *
 * @param server what its sessions have in common, and whether people also log in, and get refresh tokens, by what is no
 *   route of accounts
 * @throws OptionError for one that cannot be used
 * @throws RangeError when the lifetime of tokens is not a positive number of whole seconds
 */
export function readAccounts(
  options: AccountOptions,
  {
    hasOtherLogin = false,
    ...server
  }: Pick<SessionsOptions, 'key' | 'lifetime'> & { hasOtherLogin?: boolean },
) {
  const { lifetime } = server
  if (!Number.isSafeInteger(lifetime) || lifetime <= 0)
    throw new RangeError(
      `The lifetime of a token must be a positive number of whole seconds, not ${lifetime}.`,
    )
  const settings = readAccountSettings(options, hasOtherLogin)
  const { fields, former, refreshOnce: strict } = settings
  const ended = new Set<string>()
  const routes = settings.routes.map((route) => withSamples(route, settings))
  return {
    settings,
    /** Called when a request has put a record of a collection in the place of another: somebody may have another name. */
    sawReplaced(collection: string, record: User, replacement: User): void {
      if (collection === 'users' || collection === settings.loginUsers)
        former.sawReplaced(record, replacement)
    },
    /** The routes with samples of their responses, for the document. */
    routes,
    /** The same as the start, the rules and the static files must know them. */
    builtInRoutes: (data: CurrentState) => settings.routes.map((route) => builtInRoute(route, data)),
    /** Whether a request, or one by any method, is for one of them. */
    isAccount: accountMatcher(settings.routes),
    /** How a document describes them. */
    describe: (server: Pick<DescribedAccounts, 'logins' | 'readOnly'>) =>
      describeAccounts({ ...server, ...settings, routes }),
    /**
     * Makes the sessions of some data.
     *
     * @param clock its own, in milliseconds since the epoch
     */
    sessionsFor: (clock: () => number, claims: ExtraClaims = {}) =>
      new Sessions({ ...server, clock, claims, strict, ended }),
    /** Makes the steps for some data. */
    stepsFor(
      { data, sessions, authentication, access, people, store, ...steps }: AccountsData,
      routes = settings.routes,
    ) {
      const known = () => ({ ...people(), fields, former })
      const signUp = makeSignUp(settings, known, store)
      const own = ownProtocol(settings, known)
      const login = settings.routes.find(({ does }) => does === 'logIn')
      const protocol = login && !isSpecified(login) ? own : specifiedProtocol(settings, known)
      const findRoute = routeFinder(routes, authentication.contexts, data)
      const accounts = { settings, findRoute, sessions, authentication, access, known, signUp }
      return {
        ...accountSteps(accounts, steps),
        ...ownRecordSteps(accounts),
        storedPassword: settings.hasOwnLogin && storedPassword(settings, known),
        /** Who somebody is, for a login that is no route of accounts. */
        otherLogins: { known, ...own },
        /** Gives a token to whoever a body names, by the first login of the application; undefined for nobody. */
        async tokenFor(sent: unknown): Promise<string | undefined> {
          const { user } = await protocol.identify(sent)
          if (user === undefined) return undefined
          return sessions.issue({ ...protocol.claimsOf(user), sub: subjectOf(user, known()) }).accessToken
        },
      }
    },
  }
}

function withSamples(route: AccountRoute, { loginResponse, meResponse }: AccountSettings): AccountRoute {
  if (isSpecified(route)) return route
  const expiresAt = new Date(0).toJSON()
  const values = { refresh: 'text', expires: 3600, expiresAt, message: 'text' }
  const response = (token: string, user: object = {}) =>
    route.does === 'whoAmI' ? meResponse({ user, token }) : loginResponse({ ...values, token, user })
  return { ...route, response }
}

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

/**
 * For a server of one's own: `POST /auth/login`, which exchanges the email and the password of a stored user for a signed
 * access token, and the paths of an application's own logins, where the options name some as those of `createApp` do. Any
 * other request is passed on, unparsed. Mount it ahead of the token check.
 *
 * Passes on 401 when no user has both, or a field is missing or not a string; 400 and 413 when the body cannot be read
 * (docs/promises.md, Login).
 *
 * @throws RangeError when the lifetime is not a positive number of whole seconds
 * @throws TypeError when the key is missing or empty, and OptionError for an option that cannot be used
 *
 * @example
 * app.use(login({ key, users: () => db.get('users').value(), login: '/api/login', me: '/api/me' }))
 */
export function login(options: LoginOptions): Handler {
  const { users, addUser, idProperty = DEFAULTS.idProperty } = options
  const { lifetime = DEFAULTS.tokenLifetime, clock = Date.now, tokenIn } = options
  const key = signingKey(options.key)
  const { settings, sessionsFor, stepsFor } = readAccounts(options, { key, lifetime })
  const routes = settings.routes.filter((route) => route === SPECIFIED_LOGIN || !isSpecified(route))
  if (addUser === undefined && routes.some(({ does }) => does === 'signUp'))
    throw new OptionError('signUp needs addUser, which stores a user.')
  const authentication = new Authentication({ key, clock, tokenIn })
  const { tokenRefusalBody } = settings
  const sessions = sessionsFor(clock)
  const stored = (): readonly unknown[] => {
    const found: unknown = users()
    // Its owner may change it in place: nothing is remembered of a copy.
    if (Array.isArray(found)) return [...found]
    const kind = Object.prototype.toString.call(found)
    throw new TypeError(`users() must return an array at once, but it returned ${kind}.`)
  }
  const { early, late } = stepsFor(
    {
      data: { state: {} },
      sessions,
      authentication,
      access: new Access(authentication),
      people: () => ({ users: stored(), loginUsers: stored(), logins: [], idProperty }),
      async store(make) {
        const user = await addUser?.(make(stored()))
        if (isRecord(user)) return user
        throw new TypeError('addUser must give the record that it has stored.')
      },
      isLate: () => false,
      readOnly: false,
    },
    routes,
  )
  return function loginMiddleware(request, response, next) {
    early(request, response, (error) => {
      if (error) return next(error)
      late(request, response, (failure) => {
        const { claims } = authentication.tokenOf(request)
        // The token check that follows knows of no session, and would let it pass.
        const ended = claims && sessions.refusalOf(claims)
        if (ended && tokenRefusalBody) setErrorBody(request, unauthorizedBody(tokenRefusalBody))
        next(failure ?? (ended && new UnauthorizedError(ended)))
      })
    })
  }
}
