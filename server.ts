#!/usr/bin/env node
import cors from 'cors'
import express, { type Express, type RequestHandler } from 'express'
import { isOfServices } from './lib/auth/access-policy'
import { randomSigningKey, type SigningKey, signingKey } from './lib/auth/access-token'
import type { Credentials } from './lib/auth/credentials'
import { run } from './lib/cli/run'
import { type Data, DataSource, MemoryData } from './lib/data/data-source'
import { DEFAULTS } from './lib/defaults'
import { catchRejections } from './lib/http/catch-rejections'
import type { HttpRequest } from './lib/http/handler'
import { inOrder } from './lib/http/in-order'
import type { CurrentRules } from './lib/http/rewrite-rules'
import { Resources } from './lib/json-server/resources'
import { bearerToken } from './middlewares/bearer-token'
import { delay } from './middlewares/delay'
import { enterSandbox } from './middlewares/enter-sandbox'
import { errorHandler } from './middlewares/error-handler'
import { gzip } from './middlewares/gzip'
import { login } from './middlewares/login'
import { methodOverride } from './middlewares/method-override'
import { noCache } from './middlewares/no-cache'
import { parseBody } from './middlewares/parse-body'
import { publicReads } from './middlewares/public-reads'
import { readOnly } from './middlewares/read-only'
import { refuseMalformed } from './middlewares/refuse-malformed'
import { requestLog } from './middlewares/request-log'
import { rewriter, showRules } from './middlewares/rewriter'
import { staticFiles } from './middlewares/static-files'
import { type LookupUser, SAMPLE_LOOKUP_USERS, userLookup } from './middlewares/user-lookup'

export type { Claims } from './lib/auth/access-token'
export { randomSigningKey, type SigningKey, signingKey } from './lib/auth/access-token'
export type { Credentials } from './lib/auth/credentials'
export { DataFile } from './lib/data/data-file'
export { type Data, DataError, DataSource, MemoryData } from './lib/data/data-source'
export type { PublicCollection } from './lib/data/public-collection'
export { HttpError, UnauthorizedError } from './lib/errors'
export { type Listening, type ListenOptions, listen } from './lib/http/listen'
export type { CurrentRules, RewriteRules } from './lib/http/rewrite-rules'
export { type BearerTokenOptions, bearerToken } from './middlewares/bearer-token'
export { errorHandler } from './middlewares/error-handler'
export { type LoginOptions, login } from './middlewares/login'
export { type PublicReadsOptions, publicReads } from './middlewares/public-reads'
export { rewriter, showRules } from './middlewares/rewriter'
export { type LookupUser, type UserLookupOptions, userLookup } from './middlewares/user-lookup'

