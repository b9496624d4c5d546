#!/usr/bin/env node
import path from 'node:path'
import cors from 'cors'
import express, { type Express } from 'express'
import { isWhoAmITaken, PAGE_PATH } from './lib/auth/access-policy'
import { randomSigningKey, signingKey } from './lib/auth/access-token'
import { SPECIFIED_WHO_AM_I } from './lib/auth/account-route'
import { ALL, isAllowed, readAllowed } from './lib/auth/allow-rules'
import { Contexts } from './lib/auth/contexts'
import { loginPage } from './lib/auth/login-page'
import { describedBy, isFixed, isTaken, type Service, servicesOf } from './lib/auth/service'
import { loginUser } from './lib/auth/user-of-token'
import { Visitors } from './lib/auth/visitors'
import { currentOf } from './lib/current'
import { DataSource, MemoryData } from './lib/data/data-source'
import { DEFAULTS } from './lib/defaults'
import { readAllowedHosts } from './lib/http/allowed-hosts'
import { catchRejections } from './lib/http/express/catch-rejections'
import { ownQuery } from './lib/http/express/own-query'
import { inOrder, type Steps } from './lib/http/express/steps'
import { NO_RULES, prefixOf } from './lib/http/rewrite-rules'
import { leadsToResource } from './lib/json-server/addresses'
import { missingHints } from './lib/json-server/missing-hints'
import { queryHints } from './lib/json-server/query-hints'
import { Resources } from './lib/json-server/resources'
import { Routing } from './lib/json-server/routing'
import { type Only, requireKinds } from './lib/option-kinds'
import type { AccountOptions } from './lib/options/accounts/account-options'
import { accountMatcher } from './lib/options/accounts/account-routes'
import { readAccounts } from './lib/options/accounts/accounts'
import type { Sessions } from './lib/options/accounts/sessions'
import type { AppOptions, ServerOptions } from './lib/options/app-options'
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
import { SAMPLE_LOOKUP_USERS, userLookup, userLookupErrors } from './middlewares/user-lookup'

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
export type { AppOptions, LookupUser } from './lib/options/app-options'
export type { CurrentFaults, FaultRule } from './lib/options/faults/fault-rule'
export type { Schemas } from './lib/options/schemas/compile'
export { type BearerTokenOptions, bearerToken } from './middlewares/bearer-token'
export { errorHandler } from './middlewares/error-handler'
export { type PublicReadsOptions, publicReads } from './middlewares/public-reads'
export { rewriter, showRules } from './middlewares/rewriter'
export { type UserLookupOptions, userLookup } from './middlewares/user-lookup'

/** Modules that are loaded only where an option asks for them. Loading takes most of the time of a start. */
const lazyModules = {
  commandLine: (): typeof import('./lib/cli/run') => require('./lib/cli/run'),
  docs: (): typeof import('./lib/options/docs/documentation') => require('./lib/options/docs/documentation'),
  faults: (): typeof import('./lib/options/faults/fault-steps') =>
    require('./lib/options/faults/fault-steps'),
  openid: (): typeof import('./lib/options/openid/openid') => require('./lib/options/openid/openid'),
  schemas: (): typeof import('./lib/options/schemas/schema-rules') =>
    require('./lib/options/schemas/schema-rules'),
  homePage: (): typeof import('./middlewares/home-page') => require('./middlewares/home-page'),
  sandboxes: (): typeof import('./lib/options/sandboxes/sandbox-steps') =>
    require('./lib/options/sandboxes/sandbox-steps'),
  staticFiles: (): typeof import('./middlewares/static-files') => require('./middlewares/static-files'),
}

/**
 * The whole server as an Express application that does not listen. A request goes through the steps below, in
 * this order.
 *
 * @throws TypeError when an option is of the wrong kind, the secret is empty, or a rewrite rule or one of
 *   `allow`, `allowedHosts`, `faults` or `schemas` cannot be used
 * @throws DataError when json-server could not serve the data
 */
export function createApp(options: AppOptions): Express {
  requireKinds<Required<AppOptions>>(options)
  return makeServer(options).app
}

/** An application, and what its services say of themselves. */
interface Server {
  app: Express
  services: readonly Service[]
}

/** What a server is for: the main data, or that of a sandbox. */
interface Served {
  data: DataSource
  sessions: Sessions
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Whether the public list shows changes. */
  isLive: boolean
}

