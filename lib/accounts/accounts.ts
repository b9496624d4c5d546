import { type AccountRoute, isSpecified, SPECIFIED_LOGIN } from '../auth/account-route'
import type { BuiltInRoute } from '../auth/built-in-route'
import type { Contexts } from '../auth/contexts'
import type { EndedIds } from '../auth/ended-sessions'
import type { User } from '../auth/person-fields'
import { PersonHistory } from '../auth/person-history'
import { isOfSpecifiedLogin, type KnownUsers } from '../auth/user-of-token'
import type { HttpRequest } from '../http/handler'
import type { Describe } from '../http/openapi'
import { CollectionIndex } from '../json-server/collection-index'
import type { RecordRules } from '../json-server/record-rules'
import type { AccountOptions } from './account-options'
import { accountMatcher } from './account-routes'
import { type AccountSettings, readAccountSettings, type SettingsOfServer } from './account-settings'
import { type AccountStepsOptions, accountSteps, builtInRoute } from './account-steps'
import type { DataAccounts } from './data-accounts'
import { type DescribedServer, describeAccounts } from './describe-accounts'
import { type CurrentState, routeFinder } from './find-route'
import { type Identify, makeIdentify } from './identify'
import { ownProtocol } from './own-protocol'
import { ownRecordSteps } from './own-record'
import { type IndexOf, makeIndexes } from './people-index'
import { PersonRules } from './person-rules'
import { Sessions, type SessionsOptions } from './sessions'
import { makeSignUp, type StoreUser } from './sign-up'
import { specifiedProtocol } from './specified-protocol'

/** What the data says of users. */
type StoredUsers = Omit<KnownUsers, 'fields' | 'history' | 'loginConditions' | 'findById'>

/** What the accounts of some data are made of. */
interface AccountsData
  extends AccountStepsOptions,
    Pick<DataAccounts, 'sessions' | 'authentication' | 'access' | 'known'> {
  data: CurrentState
  /** Stores the user who signs up. */
  store: StoreUser
}

/** What the sessions of all data of a server have in common. */
type AccountsServer = Pick<SessionsOptions, 'keys' | 'lifetime'> & SettingsOfServer

/** What is special of the sessions of some data. */
type SessionsOf = Pick<SessionsOptions, 'clock'> & Partial<Pick<SessionsOptions, 'sandbox' | 'isApart'>>

/** The logins of a server: what all of its data share. */
export class Accounts {
  readonly settings: AccountSettings

  readonly #server: AccountsServer
  readonly #history: PersonHistory
  readonly #indexOf: IndexOf
  readonly #identify: Identify
  /** What has ended, whatever the data. */
  readonly #endedIds: EndedIds = { sessions: new Set(), usedTokens: new Set() }

  /**
   * @throws OptionError for an option that cannot be used
   * @throws RangeError when the lifetime of tokens is not a positive number of whole seconds
   */
  constructor(options: AccountOptions, server: AccountsServer) {
    const { lifetime } = server
    if (!Number.isSafeInteger(lifetime) || lifetime <= 0)
      throw new RangeError(
        `The lifetime of a token must be a positive number of whole seconds, not ${lifetime}.`,
      )
    this.#server = server
    this.settings = readAccountSettings(options, server)
    const { fields, anyPassword } = this.settings
    this.#history = new PersonHistory(fields)
    this.#indexOf = makeIndexes(fields)
    this.#identify = makeIdentify(fields, { anyPassword, indexOf: this.#indexOf })
  }

  /**
   * What is called when a request has stored somebody, by the names of the collections: somebody may be new, or have another
   * name.
   *
   * @param now seconds since the epoch, by the clock of the data
   */
  peopleWatchers(now: () => number): ReadonlyMap<string, (record: User, before: User | undefined) => void> {
    const watcher = (record: User, before: User | undefined): void => {
      if (before === undefined) this.#history.sawAdded(record, now())
      else this.#history.sawReplaced(before, record)
    }
    return new Map(['users', this.settings.loginUsers].map((name) => [name, watcher]))
  }

