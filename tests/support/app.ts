import path from 'node:path'
import type { Express, RequestHandler, Router } from 'express'
import { DataFile } from '../../lib/data/data-file'
import { DataSource } from '../../lib/data/data-source'
import { type AppOptions, createApp } from '../../server'
import { memoryData } from './data'
import { type Answer, ask, authorized, logIn, serve, type TestServer } from './http'

/** Serves an application on a free port. The stored records of data that is given as an object are frozen. */
export function serveApp(options: AppOptions): Promise<TestServer> {
  const data = options.data instanceof DataSource ? options.data : memoryData(options.data)
  return serve(createApp({ log: false, ...options, data }))
}

/** A whole application that listens, and a client that is logged in. */
export interface TestApp {
  url: string
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

/** Starts applications for the tests of a file, and stops them after each test. */
export function testApps() {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  async function start(options: AppOptions): Promise<TestApp> {
    const server = await serveApp({ ...options })
    closing.push(() => server.close())
    const headers = authorized(await logIn(server.url))
    return {
      url: server.url,
      send: (method, path, body) =>
        ask(server.url, {
          method,
          path,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
    }
  }

  /** An application over a data file. */
  async function open(file: string): Promise<TestApp & { data: DataFile; warn: jest.Mock }> {
    const warn = jest.fn()
    const data = DataFile.open(file, { warn })
    closing.push(() => data.close())
    return { ...(await start({ data })), data, warn }
  }

  return { start, open }
}

/** The whole of json-server's module API; the app itself declares only the part that it uses. */
interface JsonServer {
  create(): Express
  defaults(options: { logger: boolean; static: string; readOnly?: boolean }): RequestHandler[]
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
  /** Default: none, because it would serve its own home page. */
  static?: string
}

/** Plain json-server 0.17.4 on a free port, put together as its own command line does it. */
export function servePlain(data: object, options: ReferenceOptions = {}): Promise<TestServer> {
  const { idProperty = 'id', foreignKeySuffix, routes, middlewares = [], readOnly } = options
  const { static: folder = path.join(__dirname, 'no-such-folder') } = options
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ logger: false, static: folder, readOnly }))
  if (routes) app.use(jsonServer.rewriter(routes))
  for (const middleware of middlewares) app.use(middleware)
  const router = jsonServer.router(data, foreignKeySuffix === undefined ? {} : { foreignKeySuffix })
  router.db._.id = idProperty
  return serve(app.use(router))
}
