#!/usr/bin/env node
import path from 'node:path'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { isWhoAmITaken, PAGE_PATH } from './lib/auth/access-policy'
import { randomSigningKey, type SigningKey, signingKey } from './lib/auth/access-token'
import { SPECIFIED_WHO_AM_I } from './lib/auth/account-route'
import { ALL, type Allow, type Allowed, isAllowed, readAllowed } from './lib/auth/allow-rules'
import type { Credentials } from './lib/auth/credentials'
import { loginPage } from './lib/auth/login-page'
import { isFixed, isTaken, type Service, servicesOf } from './lib/auth/service'
import { loginUser } from './lib/auth/user-of-token'
import { Visitors } from './lib/auth/visitors'
import type { StartOptions } from './lib/cli/run'
import { DataSource, MemoryData } from './lib/data/data-source'
import type { Data } from './lib/data/valid-data'
import { DEFAULTS } from './lib/defaults'
import { type AllowedHosts, readAllowedHosts } from './lib/http/allowed-hosts'
import { catchRejections } from './lib/http/express/catch-rejections'
import { ownQuery } from './lib/http/express/own-query'
import { inOrder, type Steps } from './lib/http/express/steps'
import { type CurrentRules, NO_RULES } from './lib/http/rewrite-rules'
import { leadsToResource } from './lib/json-server/addresses'
import { missingHints } from './lib/json-server/missing-hints'
import { queryHints } from './lib/json-server/query-hints'
import { Resources } from './lib/json-server/resources'
import { Routing } from './lib/json-server/routing'
import { requireKinds } from './lib/option-kinds'
import type { AccountOptions } from './lib/options/accounts/account-options'
import { accountMatcher } from './lib/options/accounts/account-routes'
import { readAccounts } from './lib/options/accounts/accounts'
import type { Sessions } from './lib/options/accounts/sessions'
import type { CurrentFaults } from './lib/options/faults/fault-rule'
import { tokenCheck } from './middlewares/bearer-token'
import { cutTarget } from './middlewares/cut-target'
import { delay } from './middlewares/delay'
import { errorHandler } from './middlewares/error-handler'
import { gzip } from './middlewares/gzip'
import { localOnly } from './middlewares/local-only'
import { newestData } from './middlewares/newest-data'
import { noCache } from './middlewares/no-cache'
import { overrideMethod, varyByMethod } from './middlewares/override-method'
import { parseBody } from './middlewares/parse-body'
import { publicReads } from './middlewares/public-reads'
import { readOnly } from './middlewares/read-only'
import { requestLog } from './middlewares/request-log'
import { rewriting, showRules } from './middlewares/rewriter'
import { type LookupUser, SAMPLE_LOOKUP_USERS, userLookup, userLookupErrors } from './middlewares/user-lookup'

export type { Claims } from './lib/auth/access-token'
export { randomSigningKey, type SigningKey, signingKey } from './lib/auth/access-token'
export type { Credentials } from './lib/auth/credentials'
export type { LoginFields } from './lib/auth/person-fields'
export { DataFile } from './lib/data/data-file'
export { DataSource, type DataSourceOptions, MemoryData } from './lib/data/data-source'
export { FolderData, type FolderDataOptions } from './lib/data/folder-data'
export { PostgresData, type PostgresDataOptions } from './lib/data/postgresql-data'
export { type Data, DataError } from './lib/data/valid-data'
export { HttpError, UnauthorizedError } from './lib/errors'
export type { CurrentRules, RewriteRules } from './lib/http/rewrite-rules'
export { type Listening, type ListenOptions, listen } from './lib/http/server/listen'
export type { PublicCollection } from './lib/json-server/public-collection'
export type { AccountOptions } from './lib/options/accounts/account-options'
export { type LoginOptions, login } from './lib/options/accounts/accounts'
export type { CurrentFaults, FaultRule } from './lib/options/faults/fault-rule'
export { type BearerTokenOptions, bearerToken } from './middlewares/bearer-token'
export { errorHandler } from './middlewares/error-handler'
export { type PublicReadsOptions, publicReads } from './middlewares/public-reads'
export { rewriter, showRules } from './middlewares/rewriter'
export { type LookupUser, type UserLookupOptions, userLookup } from './middlewares/user-lookup'