  /**
   * What adds to the rules for all records, in a request, those for people.
   *
   * @param logins those beside the stored users
   * @returns undefined where people log in as it is specified, to which their passwords are texts
   */
  personRules(
    contexts: Contexts,
    logins: readonly User[],
  ): ((request: HttpRequest, rules: RecordRules) => RecordRules) | undefined {
    const options = { settings: this.settings, indexOf: this.#indexOf, contexts, logins }
    return this.settings.hasOwnAccounts
      ? (request, rules) => new PersonRules(request, rules, options)
      : undefined
  }

  /** The routes as the start, the rules and the static files must know them. */
  builtInRoutes(data: CurrentState): BuiltInRoute[] {
    return this.settings.routes.map((route) => builtInRoute(route, data))
  }

  /** Tells whether a request, or one by any method, is for one of them. */
  matcher(data: CurrentState): ReturnType<typeof accountMatcher> {
    return accountMatcher(this.settings.routes, () => data.state)
  }

  /** How a document describes them. */
  describe(server: DescribedServer): Describe {
    return describeAccounts(this.settings, server)
  }

  /**
   * Makes the sessions of some data.
   *
   * @param clock its own, in milliseconds since the epoch
   * @param sandbox its name, if it is that of one, which each of its tokens says
   * @param isApart whether a token of other data is refused
   */
  sessionsFor({ clock, sandbox, isApart = false }: SessionsOf): Sessions {
    const { keys, lifetime } = this.#server
    const { refreshOnce } = this.settings
    return new Sessions({
      keys,
      lifetime,
      clock,
      sandbox,
      refreshOnce,
      endedIds: this.#endedIds,
      isApart,
    })
  }

  /** Gives who may log in to some data: which of their fields say who they are, and were so before. */
  knownIn(data: () => StoredUsers): () => KnownUsers {
    const { fields, loginConditions } = this.settings
    return () => {
      const stored = data()
      const findById: KnownUsers['findById'] = (people, id) =>
        new CollectionIndex(people, stored.idProperty).find(id)
      return { ...stored, fields, loginConditions, history: this.#history, findById }
    }
  }

  /**
   * Makes the steps for some data.
   *
   * @param routes which of the routes they respond to. Default: all
   */
  stepsFor(
    { data, sessions, authentication, access, known, store, waitsForMiddlewares, readOnly }: AccountsData,
    routes = this.settings.routes,
  ) {
    const { settings } = this
    const own = ownProtocol(settings, this.#identify, known)
    const specified = specifiedProtocol(known)
    const login = routes.find(({ does }) => does === 'logIn') ?? SPECIFIED_LOGIN
    const dataAccounts: DataAccounts = {
      settings,
      protocolOf: (route: AccountRoute) => (isSpecified(route) ? specified : own),
      protocolOfToken: (claims) => (isOfSpecifiedLogin(claims) ? specified : own),
      findRoute: routeFinder(routes, authentication.contexts, data),
      sessions,
      authentication,
      access,
      known,
      signUp: makeSignUp({ settings, indexOf: this.#indexOf, known, store }),
    }
    return {
      steps: {
        ...accountSteps(dataAccounts, { waitsForMiddlewares, readOnly }),
        ...ownRecordSteps(dataAccounts),
      },
      /** Who somebody is, for a login that is no route of accounts. */
      ownProtocol: own,
      /** Gives a token to whoever a body names, by the first login of the application; undefined for nobody. */
      async tokenFor(request: HttpRequest): Promise<string | undefined> {
        const { identify, claimsFor } = dataAccounts.protocolOf(login)
        const { user } = await identify(request.body, request)
        return user && sessions.signTokens(claimsFor(user)).accessToken
      },
    }
  }
}
