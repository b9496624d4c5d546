#!/usr/bin/env node
import { existsSync } from 'node:fs'
import path from 'node:path'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import type { AccountOptions } from './lib/accounts/account-options'
import { refuseTakenPaths } from './lib/accounts/account-routes'
import { Accounts } from './lib/accounts/accounts'
import type { Sessions } from './lib/accounts/sessions'
import { Access } from './lib/auth/access'
import { randomSigningKey, signingKey } from './lib/auth/access-token'
import { ALL, readAllowed } from './lib/auth/allow-rules'
import { Authentication } from './lib/auth/authentication'
import { isFixed, isTaken, routesIn } from './lib/auth/built-in-route'
import { Contexts } from './lib/auth/contexts'
import { readLogins } from './lib/auth/credentials'
import { DATA_PATH, PAGE_PATH } from './lib/auth/paths'
import type { User } from './lib/auth/person-fields'
import { publishedKey } from './lib/auth/published-key'
import { unauthorizedPage } from './lib/auth/unauthorized-page'
import { loginUser, ownerOfToken } from './lib/auth/user-of-token'
import type { MadeServer } from './lib/cli/started'
import { madeFrom } from './lib/current'
import { DataSource, MemoryData } from './lib/data/data-source'
import { DEFAULTS } from './lib/defaults'
import { invalidToken, UnauthorizedError } from './lib/errors'
import { readAllowedHosts } from './lib/http/allowed-hosts'
import { catchRejections } from './lib/http/express/catch-rejections'
import { ownQuery } from './lib/http/express/own-query'
import { inOrder, type Steps } from './lib/http/express/steps'
import type { Handler } from './lib/http/handler'
import { NO_RULES } from './lib/http/rewrite-rules'
import { SANDBOX_HEADER } from './lib/http/sandbox-header'
import { leadsToResource } from './lib/json-server/addresses'
import { missingHints } from './lib/json-server/missing-hints'
import { Owner, type OwnerSender, Ownership } from './lib/json-server/owners/owner'
import { ownerFields, readOwnerRules } from './lib/json-server/owners/owner-rules'
import { queryHints } from './lib/json-server/query-hints'
import { Resources } from './lib/json-server/resources'
import { Routing } from './lib/json-server/routing'
import { type Only, requireKinds } from './lib/option-kinds'
import { APP_KINDS, type AppOptions, type ServerOptions } from './lib/options/app-options'
import type { Documentation } from './lib/options/docs/documentation'
import type { OpenidProvider } from './lib/options/openid/openid'
import type { CurrentSchemas } from './lib/options/schemas/schema-rules'
import { type TokenCheckOptions, tokenCheck } from './middlewares/bearer-token'
import { bodyAsQuery } from './middlewares/body-as-query'
import { cutTarget } from './middlewares/cut-target'
import { delay } from './middlewares/delay'
import { errorHandler } from './middlewares/error-handler'
import { gzip } from './middlewares/gzip'
import { localOnly } from './middlewares/local-only'
import { newestData } from './middlewares/newest-data'
import { noCache } from './middlewares/no-cache'
import { overrideMethod, varyByMethod } from './middlewares/override-method'
import { parseBody, parseMultipart } from './middlewares/parse-body'
import { describePublicReads, publicReads, publicReadsRoute } from './middlewares/public-reads'
import { readOnly } from './middlewares/read-only'
import { printRequest, requestLog } from './middlewares/request-log'
import { rewriting, showRules } from './middlewares/rewriter'
import {
  describeUserLookup,
  SAMPLE_LOOKUP_USERS,
  USER_LOOKUP,
  userLookup,
  userLookupErrors,
} from './middlewares/user-lookup'

export type { AccountOptions } from './lib/accounts/account-options'
export { type LoginOptions, login } from './lib/accounts/login'
export type { LoginIf } from './lib/accounts/login-if'
export type { Claims } from './lib/auth/access-token'
export { randomSigningKey, type SigningKey, signingKey } from './lib/auth/access-token'
export type { Credentials } from './lib/auth/credentials'
export type { LoginFields } from './lib/auth/person-fields'
export { DataFile } from './lib/data/data-file'
export { DataSource, type DataSourceOptions, MemoryData } from './lib/data/data-source'
export type { DataStorage } from './lib/data/data-storage'
export { FolderData, type FolderDataOptions } from './lib/data/folder-data'
export { PostgresData, type PostgresDataOptions } from './lib/data/postgresql-data'
export { type Data, DataError } from './lib/data/valid-data'
export { HttpError, UnauthorizedError } from './lib/errors'
export type { CurrentRules, RewriteRules } from './lib/http/rewrite-rules'
export { type Listening, type ListenOptions, listen } from './lib/http/server/listen'
export type { AppDatabase, AppDatabaseChain } from './lib/json-server/app-database'
export type { PublicCollection } from './lib/json-server/public-collection'
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
 * The whole server as an Express application that does not listen. A request goes through the steps below, in this order;
 * `listen` responds by itself to what is no HTTP.
 *
 * @throws TypeError when an option is of the wrong kind, the secret is empty, or a rewrite rule or one of
 *   `allow`, `allowedHosts`, `faults` or `schemas` cannot be used
 * @throws DataError when json-server could not serve the data
 */