export interface AppOptions extends AccountOptions {
  /** The collections: in memory, or a source such as a `DataFile`. */
  data: Data | DataSource
  /** Signs the tokens. Default: a random secret, which ends all sessions with the process. */
  secret?: SigningKey
  /** Logins besides the users in the data; no route shows them. Default: none. */
  logins?: readonly Credentials[]
  /** Seconds that a token lasts. Default: 3,600. */
  tokenLifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
  /** The publicly readable collection, or false for none. Default: `blogs`; none where all is allowed. */
  publicCollection?: string | false
  /** Whether the public list shows changes made since the data was loaded. Default: false. */
  live?: boolean
  /**
   * Rewrite rules as in json-server's `routes.json`, or a function that returns the current ones. Default:
   * none.
   */
  routes?: CurrentRules
  /** The records of the user lookup service. Default: three sample users. */
  lookupUsers?: readonly LookupUser[]
  /** Serves an OpenAPI document and a page to read it, without a token. Default: false. */
  docs?: boolean
  /** The title of that document and page. Default: the name of the data's file, or `json-server-bearer`. */
  title?: string
  /**
   * Gives separate data to every test or visitor that names a sandbox: see docs/testing.md. Default: false.
   */
  sandboxes?: boolean
  /**
   * Requests that need no token: a method and a path of literal segments, of which the last may be `:id`,
   * such as `POST /users`. Default: none. With `all`, no request needs one. Then a server that is bound to a
   * loopback address refuses web pages of other sites; one that is bound to another address, as by
   * `app.listen(port)`, does not.
   */
  allow?: Allow
  /**
   * With `allow: 'all'` on a loopback address: the hosts and origins that are taken for localhost, such as
   * `10.0.2.2`, `.test` with all names below it, or `chrome-extension://abc`. With `all`, none is refused, for
   * a server behind a bridge that everybody may use. Default: none.
   */
  allowedHosts?: AllowedHosts
  /**
   * Rules by which requests of the main data fail, wait or get answers, or a function that returns the current
   * ones: see docs/testing.md. Changed rules restart their counts. Default: none.
   */
  faults?: CurrentFaults
  /** A folder that is served publicly. Default: none. */
  static?: string
  /**
   * Paths of files that are never served from it, like the data's own files, and files named after either.
   * Default: none.
   */
  privateFiles?: readonly string[]
  /** Middlewares between the token check and the router. Default: none. */
  middlewares?: readonly RequestHandler[]
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** What ends the name of a foreign key. Default: `Id`. */
  foreignKeySuffix?: string
  /** Whether a DELETE also removes the records that refer to the one that it names. Default: true. */
  cascade?: boolean
  /** Milliseconds by which every request to the resources is delayed. Default: 0. */
  delay?: number
  /** Refuses every change. Default: false. */
  readOnly?: boolean
  /** Responds to preflights and allows every origin. Default: true. */
  cors?: boolean
  /** Compresses responses. Default: true. */
  gzip?: boolean
  /** Logs a line for each request. Default: true. */
  log?: boolean
}

/** Modules that are loaded only where an option asks for them. Loading takes most of the time of a start. */
const lazyModules = {
  commandLine: (): typeof import('./lib/cli/run') => require('./lib/cli/run'),
  docs: (): typeof import('./lib/options/docs/documentation') => require('./lib/options/docs/documentation'),
  faults: (): typeof import('./lib/options/faults/fault-steps') =>
    require('./lib/options/faults/fault-steps'),
  homePage: (): typeof import('./middlewares/home-page') => require('./middlewares/home-page'),
  sandboxes: (): typeof import('./lib/options/sandboxes/sandbox-steps') =>
    require('./lib/options/sandboxes/sandbox-steps'),
  staticFiles: (): typeof import('./middlewares/static-files') => require('./middlewares/static-files'),
}

/**
 * The whole server as an Express application that does not listen. A request goes through the steps below, in
 * this order. Options get their defaults here, once: every step receives all of its values.
 *
 * @throws TypeError when an option is of the wrong kind, the secret is empty, or a rewrite rule or one of
 *   `allow`, `allowedHosts` or `faults` cannot be used
 * @throws DataError when json-server could not serve the data
 */
export function createApp(options: AppOptions): Express {
  requireKinds<Required<AppOptions>>(options)
  const { allow = [], ...others } = options
  return makeServer({ ...others, allowed: readAllowed(allow) }).app
}

/** Those of {@link createApp}, with the rules of `allow` as they are read. */
interface ServerOptions extends Omit<AppOptions, 'allow' | 'middlewares'> {
  allowed: Allowed
  /** One with four parameters takes errors. */
  middlewares?: readonly (RequestHandler | ErrorRequestHandler)[]
}

/** An application, and what its services say of themselves. */
interface Server {
  app: Express
  services: readonly Service[]
}

/** What a server is for: the main data, or a sandbox, which has a name. */
interface Served {
  data: DataSource
  name?: string
  /** Its time, in milliseconds since the epoch. */
  clock: () => number
  sessions: Sessions
}

