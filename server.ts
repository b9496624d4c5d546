#!/usr/bin/env node
import cors from 'cors'
import express, { type Express, type RequestHandler } from 'express'
import { randomSigningKey, signingKey } from './lib/auth/signing-key'
import { run } from './lib/cli/run'
import { type Data, DataSource, MemoryData } from './lib/data/data-source'
import { requestGuard } from './lib/json-server/request-guard'
import { Resources } from './lib/json-server/resources'
import { bearerToken } from './middlewares/bearer-token'
import { delay } from './middlewares/delay'
import { errorHandler } from './middlewares/error-handler'
import { gzip } from './middlewares/gzip'
import { login } from './middlewares/login'
import { methodOverride } from './middlewares/method-override'
import { noCache } from './middlewares/no-cache'
import { parseBody } from './middlewares/parse-body'
import { publicReads } from './middlewares/public-reads'
import { readOnly } from './middlewares/read-only'
import { requestLog } from './middlewares/request-log'
import { type CurrentRules, rewriter, showRules } from './middlewares/rewriter'
import { type LookupUser, userLookup } from './middlewares/user-lookup'

export type { Claims } from './lib/auth/access-token'
export { randomSigningKey, type SigningKey, signingKey } from './lib/auth/signing-key'
export { DataFile } from './lib/data/data-file'
export { type Data, DataError, DataSource, MemoryData } from './lib/data/data-source'
export { HttpError, UnauthorizedError } from './lib/errors'
export { type Listening, type ListenOptions, listen } from './lib/http/listen'
export { type BearerTokenOptions, bearerToken } from './middlewares/bearer-token'
export { errorHandler } from './middlewares/error-handler'
export { type LoginOptions, login } from './middlewares/login'
export { type PublicCollection, type PublicReadsOptions, publicReads } from './middlewares/public-reads'
export { type CurrentRules, type RewriteRules, rewriter, showRules } from './middlewares/rewriter'
export { type LookupUser, type UserLookupOptions, userLookup } from './middlewares/user-lookup'

export interface AppOptions {
  /** The collections: in memory, or a source such as a `DataFile`. */
  data: Data | DataSource
  /** Signs the tokens. Default: a random secret, which ends all sessions with the process. */
  secret?: string
  /** Seconds that a token lasts. Default: 3,600. */
  tokenLifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
  /** The publicly readable collection, or false for none. Default: `blogs`. */
  publicCollection?: string | false
  /** Whether the public list shows changes made since the data was loaded. Default: false. */
  live?: boolean
  /** Rewrite rules as in json-server's `routes.json`, or what gives the current ones. Default: none. */
  routes?: CurrentRules
  /** The records of the user lookup service. Default: three sample users. */
  lookupUsers?: readonly LookupUser[]
  /** Serves an OpenAPI document and a page to read it, without a token. Default: false. */
  docs?: boolean
  /** A folder that is served publicly. Default: none. */
  static?: string
  /** The user's own middlewares: after the token check, before the router. Default: none. */
  middlewares?: readonly RequestHandler[]
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** What ends the name of a foreign key. Default: `Id`. */
  foreignKeySuffix?: string
  /** Milliseconds by which every request to the resources is delayed. Default: 0. */
  delay?: number
  /** Refuses every change. Default: false. */
  readOnly?: boolean
  /** Answers preflights and allows every origin. Default: true. */
  cors?: boolean
  /** Compresses answers. Default: true. */
  gzip?: boolean
  /** Logs a line a request. Default: true. */
  log?: boolean
}

/**
 * The whole server as an Express application that does not listen. A request goes through the steps below in this order.
 *
 * @throws TypeError when the secret is empty
 * @throws DataError when json-server could not serve the data
 */
export function createApp(options: AppOptions): Express {
  const { routes = {}, clock, publicCollection = 'blogs', live, gzip: compress = true } = options
  const data = options.data instanceof DataSource ? options.data : new MemoryData(options.data)
  const resources = new Resources({
    data,
    idProperty: options.idProperty,
    foreignKeySuffix: options.foreignKeySuffix,
  })
  const key = options.secret === undefined ? randomSigningKey() : signingKey(options.secret)
  const app = express().set('json spaces', 2).disable('x-powered-by')
  // json-server's CLI gives its database to the user's middlewares under this name.
  Object.defineProperty(app, 'db', { get: () => resources.database })

  if (options.log ?? true) app.use(requestLog())
  // A preflight carries no token, so it is answered before anything asks for one.
  if (options.cors ?? true) app.use(cors({ origin: true, credentials: true }))
  app.use(noCache())
  // Ahead of the rewriter: a rule such as /api/* must not shadow it.
  app.use(userLookup({ users: options.lookupUsers }))
  // Ahead of the rewriter for the same reason. Loaded only when it is asked for: nobody else is to wait for it.
  if (options.docs) {
    const { docs }: typeof import('./middlewares/docs') = require('./middlewares/docs')
    app.use(docs({ ...options, data }))
  }
  // Ahead of every check: the checks must see the path and the method that the router will use.
  app.use(rewriter(routes), methodOverride())
  app.use(login({ key, users: () => resources.records('users'), lifetime: options.tokenLifetime, clock }))
  if (publicCollection !== false) {
    app.use(
      publicReads({
        collection: publicCollection,
        source: resources.collection(publicCollection),
        live,
        gzip: compress,
      }),
    )
  }
  if (options.static !== undefined) app.use(express.static(options.static))

  // Nothing below this line is reached without a token.
  app.use(bearerToken({ key, clock }))
  if (options.readOnly) app.use(readOnly())
  app.use(delay(options.delay))
  if (compress) app.use(gzip())
  app.use(showRules(routes))
  app.use(parseBody())
  app.use(requestGuard({ kindOf: (name) => resources.kindOf(name), idProperty: options.idProperty }))
  for (const middleware of options.middlewares ?? []) app.use(middleware)
  app.use(resources.handle)
  app.use(errorHandler())
  return app
}

if (require.main === module) run(createApp)