export function createApp(options: AppOptions): Express {
  requireKinds(options, APP_KINDS)
  return makeServer(options).app
}

/** {@link createApp}, for the command line, which also says at the start what there is. */
function makeServer(options: ServerOptions): MadeServer {
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
    routes: rewriteRules = NO_RULES,
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
    private: privateCollections = [],
    owned = [],
    cascade = true,
    nested = middlewares.length === 0,
    delay: fixedDelay = 0,
    readOnly: isReadOnly = false,
    cors: allowOrigins = true,
    gzip: compress = true,
    log = true,
    ...accountOptions
  } = options
  accountOptions satisfies Only<AccountOptions, typeof accountOptions>

  // What the steps of all data share.
  const data = givenData instanceof DataSource ? givenData : new MemoryData(givenData)
  const hosts = readAllowedHosts(allowedHosts)
  const key = secret === undefined ? randomSigningKey() : signingKey(secret)
  const published = openid ? publishedKey(key) : undefined
  const keys = { secret: key, published }
  const accounts = new Accounts(accountOptions, {
    keys,
    lifetime: tokenLifetime,
    hasOtherLogin: openid,
    schemaRefusal,
  })
  const {
    routes: accountRoutes,
    tokenIn,
    tokenRefusal,
    loginUsers,
    fields,
    hasRefresh,
    loginConditions,
  } = accounts.settings
  const logins = readLogins(givenLogins).map((login) => loginUser(login, fields))
  const contexts = new Contexts()
  const authentication = new Authentication({ contexts, keys, clock, allowedHosts: hosts, tokenIn })
  const provider = published && lazyModules.openid().openidProvider({ contexts, hosts, issuer, published })
  // As in Express, one of them may be an array of others.
  const usersMiddlewares = middlewares.flat(Number.POSITIVE_INFINITY).map(catchRejections)
  const hasMiddlewares = usersMiddlewares.length > 0
  const ownerRules = readOwnerRules(
    { private: privateCollections, owned },
    { data: data.state, users: loginUsers, idProperty, foreignKeySuffix, publicCollection },
  )
  const hasOwners = ownerRules.size > 0
  const recordSchemas =
    schemas !== undefined || schemaRefusal !== undefined || timeStamps !== undefined || ids !== undefined
      ? lazyModules.schemas().currentSchemas({
          schemas,
          schemaRefusal,
          timeStamps,
          ids,
          idProperty,
          ownerFields: ownerFields(ownerRules),
        })
      : undefined

  // Its built-in routes, the rules that lead to others, and what needs no token by both.
  const pages = docs
    ? lazyModules.docs().documentationPages({ openid, hasOwnHome: () => hasOwnHome(folder) })
    : undefined
  const builtInRoutes = routesIn([
    // In the order in which the start shows them.
    publicCollection !== false && publicReadsRoute(publicCollection, () => data.state[publicCollection]),
    USER_LOOKUP,
    pages?.builtInRoutes,
    accounts.builtInRoutes(data),
    provider?.builtInRoutes,
  ])
  refuseTakenPaths(accountRoutes, builtInRoutes)
  const rewriter = rewriting(rewriteRules, {
    isFixed: (request) => isFixed(builtInRoutes, request),
    isUnknown: (path) =>
      !hasMiddlewares &&
      !leadsToResource(path, data.state) &&
      !builtInRoutes.some(({ hasPath }) => hasPath(path)),
  })
  const allowed = madeFrom(rewriteRules, () => readAllowed(allow, rewriter.lead))
  // What cannot be read is refused now, not with the first request.
  allowed()
  const access = new Access(authentication, allowed)

  // What options add for all data.
  const documented =
    pages &&
    lazyModules.docs().documentation(pages, {
      data,
      title: title ?? path.parse(data.files[0] ?? 'json-server-bearer').name,
      routes: rewriteRules,
      described: [
        accounts.describe({ logins, readOnly: isReadOnly }),
        ...(publicCollection === false ? [] : [describePublicReads(publicCollection, live)]),
        describeUserLookup,
      ],
      contexts,
      openid,
      publicCollection,
      allowed,
      readOnly: isReadOnly,
      sandboxHeader: sandboxes ? SANDBOX_HEADER : undefined,
      nested,
      severalAtOnce: !hasMiddlewares,
      idProperty,
      foreignKeySuffix,
      tokenRefusal,
      compress,
      describedSchemas: recordSchemas && (() => recordSchemas().described()),
      ownerRules,
      isHidden: (name, field) => name === loginUsers && fields.isHidden(field),
    })
  // Somebody reads why a request is refused: in the log, or on the page.
  const isWatched = log || documented !== undefined
  const reports = [...(log ? [printRequest()] : []), ...(documented ? [documented.report] : [])]
  const faultSteps =
    faults !== undefined || sandboxes
      ? lazyModules.faults().makeFaultSteps({
          contexts,
          rewrittenLine: rewriter.rewrittenLine,
          isAccount: accounts.matcher(data),
          builtInRoutes,
        })
      : undefined
  const home =
    allow === ALL &&
    lazyModules.homePage().homePage({
      isResource: (name) => Object.hasOwn(data.state, name),
      beforeFile: faultSteps?.answer,
      gzip: compress,
    })
  const hints = isWatched && {
    missingHint: missingHints({ accountRoutes, idProperty }),
    queryHint: queryHints({ hasMiddlewares, foreignKeySuffix }),
  }

  const shared: Shared = {
    accounts,
    logins,
    authentication,
    access,
    provider,
    routing: new Routing({
      foreignKeySuffix,
      access,
      nested,
      severalAtOnce: !hasMiddlewares,
      ...hints,
    }),
    ownership: hasOwners ? new Ownership(ownerRules, (user) => fields.withoutPasswords(user)) : undefined,
    recordSchemas,
    publicCollection,
    idProperty,
    foreignKeySuffix,
    cascade,
    rewrite: rewriteRules !== NO_RULES && rewriter.step,
    checkToken: {
      // A front end that reads another refusal may send its navigations here, too.
      pageFor: tokenRefusal ? undefined : unauthorizedPage({ docs }),
      tokenRefusal,
      isWatched,
    },
    isReadOnly,
    compress,
    showRequests: documented?.showRequests,
    showRules: rewriteRules !== NO_RULES && showRules(rewriteRules),
    usersMiddlewares,
    hasMiddlewares,
    // Beside a static folder, json-server has no home page: here it takes no path from rules or middlewares.
    lateHome: folder !== undefined && home,
    delay: delay(fixedDelay),
    chooseByBody: faultSteps?.chooseByBody,
    answerFault: faultSteps?.answer,
  }
  const main = partsFor(shared, {
    data,
    sessions: accounts.sessionsFor({ clock, isApart: hasOwners }),
    isLive: live,
  })
  const sandboxSteps =
    faultSteps && sandboxes
      ? lazyModules.sandboxes().makeSandboxSteps({
          data,
          authentication,
          access,
          faultSteps,
          rewrittenLine: rewriter.rewrittenLine,
          hasRefresh: hasRefresh || openid,
          hasOwners,
          tokenFor: main.tokenFor,
          clock,
          createServer({ data, name, clock: { now } }) {
            // The same id and name may be somebody else in another sandbox.
            const sessions = accounts.sessionsFor({
              clock: now,
              sandbox: name,
              isApart: hasOwners,
            })
            // A test must see the records that it has added.
            const parts = partsFor(shared, { data, sessions, isLive: true })
            const app = application(shared, parts, [ownQuery, ...furtherSteps(shared, parts)])
            return { sessions, tokenFor: parts.tokenFor, viewerOf: parts.viewerOf, app }
          },
        })
      : undefined

  const steps: Steps = [
    ownQuery,
    // An absolute target loses its scheme and authority, so that every step sees a path.
    cutTarget(),
    isWatched && requestLog(reports, { hasSandboxes: sandboxes }),
    // Another host gets nothing, not even the response to a preflight, or a file.
    allow === ALL && hosts !== 'all' && localOnly(docs ? ['/', PAGE_PATH, DATA_PATH] : ['/'], hosts),
    // A preflight carries no token, so it gets its response before any step asks for one.
    allowOrigins && cors({ origin: true, credentials: true }),
    noCache(),
    userLookupErrors(),
    // These come before all further steps, because faults act on the responses of each of them.
    sandboxes && main.openid?.noteSandbox,
    sandboxSteps?.findSandbox,
    faults !== undefined && faultSteps?.chooseForMain(faults),
    // The lookup and the page come before the rewriter: a rule such as /api/* must not hide them.
    userLookup({ users: lookupUsers }),
    documented?.page,
    // Files come before the rewriter, as in json-server: no rule leads to a file or away from one.
    folder !== undefined &&
      lazyModules.staticFiles().staticFiles({
        folder,
        privateFiles: [...data.files, ...privateFiles],
        isTaken: (request) => isTaken(builtInRoutes, request),
        beforeFile: faultSteps?.answer,
        gzip: compress,
      }),
    // Without a static folder, the home page is served as a file, ahead of rules, as in json-server.
    folder === undefined && home,
    // The application of a sandbox takes its requests from here: it has the further steps as well.
    sandboxSteps?.enterSandbox,
    ...furtherSteps(shared, main),
  ]
  const app = application(shared, main, steps)
  return { app, builtInRoutes, accountRoutes, fields, loginConditions, ownerRules, allowed }
}

