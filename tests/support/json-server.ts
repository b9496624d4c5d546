import path from 'node:path'
import type { Express, RequestHandler, Router } from 'express'
import { serve, type TestServer } from './http'

/** The whole of json-server's module API; the app itself declares only the part that it uses. */
interface JsonServer {
  create(): Express
  defaults(options: {
    logger: boolean
    static: string
    readOnly?: boolean
    bodyParser?: boolean | undefined
  }): RequestHandler[]
  rewriter(rules: Readonly<Record<string, string>>): Router
  router(data: object, options: { foreignKeySuffix?: string }): Router & { db: { _: { id: string } } }
}

const jsonServer: JsonServer = require('json-server')

export interface ReferenceOptions {
  idProperty?: string
  foreignKeySuffix?: string
  routes?: Readonly<Record<string, string>>
  middlewares?: readonly RequestHandler[]
  readOnly?: boolean
  /** Whether bodies are parsed ahead of the middlewares, as by the command line. Default: false. */
  bodyParser?: boolean
  /** Default: none, because it would serve its own home page. */
  static?: string
}

/** Plain json-server 0.17.4 on a free port, put together as its own command line does it. */
export function servePlain(data: object, options: ReferenceOptions = {}): Promise<TestServer> {
  const { idProperty = 'id', foreignKeySuffix, routes, middlewares = [], readOnly, bodyParser } = options
  const { static: folder = path.join(__dirname, 'no-such-folder') } = options
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ logger: false, static: folder, readOnly, bodyParser }))
  if (routes) app.use(jsonServer.rewriter(routes))
  for (const middleware of middlewares) app.use(middleware)
  const router = jsonServer.router(data, foreignKeySuffix === undefined ? {} : { foreignKeySuffix })
  router.db._.id = idProperty
  Object.assign(app, { db: router.db })
  return serve(app.use(router))
}