export interface AppOptions {
  /** The collections: in memory, or a source such as a `DataFile`. */
  data: Data | DataSource
  /** Signs the tokens. Default: a random secret, which ends all sessions with the process. */
  secret?: SigningKey
  /** Logins beside the users in the data; no route shows them. Default: none. */
  logins?: readonly Credentials[]
  /** Seconds that a token lasts. Default: 3,600. */
  tokenLifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
  /** The publicly readable collection, or false for none. Default: `blogs`. */
  publicCollection?: string | false
  /** Whether the public list shows changes made since the data was loaded. Default: false. */
  live?: boolean
  /** Rewrite rules as in json-server's `routes.json`, or a function that returns the current ones. Default: none. */
  routes?: CurrentRules
  /** The records of the user lookup service. Default: three sample users. */
  lookupUsers?: readonly LookupUser[]
  /** Serves an OpenAPI document and a page to read it, without a token. Default: false. */
  docs?: boolean
  /** Gives separate data to every test or visitor that names a sandbox: see docs/testing.md. Default: false. */
  sandboxes?: boolean
  /** A folder that is served publicly. Default: none. */
  static?: string
  /** Paths of files that are never served from it, nor are files named after them. The data's own files never are. Default: none. */
  privateFiles?: readonly string[]
  /** Middlewares between the token check and the router. Default: none. */
  middlewares?: readonly RequestHandler[]
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** What ends the name of a foreign key. Default: `Id`. */
  foreignKeySuffix?: string
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

/**
 * The whole server as an Express application that does not listen. A request goes through the steps below, in this order.
 * Options get their defaults here, once: every step receives all of its values.
 *
 * @throws TypeError when the secret is empty, or a rewrite rule cannot be used
 * @throws DataError when json-server could not serve the data
 */
export function createApp(options: AppOptions): Express {
  const {
    data: given,
    secret,
    logins = [],
    tokenLifetime = DEFAULTS.tokenLifetime,
    clock = Date.now,
    publicCollection = DEFAULTS.publicCollection,
    live = false,
    routes = {},
    lookupUsers = SAMPLE_LOOKUP_USERS,
    docs = false,
    sandboxes: hasSandboxes = false,
    static: staticFolder,
    privateFiles = [],
    middlewares = [],
    idProperty = DEFAULTS.idProperty,
    foreignKeySuffix = DEFAULTS.foreignKeySuffix,
    delay: fixedDelay = 0,
    readOnly: refuseChanges = false,
    cors: allowOrigins = true,
    gzip: compress = true,
    log = true,
  } = options
  const data = given instanceof DataSource ? given : new MemoryData(given)
  const resources = new Resources({ data, idProperty, foreignKeySuffix })
  const key = secret === undefined ? randomSigningKey() : signingKey(secret)
  const app = express().set('json spaces', 2).disable('x-powered-by')
  // json-server's CLI gives its database to the user's middlewares under this name.
  Object.defineProperty(app, 'db', { get: () => resources.database })

  const steps: RequestHandler[] = []
  if (log) steps.push(requestLog())
  steps.push(refuseMalformed())
  // A preflight carries no token: it gets its response before any step asks for one.
  if (allowOrigins) steps.push(cors({ origin: true, credentials: true }))
  // Ahead of all further steps: the faults of a sandbox act on every response. Loaded only for this option.
  if (hasSandboxes) {
    const { sandboxes }: typeof import('./middlewares/sandboxes') = require('./middlewares/sandboxes')
    const same = {
      ...options,
      secret: key,
      log: false,
      cors: false,
      docs: false,
      static: undefined,
      sandboxes: false,
    }
    steps.push(sandboxes({ data, key, clock, createApp: (own) => createApp({ ...same, data: own }) }))
  }
  steps.push(noCache())
  // Ahead of the rewriter: a rule such as /api/* must not hide it.
  steps.push(userLookup({ users: lookupUsers }))
  // Ahead of the rewriter for the same reason. Loaded only for this option, because it delays the start.
  if (docs) {
    const { documentation }: typeof import('./middlewares/docs') = require('./middlewares/docs')
    steps.push(
      documentation({
        data,
        routes,
        publicCollection,
        live,
        readOnly: refuseChanges,
        sandboxes: hasSandboxes,
        idProperty,
        foreignKeySuffix,
        tokenLifetime,
        lookupUser: lookupUsers[0],
        gzip: compress,
      }),
    )
  }
  // Ahead of the rewriter, as in json-server: no rule leads to a file or away from one.
  if (staticFolder !== undefined) {
    const isPublic = () => publicCollection !== false && resources.records(publicCollection) !== undefined
    steps.push(
      staticFiles({
        folder: staticFolder,
        privateFiles: [...data.files, ...privateFiles],
        isTaken: (method, path) => isOfServices(method, path, isPublic() && publicCollection),
        gzip: compress,
      }),
    )
  }
  // A sandbox is this application with other data: its requests take all further steps there.
  if (hasSandboxes) steps.push(enterSandbox())
  // Ahead of every check: the checks must see the path and the method that the router will see.
  steps.push(rewriter(routes), methodOverride())
  const users = ({ sandbox }: HttpRequest) => [
    ...(sandbox?.firstUsers ?? resources.records('users') ?? []),
    ...logins,
  ]
  steps.push(login({ key, users, lifetime: tokenLifetime, clock }))
  if (publicCollection !== false) {
    steps.push(
      publicReads({
        collection: publicCollection,
        source: resources.collection(publicCollection),
        live,
        gzip: compress,
      }),
    )
  }

  // Nothing below this line is reached without a token.
  steps.push(bearerToken({ key, clock }))
  if (refuseChanges) steps.push(readOnly())
  if (compress) steps.push(gzip())
  steps.push(showRules(routes))
  steps.push(parseBody())
  app.use(inOrder(steps))
  // They see the requests that json-server would give them, and are not delayed, as there.
  for (const middleware of middlewares) app.use(catchRejections(middleware))
  app.use(inOrder([delay(fixedDelay), resources.handle]), errorHandler())
  return app
}

if (require.main === module) run(createApp)