/** Whether a static folder has a page for the root: a build may write it after the start. */
function hasOwnHome(folder: string | undefined): boolean {
  return folder !== undefined && existsSync(path.join(folder, 'index.html'))
}

/** What the applications of a server share: that of the main data, and that of each sandbox. */
interface Shared {
  readonly accounts: Accounts
  /** Those that are not in the data. */
  readonly logins: readonly User[]
  readonly authentication: Authentication
  readonly access: Access
  /** The provider of OpenID Connect; undefined without that option. */
  readonly provider: OpenidProvider | undefined
  readonly routing: Routing
  /** Whose records are whose; undefined where everything is everybody's. */
  readonly ownership: Ownership | undefined
  /** What records must be, as it is now; undefined where they can be anything. */
  readonly recordSchemas: CurrentSchemas | undefined
  readonly publicCollection: string | false
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly cascade: boolean
  readonly rewrite: Handler | false
  readonly checkToken: Pick<TokenCheckOptions, 'pageFor' | 'tokenRefusal' | 'isWatched'>
  readonly isReadOnly: boolean
  readonly compress: boolean
  /** Makes the step of the page that shows the requests; undefined without `--docs`. */
  readonly showRequests: Documentation['showRequests'] | undefined
  readonly showRules: Handler | false
  readonly usersMiddlewares: readonly (RequestHandler | ErrorRequestHandler)[]
  readonly hasMiddlewares: boolean
  /** json-server's home page, where it comes after rules and middlewares. */
  readonly lateHome: RequestHandler | false
  readonly delay: RequestHandler
  /** Chooses a fault rule that has waited for the body. */
  readonly chooseByBody: RequestHandler | undefined
  /** Answers by a fault rule that has waited for the token check. */
  readonly answerFault: RequestHandler | undefined
}

