import { type ExtraClaims, type SigningKey, signingKey } from '../../auth/access-token'
import type { Credentials } from '../../auth/credentials'
import { isFor } from '../../auth/service'
import { loginUser } from '../../auth/user-of-token'
import { Visitors } from '../../auth/visitors'
import { DEFAULTS } from '../../defaults'
import { OptionError } from '../../errors'
import type { Handler } from '../../http/handler'
import { accountSteps, openHandler } from './account-handlers'
import type { AccountOptions } from './account-options'
import { readAccountSettings } from './account-settings'
import { Sessions, sessionMemory } from './sessions'
import { type AddUser, makeSignUp } from './sign-up'

/** What {@link accounts} takes beside the options of `createApp` with the same names. */
export interface OwnAccountsOptions extends Omit<AccountOptions, 'loginUsers'> {
  /** The secret that signs tokens, the same for the token check. */
  key: SigningKey
  /** The stored users, as they are at the moment of a login. */
  users: () => readonly unknown[]
  /** Stores a user who signs up, and gives the record with its id. Needed for `signUp`. */
  addUser?: AddUser
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
  const memory = sessionMemory()
  const sessions = new Sessions({
    key,
    clock,
    lifetime,
    claims: extraClaims,
    strict: settings.refreshOnce,
    memory,
  })
  const loginRecords = logins.map(loginUser)
  const known = () => ({ users: users(), loginUsers: users(), logins: loginRecords, idProperty })
  const own = { settings, sessions, visitors, known }
  const signUp = makeSignUp(own)
  const steps = accountSteps(own, () => {
    if (addUser === undefined) throw new OptionError('signUp needs addUser, which stores a user.')
    return openHandler(own, (_accounts, request, response) => signUp(request, response, addUser))
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
