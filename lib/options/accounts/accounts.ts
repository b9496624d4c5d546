import { type ExtraClaims, type SigningKey, signingKey } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { OptionError } from '../../errors'
import type { Handler, HttpRequest } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { isRecord } from '../../is-record'
import { accountOf } from './account'
import type { AccountOptions } from './account-options'
import { isForRoute } from './account-routes'
import { readAccountSettings } from './account-settings'
import { makeHandlers } from './handlers'
import type { User } from './identify'
import type { Issue } from './issue'
import { newUser } from './new-user'
import { passwordComparison } from './password-hashes'
import { tokenRefusalBody } from './refusals'

/** What {@link accounts} takes beside the options of `createApp` with the same names. */
export interface OwnAccountsOptions extends Omit<AccountOptions, 'loginUsers'> {
  /** The secret that signs tokens, the same for the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: (request: HttpRequest) => readonly unknown[]
  /** Stores a user who signs up, and gives the record with its id. Needed for `signUp`. */
  addUser?: (user: User) => unknown
  /** Logins beside the stored users. Default: none. */
  logins?: readonly Credentials[]
  /** Further claims for a token. Default: none. */
  extraClaims?: (request: HttpRequest) => ExtraClaims
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
  const { extraClaims = () => ({}), lifetime = DEFAULTS.tokenLifetime, tokenIn } = options
  const key = signingKey(options.key)
  const settings = readAccountSettings(options)
  const visitors = new Visitors({ key, clock, allowed: [], tokenIn, refusalBody: tokenRefusalBody(settings) })
  const { sessions, issue, handlerOf, opened } = makeHandlers({
    ...{ settings, key, clock, lifetime, extraClaims, logins, visitors, idProperty },
    compare: passwordComparison(),
    usersFor: users,
    known: (request) => ({ users: users(request), logins, idProperty }),
  })
  const handlers = settings.routes.map((route) => ({
    route,
    handler:
      route.function === 'signUp' ? opened(signUpStep(users, addUser, idProperty, issue)) : handlerOf(route),
  }))
  return function accountsMiddleware(request, response, next) {
    const { route, handler } = handlers.find((one) => isForRoute(one.route, request)) ?? {}
    const isOpen = route !== undefined && route.function !== 'me'
    const { claims } = visitors.tokenOf(request)
    // The token check that follows knows of no session, and would let it pass.
    const ended = isOpen || claims === undefined ? undefined : sessions.refusalOf(claims)
    if (ended !== undefined) next(visitors.unauthorized(ended))
    else if (handler !== undefined) handler(request, response, next)
    else next()
  }
}

/** @throws OptionError if there is nothing that stores a user */
function signUpStep(
  users: OwnAccountsOptions['users'],
  addUser: OwnAccountsOptions['addUser'],
  idProperty: string,
  issue: Issue,
): Handler {
  if (addUser === undefined) throw new OptionError('signUp needs addUser, which stores a user.')
  const readBody = readLoginBody()
  return function signUpMiddleware(request, response, next) {
    const signUp = async (): Promise<void> => {
      const record = await addUser(await newUser(request.body, users(request)))
      if (!isRecord(record)) throw new TypeError('addUser must give the stored record.')
      issue(request, response, accountOf(record, idProperty), { status: 201, message: 'Signed up.' })
    }
    readBody(request, response, (error) => {
      if (error) next(error)
      else signUp().catch(next)
    })
  }
}