/** The data that an application is for. */
interface ApplicationData {
  readonly data: DataSource
  readonly sessions: Sessions
  /** Whether the public list shows changes. */
  readonly isLive: boolean
}

type DataParts = ReturnType<typeof partsFor>

const USER_IS_GONE = invalidToken('its user is not there any more, or has no records: log in again')

/** What the steps need of the data that they are for. */
function partsFor(shared: Shared, { data, sessions, isLive }: ApplicationData) {
  const { accounts, authentication, access, provider, logins, publicCollection, idProperty } = shared
  const { loginUsers } = accounts.settings
  const { foreignKeySuffix, cascade, routing, ownership, recordSchemas, isReadOnly, hasMiddlewares } = shared
  const known = accounts.knownIn(() => {
    const users = data.records('users')
    const ownUsers = loginUsers === 'users' ? users : data.records(loginUsers)
    return { users: users ?? [], loginUsers: ownUsers, logins, idProperty }
  })
  /** Who sends a request, for the records of single users. */
  const senderOf = (request: Request): OwnerSender => {
    const { claims, refusal = USER_IS_GONE } = authentication.tokenOf(request, sessions.ended)
    return {
      look: () => claims && ownerOfToken(claims, known()),
      unauthorized: () => new UnauthorizedError(refusal),
    }
  }
  const resources = new Resources({
    data,
    idProperty,
    foreignKeySuffix,
    cascade,
    access,
    sessionCheck: sessions.ended,
    routing,
    contexts: authentication.contexts,
    owners: ownership && { ownership, senderOf },
    recordRules:
      recordSchemas && ((sent) => recordSchemas().rulesFor(sent, () => sessions.nowInMilliseconds())),
    personRules: accounts.personRules(authentication.contexts, logins),
    onStored: accounts.peopleWatchers(() => sessions.nowInSeconds()),
  })
  const {
    steps: accountSteps,
    ownProtocol,
    tokenFor,
  } = accounts.stepsFor({
    data,
    sessions,
    authentication,
    access,
    known,
    store: (make, request) => resources.add(loginUsers, make, request),
    waitsForMiddlewares: (route) => hasMiddlewares && access.allows(route),
    readOnly: isReadOnly,
  })
  const reads =
    publicCollection !== false &&
    publicReads({
      collection: publicCollection,
      source: resources.collection(publicCollection),
      live: isLive,
      gzip: shared.compress,
      stream: resources.streamPublic(publicCollection),
    })
  const openid = provider?.stepsFor({ ...ownProtocol, known, sessions, authentication })
  const viewerOf = ownership && ((request: Request) => new Owner(ownership, senderOf(request)).key)
  const refuseChanges = isReadOnly && readOnly(accounts.matcher(data))
  return { data, sessions, resources, accountSteps, openid, reads, refuseChanges, tokenFor, viewerOf }
}