/** {@link createApp}, for the command line, which also says at the start which services there are. */
function makeServer(options: ServerOptions): Server {
  // Options get their defaults here, once: every step receives all of its values.
  const {
    data: givenData,
    secret,
    logins: givenLogins = [],
    tokenLifetime = DEFAULTS.tokenLifetime,
    clock = Date.now,
    allow = [],
    allowedHosts = [],
    publicCollection = allow === ALL ? false : DEFAULTS.publicCollection,
    live = false,
    routes = NO_RULES,
    lookupUsers = SAMPLE_LOOKUP_USERS,
    openid = false,
    issuer,
    docs = false,
    title,
    sandboxes = false,
    faults,
    schemas,
    schemaRefusal,
    timeStamps,
    ids,
    static: folder,
    privateFiles = [],
    middlewares = [],
    idProperty = DEFAULTS.idProperty,
    foreignKeySuffix = DEFAULTS.foreignKeySuffix,
    cascade = true,
    nested = middlewares.length === 0,
    delay: fixedDelay = 0,
    readOnly: refuseChanges = false,
    cors: allowOrigins = true,
    gzip: compress = true,
    log = true,
    ...accountOptions
  } = options
  accountOptions satisfies Only<AccountOptions, typeof accountOptions>

  const mainData = givenData instanceof DataSource ? givenData : new MemoryData(givenData)
  const allowed = readAllowed(allow)
  const hosts = readAllowedHosts(allowedHosts)
  const logins = givenLogins.map(loginUser)
  const key = secret === undefined ? randomSigningKey() : signingKey(secret)
  const accounts = readAccounts(accountOptions, { key, lifetime: tokenLifetime, hasOtherLogin: openid })
  const { hasRefresh, loginUsers, tokenIn, tokenRefusalBody: refusalBody } = accounts.settings
  const isAccount = accountMatcher(accountOptions)
  const contexts = new Contexts()
  const visitors = new Visitors({
    contexts,
    key,
    clock,
    allowed,
    allowedHosts: hosts,
    tokenIn,
    refusalBody,
  })
  // As in Express, one of them may be an array of others.
  const usersMiddlewares = middlewares.flat(Number.POSITIVE_INFINITY).map(catchRejections)
  const hasMiddlewares = usersMiddlewares.length > 0
  const missingHint = missingHints({ accounts: accounts.routes, rules: routes, idProperty })
  const queryHint = queryHints({ hasMiddlewares, foreignKeySuffix })
  const routing = new Routing({ foreignKeySuffix, visitors, nested, missingHint, queryHint })

  const recordSchemas =
    schemas !== undefined || schemaRefusal !== undefined || timeStamps !== undefined || ids !== undefined
      ? lazyModules.schemas().currentSchemas({ schemas, schemaRefusal, timeStamps, ids, idProperty })
      : undefined
  const provider = openid ? lazyModules.openid().openidProvider({ contexts, hosts, issuer }) : undefined

  // The steps that are services, and then those that must know of all services.
  const main = partsFor({ data: mainData, sessions: accounts.sessionsFor(clock), clock, isLive: live })
  const lookup = userLookup({ users: lookupUsers })
  const page =
    docs &&
    lazyModules.docs().documentation({
      data: mainData,
      title: title ?? path.parse(mainData.files[0] ?? 'json-server-bearer').name,
      prefix: prefixOf(currentOf(routes)),
      described: describedBy([main.early, main.reads, lookup]),
      openid,
      publicCollection,
      allowed,
      readOnly: refuseChanges,
      sandboxes,
      nested,
      idProperty,
      foreignKeySuffix,
      refusalBody,
      compress,
      describedSchemas: recordSchemas && (() => recordSchemas().described()),
    })
  const services = servicesOf([lookup, page, main.early, main.openid, main.reads, main.late])
  const rewriter = rewriting(routes, {
    isFixed: (request) => isFixed(services, request),
    isUnknown: (path) =>
      !hasMiddlewares &&
      !leadsToResource(path, mainData.state) &&
      !services.some(({ hasPath }) => hasPath(path)),
  })
  const rewrittenPath = rewriter.pathOf
  const faultSteps =
    faults !== undefined || sandboxes
      ? lazyModules.faults().makeFaultSteps({ contexts, rewrittenPath, isAccount, services })
      : undefined
  const home =
    allowed === ALL &&
    lazyModules.homePage().homePage({
      isResource: (name) => Object.hasOwn(mainData.state, name),
      beforeFile: faultSteps?.answer,
      gzip: compress,
    })
  const sandboxSteps =
    faultSteps && sandboxes
      ? lazyModules.sandboxes().makeSandboxSteps({
          data: mainData,
          contexts,
          visitors,
          rules: faultSteps,
          rewrittenPath,
          hasRefresh: hasRefresh || openid,
          accounts: accounts.routes,
          clock,
          createServer({ data, name, clock: { now } }) {
            const sessions = accounts.sessionsFor(now, { sandbox: name })
            // A test must see the records that it has added.
            const parts = partsFor({ data, sessions, clock: now, isLive: true })
            return { sessions, app: application([ownQuery, ...furtherSteps(parts)], parts) }
          },
        })
      : undefined

  const steps: Steps = [
    ownQuery,
    // An absolute target loses its scheme and authority, so that every step sees a path.
    cutTarget(),
    log && requestLog(),
    // It comes before every step that responds, even to a preflight or with a file.
    allowed === ALL && hosts !== 'all' && localOnly(docs ? ['/', PAGE_PATH] : ['/'], hosts),
    // A preflight carries no token, so it gets its response before any step asks for one.
    allowOrigins && cors({ origin: true, credentials: true }),
    noCache(),
    // These come before all further steps, because faults act on every response.
    sandboxes && main.noteSandbox,
    sandboxSteps?.findSandbox,
    faults !== undefined && faultSteps?.chooseForMain(faults),
    // The lookup and the page come before the rewriter: a rule such as /api/* must not hide them.
    lookup,
    page,
    // Files come before the rewriter, as in json-server: no rule leads to a file or away from one.
    folder !== undefined &&
      lazyModules.staticFiles().staticFiles({
        folder,
        privateFiles: [...mainData.files, ...privateFiles],
        isTaken: (request) => isTaken(services, request),
        beforeFile: faultSteps?.answer,
        gzip: compress,
      }),
    // Without a static folder, the home page is served as a file, ahead of rules, as in json-server.
    folder === undefined && home,
    // The application of a sandbox takes its requests from here: it has the further steps as well.
    sandboxSteps?.enterSandbox,
    ...furtherSteps(main),
  ]
  return { app: application(steps, main), services }

  /** What the steps need of the data that they are for. */
  function partsFor({ data, sessions, clock: now, isLive }: Served) {
    const resources = new Resources({
      data,
      idProperty,
      foreignKeySuffix,
      cascade,
      visitors,
      sessions,
      routing,
      onReplaced: accounts.sawReplaced,
      recordRules: recordSchemas && ((sent) => recordSchemas().rulesFor(sent, now)),
    })
    const { people, ...accountSteps } = accounts.stepsFor({
      sessions,
      visitors,
      people: () => ({
        users: resources.records('users') ?? [],
        loginUsers: resources.records(loginUsers),
        logins,
        idProperty,
      }),
      store: (make, request) => resources.add(loginUsers, make, request),
      isLate: ({ method, path }) => isAllowed(allowed, method, path),
      // The path of the specified one then belongs to that resource.
      isLeftOut: (route) => route === SPECIFIED_WHO_AM_I && isWhoAmITaken(data.state),
      readOnly: refuseChanges,
      describe: accounts.describe({ logins, readOnly: refuseChanges }),
    })
    const reads =
      publicCollection !== false &&
      publicReads({
        collection: publicCollection,
        source: resources.collection(publicCollection),
        live: isLive,
        gzip: compress,
        stream: resources.streamPublic(publicCollection),
      })
    const openidSteps = provider?.stepsFor({ ...people, sessions, visitors })
    return { data, sessions, resources, ...accountSteps, ...openidSteps, reads }
  }

  /** The steps that a sandbox has as well, up to the user's middlewares. */
  function furtherSteps({ data, sessions, early, openid, ownRecord, ownBody, reads }: Parts): Steps {
    return [
      // They come before every check, which must see the path and the method that the router will see.
      routes !== NO_RULES && rewriter.step,
      overrideMethod(),
      early,
      openid,
      reads,
      // Below this line, a request has a token or is one that --allow opens.
      tokenCheck({ visitors, accounts: accounts.routes, sessions, pageFor: loginPage({ docs }) }),
      // Every step from here on sees the record that the request is for.
      ownRecord,
      // A sign-up is refused where it begins: no other account's route changes anything.
      refuseChanges && readOnly(isAccount),
      compress && gzip(),
      routes !== NO_RULES && showRules(routes),
      parseBody(),
      ownBody,
      hasMiddlewares && newestData(data),
    ]
  }

  /** The application of some data: these steps, the user's middlewares, and the resources. */
  function application(steps: Steps, { resources, allowedAccounts, late, storedPassword }: Parts): Express {
    const app = express().set('json spaces', 2).disable('x-powered-by')
    // json-server's CLI gives its database to the user's middlewares under this name.
    Object.defineProperty(app, 'db', { get: () => resources.database })
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
      // Where the login is allowed, one of them may have responded to it. It is no resource, so it is not delayed.
      allowedAccounts,
      varyByMethod(),
      delay(fixedDelay),
      // It comes after the user's own middlewares, which may respond to the same path, or refuse a field of a sign-up.
      late,
      storedPassword,
      // It comes after all that responds itself to those who log in, and in place of the resources.
      faultSteps?.answer,
      resources.handle,
    ]
    return app.use(inOrder(lastSteps), userLookupErrors(), errorHandler())
  }

  type Parts = ReturnType<typeof partsFor>
}

// This file is also the command of the package.
if (require.main === module) lazyModules.commandLine().run(makeServer)
