import type { ExtraClaims, SigningKey } from '../../auth/access-token'
import { signingKey } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { type Judge, Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { HttpError, OptionError } from '../../errors'
import { setErrorBody } from '../../http/error-body'
import type { Handler, HttpRequest } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { isRecord } from '../../is-record'
import { accountOf } from './account'
import { makeAccountHandlers } from './account-handlers'
import type { AccountOptions } from './account-options'
import { isForRoute } from './account-routes'
import { type AccountSettings, readAccountSettings } from './account-settings'
import type { User } from './identify'
import type { Issue } from './issue'
import { newUser } from './new-user'
import { passwordComparison } from './password-hashes'
import { refusalBody, tokenRefusalBody } from './refusals'

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
 * Mount it ahead of the token check, and give that its `sessions`, which know who has logged out.
 *
 * @throws OptionError for an option that cannot be used
 *
 * @example
 * const logins = accounts({ key, users: () => db.get('users').value(), login: '/api/login', logout: '/api/logout' })
 * app.use(logins, bearerToken({ key, sessions: logins.sessions }))
 */
export function accounts(options: OwnAccountsOptions): Handler & { readonly sessions: Judge } {
  const { users, addUser, logins = [], idProperty = DEFAULTS.idProperty, clock = Date.now } = options
  const { extraClaims = () => ({}), lifetime = DEFAULTS.tokenLifetime } = options
  const key = signingKey(options.key)
  const settings = readAccountSettings(options)
  const refusal = tokenRefusalBody(settings)
  const visitors = new Visitors({ key, clock, allowed: [], tokenIn: options.tokenIn, refusalBody: refusal })
  const { sessions, issue, handlerOf } = makeAccountHandlers({
    ...{ settings, key, clock, lifetime, extraClaims, users, logins, visitors, idProperty },
    known: (request) => ({ users: users(request), logins, idProperty }),
    compare: passwordComparison(),
  })
  const signUp: Handler =
    options.signUp === undefined
      ? (_request, _response, next) => next()
      : signUpStep({ settings, users, addUser, idProperty, issue })
  const handlers = settings.routes.map((route) => ({ route, handler: handlerOf(route, signUp) }))
  const step: Handler = function accountsMiddleware(request, response, next) {
    const found = handlers.find(({ route }) => isForRoute(route, request))
    if (found === undefined) next()
    else found.handler(request, response, next)
  }
  return Object.assign(step, { sessions })
}

interface SignUpOptions extends Pick<OwnAccountsOptions, 'users' | 'addUser'> {
  settings: AccountSettings
  idProperty: string
  issue: Issue
}

/** @throws OptionError if there is nothing that stores a user */
function signUpStep({ settings, users, addUser, idProperty, issue }: SignUpOptions): Handler {
  if (addUser === undefined) throw new OptionError('signUp needs addUser, which stores a user.')
  const read = readLoginBody()
  return function signUpMiddleware(request, response, next) {
    setErrorBody(response, refusalBody(settings))
    const signUp = async (): Promise<void> => {
      const record = await addUser(await newUser(request.body, users(request)))
      if (!isRecord(record))
        throw new HttpError({ status: 500, message: 'addUser must give the stored record.' })
      issue(request, response, accountOf(record, idProperty), { status: 201, message: 'Signed up.' })
    }
    read(request, response, (error) => {
      if (error) next(error)
      else signUp().catch(next)
    })
  }
}
