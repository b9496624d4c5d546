import type { Access } from '../auth/access'
import type { Claims } from '../auth/access-token'
import type { AccountRoute } from '../auth/account-route'
import type { Authentication } from '../auth/authentication'
import type { User } from '../auth/person-fields'
import type { KnownUsers } from '../auth/user-of-token'
import type { HttpRequest } from '../http/handler'
import type { AccountSettings } from './account-settings'
import type { FindRoute } from './find-route'
import type { LoginProtocol } from './login-protocol'
import type { Sessions } from './sessions'

/** The accounts of some data: all that it takes to log somebody in or out. */
export interface DataAccounts {
  readonly settings: AccountSettings
  /** How a route is asked, and how it responds. */
  readonly protocolOf: (route: AccountRoute) => LoginProtocol
  /** That of the login with which the session of a token began: it says among whom its user is. */
  readonly protocolOfToken: (claims: Claims) => LoginProtocol
  readonly findRoute: FindRoute
  readonly sessions: Sessions
  readonly authentication: Authentication
  readonly access: Access
  /** Who may log in, and whom a token may name, as they are now. */
  readonly known: () => KnownUsers
  /** Stores who signs up, and gives the record with its id. */
  readonly signUp: (request: HttpRequest) => Promise<User>
}
