import { type ExtraClaims, type SigningKey, signingKey } from '../../auth/access-token'
import { type AccountRoute, SPECIFIED_LOGIN, SPECIFIED_WHO_AM_I } from '../../auth/account-route'
import { isFor, respondsTo } from '../../auth/service'
import type { User } from '../../auth/user-fields'
import { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { OptionError } from '../../errors'
import type { Handler } from '../../http/handler'
import { isRecord } from '../../is-record'
import { accountSteps, openHandler } from './account-handlers'
import type { AccountOptions } from './account-options'
import { type AccountSettings, type Accounts, readAccountSettings } from './account-settings'
import { Sessions, type SessionsOptions } from './sessions'
import { makeSignUp, type SignUpOptions, signUpSteps } from './sign-up'

/**
 * Reads the options, once for all data of a server.
 *
 * @param server what its sessions have in common
 * @throws OptionError for one that cannot be used
 */
export function readAccounts(options: AccountOptions, server: Pick<SessionsOptions, 'key' | 'lifetime'>) {
  const settings = readAccountSettings(options)
  const ended = new Set<string>()
  return {
    settings,
    routes: describedRoutes(settings),
    /**
     * Makes the sessions of some data.
     *
     * @param clock its own, in milliseconds since the epoch
     */
    sessionsFor: (clock: () => number, claims: ExtraClaims = {}) =>
      new Sessions({ ...server, clock, claims, strict: settings.refreshOnce, ended }),
    /** Makes the steps for some data. */
    stepsFor(given: Omit<Accounts, keyof AccountSettings> & SignUpOptions) {
      const data = { ...settings, ...given }
      const signUp = signUpSteps(data, given)
      const steps = accountSteps(data, signUp.beginAt)
      const logIn = steps.find((step) => respondsTo(step, SPECIFIED_LOGIN))
      const whoAmI = steps.find((step) => respondsTo(step, SPECIFIED_WHO_AM_I))
      const others = steps.filter((step) => step !== logIn && step !== whoAmI)
      return {
        /** Those that need no token: login, sign-up, refresh, logout. */
        open: others.filter(({ service }) => service.isOpen),
        /** Whose token it is: after the token check. */
        me: others.filter(({ service }) => !service.isOpen),
        /** The two at the specified paths; undefined where these stay as specified. */
        logIn,
        whoAmI,
        /** Stores who signs up: after the user's own middlewares. */
        finishSignUp: signUp.finish,
      }
    },
  }
}

/** The routes with samples of their responses, for the document. */
function describedRoutes({ routes, loginResponse, meResponse }: AccountSettings): AccountRoute[] {
  const values = { refresh: 'text', expires: 3600, message: 'text' }
  return routes.map((route) => ({
    ...route,
    response: (token, user = {}) =>
      route.does === 'whoAmI' ? meResponse({ user, token }) : loginResponse({ ...values, token, user }),
  }))
}

/** What {@link accounts} takes beside the options of `createApp` with the same names. */
export interface OwnAccountsOptions extends Omit<AccountOptions, 'loginUsers'> {
  /** The secret that signs tokens, the same for the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: () => readonly unknown[]
  /** Stores a user who signs up, and gives the record with its id. Needed for `signUp`. */
  addUser?: (user: User) => unknown
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** Seconds that a token lasts. Default: 3,600. */
  lifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

/**
 * Logins of other shapes, for a server of one's own: the paths that the options name. Any other request is passed on.
 * Mount it ahead of the token check.
 *
 * @throws OptionError for an option that cannot be used
 *
 * @example
 * app.use(accounts({ key, users: () => db.get('users').value(), login: '/api/login', me: '/api/me' }))
 */
export function accounts(options: OwnAccountsOptions): Handler {
  const { users, addUser, idProperty = DEFAULTS.idProperty } = options
  const { lifetime = DEFAULTS.tokenLifetime, clock = Date.now, tokenIn } = options
  const key = signingKey(options.key)
  const { settings, sessionsFor } = readAccounts(options, { key, lifetime })
  const refusalBody = settings.tokenRefusalBody
  const visitors = new Visitors({ key, clock, allowed: [], tokenIn, refusalBody })
  const sessions = sessionsFor(clock)
  const known = () => ({ users: users(), loginUsers: users(), logins: [], idProperty })
  const data = { ...settings, sessions, visitors, known }
  const signUp = makeSignUp(data)
  const steps = accountSteps(data, () => {
    if (addUser === undefined) throw new OptionError('signUp needs addUser, which stores a user.')
    return openHandler(data, (_data, request, response) =>
      signUp(request, response, async (make) => {
        const user = await addUser(make(users()))
        if (isRecord(user)) return user
        throw new TypeError('addUser must give the record that it has stored.')
      }),
    )
  })
  return function accountsMiddleware(request, response, next) {
    const step = steps.find(({ service }) => isFor(service, request))
    const { claims } = visitors.tokenOf(request)
    // The token check that follows knows of no session, and would let it pass.
    const ended = step?.service.isOpen || claims === undefined ? undefined : sessions.refusalOf(claims)
    if (ended !== undefined) next(visitors.unauthorized(ended))
    else if (step !== undefined) step(request, response, next)
    else next()
  }
}
