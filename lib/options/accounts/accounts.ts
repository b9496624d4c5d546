import { type ExtraClaims, type SigningKey, signingKey } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { isFor } from '../../auth/service'
import { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { OptionError } from '../../errors'
import type { Handler } from '../../http/handler'
import { accountHandlers } from './account-handlers'
import type { AccountOptions } from './account-options'
import { type AccountRoute, serviceOf } from './account-routes'
import { readAccountSettings } from './account-settings'
import type { User } from './identify'
import { Sessions, sessionMemory } from './sessions'

/** What {@link accounts} takes beside the options of `createApp` with the same names. */
export interface OwnAccountsOptions extends Omit<AccountOptions, 'loginUsers'> {
  /** The secret that signs tokens, the same for the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: () => readonly unknown[]
  /** Stores a user who signs up, and gives the record with its id. Needed for `signUp`. */
  addUser?: (user: User) => unknown
  /** Logins beside the stored users. Default: none. */
  logins?: readonly Credentials[]
  /** Further claims of each token. Default: none. */
  extraClaims?: ExtraClaims
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
  const { users, addUser, logins = [], idProperty = DEFAULTS.idProperty, clock = Date.now } = options
  const { extraClaims = {}, lifetime = DEFAULTS.tokenLifetime, tokenIn } = options
  const key = signingKey(options.key)
  const settings = readAccountSettings(options)
  const refusalBody = settings.tokenRefusalBody
  const visitors = new Visitors({ key, clock, allowed: [], tokenIn, refusalBody })
  const strict = settings.refreshOnce
  const sessions = new Sessions({ key, clock, lifetime, strict, memory: sessionMemory(clock) })
  const known = () => ({ users: users(), accounts: users(), logins, idProperty })
  const handlers = accountHandlers({ settings, sessions, lifetime, extraClaims, visitors, known })
  const { open, signUp } = handlers
  const routes = settings.routes.map((route) => ({ service: serviceOf(route), handler: handlerOf(route) }))
  return function accountsMiddleware(request, response, next) {
    const { service, handler } = routes.find((route) => isFor(route.service, request)) ?? {}
    const { claims } = visitors.tokenOf(request)
    // The token check that follows knows of no session, and would let it pass.
    const ended = service?.isOpen || claims === undefined ? undefined : sessions.refusalOf(claims)
    if (ended !== undefined) next(visitors.unauthorized(ended))
    else if (handler !== undefined) handler(request, response, next)
    else next()
  }

  function handlerOf(route: AccountRoute): Handler {
    if (route.function !== 'signUp') return handlers[route.takesRefresh ? 'loginOrRefresh' : route.function]
    if (addUser === undefined) throw new OptionError('signUp needs addUser, which stores a user.')
    return open((request, response) => signUp(response, request.body, addUser))
  }
}