/** The steps that a sandbox has as well, up to the user's middlewares. */
function furtherSteps(shared: Shared, parts: DataParts): Steps {
  const { authentication, access, accounts } = shared
  const { data, sessions } = parts
  return [
    // They come before every check, which must see the path and the method that the router will see.
    shared.rewrite,
    overrideMethod(),
    // POST /auth/login, and what else needs no token.
    parts.accountSteps.logInOrOut,
    parts.openid?.respond,
    parts.reads,
    // Below this line, a request has a token, is one that --allow opens, or a sign-up.
    tokenCheck({
      authentication,
      access,
      accountRoutes: accounts.settings.routes,
      sessionCheck: sessions.ended,
      ...shared.checkToken,
    }),
    shared.showRequests?.({ access, sessionCheck: sessions.ended, viewerOf: parts.viewerOf }),
    // Every step from here on sees the record that the request is for.
    parts.accountSteps.ownRecord,
    // A sign-up is refused where it begins, and a change of the own record is one of a record by now.
    parts.refuseChanges,
    shared.compress && gzip({ mayBeFlushed: shared.hasMiddlewares }),
    shared.showRules,
    parseBody(),
    // A rule looks at the body as it was sent.
    shared.chooseByBody,
    shared.rewrite && bodyAsQuery(),
    parts.accountSteps.ownBody,
    shared.hasMiddlewares && newestData(data),
  ]
}

/** The application of some data: these steps, the user's middlewares, and the resources. */
function application(shared: Shared, parts: DataParts, steps: Steps): Express {
  const app = express().set('json spaces', 2).disable('x-powered-by')
  // json-server's CLI gives its database to the user's middlewares under this name.
  Object.defineProperty(app, 'db', { get: () => parts.resources.database })
  app.use(inOrder(steps))
  // The user's own middlewares see the same requests as in json-server, and are not delayed. One may be an
  // Express application, which `inOrder` cannot call.
  for (const middleware of shared.usersMiddlewares) app.use(middleware)
  const { hasMiddlewares } = shared
  const lastSteps: Steps = [
    // One of them may have given a POST another method, which json-server's router follows.
    hasMiddlewares && overrideMethod(),
    hasMiddlewares && parts.refuseChanges,
    shared.lateHome,
    // Where the login is allowed, one of them may have responded to it. It is no resource, so it is not delayed.
    parts.accountSteps.logInAfterMiddlewares,
    varyByMethod(),
    shared.delay,
    // It comes after the user's own middlewares, which may respond to the same path, or refuse a field of a sign-up.
    parts.accountSteps.signUpOrSayWho,
    // One of them may want the stream, to store a file.
    parseMultipart(),
    parts.accountSteps.ownForm,
    // It comes after all that responds itself to those who log in, and in place of the resources.
    shared.answerFault,
    parts.resources.handle,
  ]
  return app.use(inOrder(lastSteps), errorHandler())
}

// This file is also the command of the package.
if (require.main === module) lazyModules.commandLine().run(makeServer)