/** {@link createApp}, for the command line, which also says at the start which services there are. */
function makeServer(options: ServerOptions): Server {
  const {
    data: givenData,
    secret,
    logins: givenLogins = [],
    tokenLifetime = DEFAULTS.tokenLifetime,
    clock = Date.now,
    live = false,
    routes = NO_RULES,
    lookupUsers = SAMPLE_LOOKUP_USERS,
    docs = false,
    title,
    sandboxes = false,
    allowed,
    allowedHosts = [],
    publicCollection = allowed === ALL ? false : DEFAULTS.publicCollection,
    faults,
    static: folder,
    privateFiles = [],
    middlewares = [],
    idProperty = DEFAULTS.idProperty,
    foreignKeySuffix = DEFAULTS.foreignKeySuffix,
    cascade = true,
    delay: fixedDelay = 0,
    readOnly: refuseChanges = false,
    cors: allowOrigins = true,
    gzip: compress = true,
    log = true,
    // Each other option is one of logins.
    ...accountOptions
  } = options
  const { tokenIn } = accountOptions

  const mainData = givenData instanceof DataSource ? givenData : new MemoryData(givenData)
  const hosts = readAllowedHosts(allowedHosts)
  const logins = givenLogins.map(loginUser)
  const key = secret === undefined ? randomSigningKey() : signingKey(secret)
  const accounts = readAccounts(accountOptions, { key, lifetime: tokenLifetime })
  const isAccount = accountMatcher(accountOptions)
  const refusalBody = accounts.settings.tokenRefusalBody
  const visitors = new Visitors({ key, clock, allowed, allowedHosts: hosts, tokenIn, refusalBody })
  // As in Express, one of them may be an array of others.
  const usersMiddlewares = middlewares.flat(Number.POSITIVE_INFINITY).map(catchRejections)
  const hasMiddlewares = usersMiddlewares.length > 0
  const missingHint = missingHints({ accounts: accounts.routes, rules: routes, idProperty })
  const queryHint = queryHints({ hasMiddlewares, foreignKeySuffix })
  const routing = new Routing({ foreignKeySuffix, visitors, missingHint, queryHint })

  const services = () => server.services
  const rewriter = rewriting(routes, {
    isFixed: (request) => isFixed(services(), request),
    isUnknown: (path) =>
      !hasMiddlewares &&
      !leadsToResource(path, mainData.state) &&
      !services().some(({ hasPath }) => hasPath(path)),
  })
  const faultSteps =
    faults !== undefined || sandboxes
      ? lazyModules.faults().makeFaultSteps({
          contexts: visitors.contexts,
          rewrittenPath: rewriter.pathOf,
          isAccount,
          services,
        })
      : undefined
  const sandboxSteps =
    faultSteps && sandboxes
      ? lazyModules.sandboxes().makeSandboxSteps({
          data: mainData,
          visitors,
          rules: faultSteps,
          rewrittenPath: rewriter.pathOf,
          hasRefresh: accounts.settings.hasRefresh,
          accounts: accounts.routes,
          clock,
          createServer: ({ data, name, clock: { now } }) => {
            const sessions = accounts.sessionsFor(now, { sandbox: name })
            return { app: serverFor({ data, name, clock: now, sessions }).app, sessions }
          },
        })
      : undefined
  const home =
    allowed === ALL &&
    lazyModules.homePage().homePage({
      isResource: (name) => Object.hasOwn(mainData.state, name),
      beforeFile: faultSteps?.answer,
      gzip: compress,
    })
  const page =
    docs &&
    lazyModules.docs().documentation({
      data: mainData,
      title: title ?? path.parse(mainData.files[0] ?? 'json-server-bearer').name,
      accounts: accounts.routes,
      publicCollection,
      live,
      allowed,
      readOnly: refuseChanges,
      sandboxes,
      idProperty,
      foreignKeySuffix,
      logins,
      loginUsers: accounts.settings.loginUsers,
      personFields: accounts.settings.fields,
      refusalBody,
      compress,
    })

  const server = serverFor({ data: mainData, clock, sessions: accounts.sessionsFor(clock) })
  return server

  /** What the steps need of the data that they are for. */
  function partsFor({ data, name, sessions }: Served) {
    const { loginUsers, former } = accounts.settings
    const resources = new Resources({
      data,
      idProperty,
      foreignKeySuffix,
      cascade,
      routing,
      onReplaced(collection, record, replacement) {
        if (collection === 'users' || collection === loginUsers) former.sawReplaced(record, replacement)
      },
    })
    const accountSteps = accounts.stepsFor({
      sessions,
      visitors,
      people: () => ({
        users: resources.records('users') ?? [],
        loginUsers: resources.records(loginUsers),
        logins,
        idProperty,
      }),
      store: (make) => resources.add(loginUsers, make),
      isLate: ({ method, path }) => isAllowed(allowed, method, path),
      // The path of the specified one then belongs to that resource.
      isLeftOut: (route) => route === SPECIFIED_WHO_AM_I && isWhoAmITaken(data.state),
      readOnly: refuseChanges,
    })
    const reads =
      publicCollection !== false &&
      publicReads({
        collection: publicCollection,
        source: resources.collection(publicCollection),
        // A test must see the records that it has added.
        live: live || name !== undefined,
        gzip: compress,
      })
    return { resources, ...accountSteps, reads }
  }

  /** The first steps of a request, up to where the application of a sandbox takes those for it. */
  function firstSteps(): Steps {
    return [
      // An absolute target loses its scheme and authority, so that every step sees a path.
      cutTarget(),
      log && requestLog(),
      // It comes before every step that responds, even to a preflight or with a file.
      allowed === ALL && hosts !== 'all' && localOnly(docs ? ['/', PAGE_PATH] : ['/'], hosts),
      // A preflight carries no token, so it gets its response before any step asks for one.
      allowOrigins && cors({ origin: true, credentials: true }),
      noCache(),
      // These come before all further steps, because faults act on every response.
      sandboxSteps?.findSandbox,
      faults !== undefined &&
        faultSteps?.chooseForMain(faults, (request) => sandboxSteps?.isInSandbox(request) ?? false),
      // The lookup and the page come before the rewriter: a rule such as /api/* must not hide them.
      userLookup({ users: lookupUsers }),
      page,
      // Files come before the rewriter, as in json-server: no rule leads to a file or away from one.
      folder !== undefined &&
        lazyModules.staticFiles().staticFiles({
          folder,
          privateFiles: [...mainData.files, ...privateFiles],
          isTaken: (request) => isTaken(services(), request),
          beforeFile: faultSteps?.answer,
          gzip: compress,
        }),
      // Without a static folder, the home page is served as a file, ahead of rules, as in json-server.
      folder === undefined && home,
      // The application of a sandbox takes its requests from here: it has the further steps as well.
      sandboxSteps?.enterSandbox,
    ]
  }

  /** The application with all steps for the main data, and with those after the first ones for a sandbox. */
  function serverFor(served: Served): Server {
    const { data, name, sessions } = served
    const { resources, early, late, becomeRecord, unwrapBody, storedPassword, reads } = partsFor(served)
    const app = express().set('json spaces', 2).disable('x-powered-by')
    // json-server's CLI gives its database to the user's middlewares under this name.
    Object.defineProperty(app, 'db', { get: () => resources.database })
    const steps: Steps = [
      ownQuery,
      ...(name === undefined ? firstSteps() : []),
      // They come before every check, which must see the path and the method that the router will see.
      routes !== NO_RULES && rewriter.step,
      overrideMethod(),
      early,
      reads,
      // Below this line, a request has a token or is one that --allow opens.
      tokenCheck({ visitors, accounts: accounts.routes, sessions, pageFor: loginPage({ docs }) }),
      // Every step from here on sees the record that the request is for.
      becomeRecord,
      // A sign-up is refused where it begins: no other account's route changes anything.
      refuseChanges && readOnly(isAccount),
      compress && gzip(),
      routes !== NO_RULES && showRules(routes),
      parseBody(),
      unwrapBody,
      hasMiddlewares && newestData(data),
    ]
    app.use(inOrder(steps))
    // The user's own middlewares see the same requests as in json-server, and are not delayed. One may be an
    // Express application, which `inOrder` cannot call.
    for (const middleware of usersMiddlewares) app.use(middleware)
    const lastSteps: Steps = [
      // One of them may have given a POST another method, which json-server's router follows.
      hasMiddlewares && overrideMethod(),
      hasMiddlewares && refuseChanges && readOnly(isAccount),
      // Beside a static folder, json-server has no home page: here it takes no path from rules or
      // middlewares.
      folder !== undefined && home,
      varyByMethod(),
      delay(fixedDelay),
      // It comes after the user's own middlewares, which may respond to the same path, or refuse a field of a sign-up.
      late,
      storedPassword,
      // It comes after all that responds itself to those who log in, and in place of the resources.
      faultSteps?.answer,
      resources.handle,
    ]
    app.use(inOrder(lastSteps), userLookupErrors(), errorHandler())
    return { app, services: servicesOf([...steps, ...lastSteps]) }
  }
}

// This file is also the command of the package. A setting that is no option of `createApp` does not compile.
if (require.main === module)
  lazyModules.commandLine().run((options: Pick<ServerOptions, keyof StartOptions>) => makeServer(options))
