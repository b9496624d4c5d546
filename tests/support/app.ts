import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Express, RequestHandler, Router } from 'express'
import { readAllowed } from '../../lib/auth/allow-rules'
import { DataFile } from '../../lib/data/data-file'
import { DataSource, MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { NO_RULES, type RewriteRules } from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import { type AppOptions, createApp } from '../../server'
import { documentOf } from '../lib/options/docs/document-of'
import { Contract } from './document'
import { type Answer, ask, authorized, logIn, type Question, serve, type TestServer } from './http'

/**
 * Serves an application on a free port and checks each of its responses against its OpenAPI document. `close`
 * fails with the responses that are not as documented, and with the names of the tests that they come from. A
 * request that is not in the document may have any response. Data that is given as an object is served like that
 * of a data file, which only the server changes: a test that changes it in place gives a `MemoryData`.
 */
export async function serveApp(options: AppOptions): Promise<TestServer> {
  const data =
    options.data instanceof DataSource ? options.data : new MemoryData(options.data, { isShared: false })
  const rules = rulesOf(options)
  const settings = settingsOf(options)
  const loaded = structuredClone(data.state)
  let contract: Contract | undefined
  const problems: unknown[] = []

  const server = await serve(createApp({ log: false, ...options, data }))
  const { port } = new URL(server.url)
  if (listeners.size === 0) subscribe(CHANNEL, announce)
  listeners.set(port, (question, answer, test) => {
    contract ??= contractOf(loaded, rules, settings)
    if (isAsDocumented(contract, question, answer)) return
    // The document is made from the data as it was loaded. Requests may have changed the types
    // in it since.
    contract = contractOf(data.state, rules, settings)
    const { method, path } = question
    const found = contract.problems(question, answer)
    if (found?.length) problems.push({ test, method, path, status: answer.status, problems: found })
  })
  return {
    url: server.url,
    async close() {
      await server.close()
      listeners.delete(port)
      if (listeners.size === 0) unsubscribe(CHANNEL, announce)
      expect(problems).toEqual([])
    },
  }
}

const contracts = new Map<string, Contract>()

/** The same contract for the same data, because a document takes longer than a request. */
function contractOf(data: Data, rules: RewriteRules, settings: ReturnType<typeof settingsOf>): Contract {
  const key = JSON.stringify([data, rules, settings])
  const contract = contracts.get(key) ?? Contract.for(documentOf(data, settings), rules)
  contracts.set(key, contract)
  return contract
}

function isAsDocumented(contract: Contract, question: Question, answer: Answer): boolean {
  const problems = contract.problems(question, answer)
  return problems === undefined || problems.length === 0
}

function rulesOf({ routes = NO_RULES }: AppOptions) {
  return typeof routes === 'function' ? routes() : routes
}

function settingsOf({
  live = false,
  readOnly = false,
  sandboxes = false,
  allow = [],
  publicCollection = allow === 'all' ? false : 'blogs',
  idProperty = 'id',
  foreignKeySuffix = 'Id',
  logins = [],
}: AppOptions) {
  return {
    publicCollection,
    live,
    readOnly,
    sandboxes,
    allowed: readAllowed(allow),
    idProperty,
    foreignKeySuffix,
    hasLogins: logins.length > 0,
  }
}

/** @param test the name of the test that was running when the request came */
type Listener = (question: Question, answer: Answer, test: string | undefined) => void

/** The listeners for requests to a server of this process, by its port. */
const listeners = new Map<string, Listener>()

/** Node's own announcement of a request, before any handler has it. */
const CHANNEL = 'http.server.request.start'

function announce(message: unknown): void {
  if (!isExchange(message)) return
  const { request, response } = message
  const listener = listeners.get(String(request.socket.localPort))
  if (listener === undefined) return
  const { method, url: path = '', headers } = request
  const { currentTestName } = expect.getState()
  const bytes = bytesOf(response)
  response.once('finish', () => {
    // The body of a response to HEAD is not sent.
    const body = method === 'HEAD' ? Buffer.alloc(0) : bytes()
    listener(
      { method, path, headers },
      {
        status: response.statusCode,
        headers: textsOf(response.getHeaders()),
        bytes: body,
        text: body.toString(),
      },
      currentTestName,
    )
  })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

function isExchange(message: unknown): message is Exchange {
  return (
    isRecord(message) &&
    message.request instanceof IncomingMessage &&
    message.response instanceof ServerResponse
  )
}

/** Records the body that a response sends. */
function bytesOf(response: ServerResponse): () => Buffer {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  response.write = watched(response.write, keep)
  response.end = watched(response.end, keep)
  return () => Buffer.concat(chunks)
}

/** The same method, with a listener that sees each call first. */
function watched<Method extends ServerResponse['write'] | ServerResponse['end']>(
  method: Method,
  see: (chunk: unknown) => void,
): Method {
  return new Proxy(method, {
    apply(target, self, parameters) {
      see(parameters[0])
      return Reflect.apply(target, self, parameters)
    },
  })
}

function textsOf(headers: ReturnType<ServerResponse['getHeaders']>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
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
