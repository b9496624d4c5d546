import { once } from 'node:events'
import {
  Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
} from 'node:http'
import { connect } from 'node:net'
import express, { type RequestHandler } from 'express'
import { type Listening, listen } from '../../lib/http/server/listen'
import { errorHandler } from '../../middlewares/error-handler'
import { ADA } from './data'

/** A server on a free port, for one test file. */
export interface TestServer {
  url: string
  /** @param patience milliseconds for the requests under way. Default: none. */
  close(patience?: number): Promise<void>
}

const listening = new Set<Listening>()
// A test that fails may not have closed its server, which would keep jest from ending. The kills use no jest.
if ('afterAll' in globalThis) afterAll(() => Promise.all(Array.from(listening, (server) => server.close(0))))

/** Listens on a free port of 127.0.0.1, at the latest until the tests of the file have ended. */
export async function serve(handler: RequestListener): Promise<TestServer> {
  const server = await listen(handler, { port: 0, host: '127.0.0.1' })
  listening.add(server)
  return {
    url: `http://127.0.0.1:${server.port}`,
    async close(patience = 0) {
      listening.delete(server)
      await server.close(patience)
    },
  }
}

/** A wait that takes longer is a hang, and would keep the process busy after its test has failed. In milliseconds. */
const LONGEST_WAIT = 10_000

/**
 * Waits until something holds that comes after a response has arrived, such as its line in the log.
 *
 * @throws Error when it does not come
 */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + LONGEST_WAIT
  while (!holds()) {
    if (Date.now() > end) throw new Error('What the test waits for has not come.')
    await new Promise(setImmediate)
  }
}

export interface Question {
  /** Default: GET. */
  method?: string
  /** The request target as it goes over the wire: unlike `fetch`, nothing here normalises it. */
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

const kept = new Agent({ keepAlive: true })

/** Sends one request, byte for byte as given, over a connection that is kept for the next one. */
export function ask(url: string, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node leaves the length out of a GET or DELETE that has a body, and the server then treats it as a
    // second request.
    const length =
      body === undefined || 'Transfer-Encoding' in headers
        ? {}
        : { 'Content-Length': Buffer.byteLength(body) }
    // Otherwise the server would close it as soon as it has refused a body that it has not read.
    const all = { Connection: 'keep-alive', ...length, ...headers }
    const outgoing = request(url, { method, path, headers: all, agent: kept }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString(),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** A request with a JSON body. */
export function askJson(
  url: string,
  { body, headers, ...question }: Omit<Question, 'body'> & { body: unknown },
) {
  return ask(url, {
    ...question,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The body of a response that must be JSON. */
export function json({ text }: Answer): unknown {
  return JSON.parse(text)
}

/** Resolves when a server of this machine accepts no connection any more. */
export async function refused(port: number): Promise<void> {
  for (let accepted = true; accepted; ) {
    const socket = connect(port, '127.0.0.1')
    accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
  }
}

/**
 * Reads a request as it stands in a table: a method, a path and maybe a body, which is a form when it begins
 * like `name=`, and JSON otherwise.
 */
export function question(line: string): Question {
  const [, method, target = '/', body] = /^\s*(\S+) (\S+)(?: (.*))?$/s.exec(line) ?? []
  if (body === undefined) return { method, path: target }
  const type = /^[\w%]+=/.test(body) ? 'x-www-form-urlencoded' : 'json'
  return { method, path: target, body, headers: { 'Content-Type': `application/${type}` } }
}

/** The request with further headers. */
export function withHeaders(asked: Question, headers: Record<string, string>): Question {
  return { ...asked, headers: { ...asked.headers, ...headers } }
}

/** The headers of a request with a token, and of its JSON body if it has one. */
export function authorized(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
}

interface Sender {
  /** The header X-Sandbox. */
  sandbox?: string
  token?: string
}

/** Sends a request to a server, in a sandbox or not, with a token or without. */
export function send(
  url: string,
  line: string,
  { sandbox, token, body }: Sender & { body?: unknown } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ')
  return ask(url, {
    method,
    path,
    headers: {
      ...(sandbox !== undefined && { 'X-Sandbox': sandbox }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Logs in, in a sandbox or not, and returns the token. */
export async function logInTo(url: string, sandbox?: string, credentials: object = ADA): Promise<string> {
  const { status, text } = await send(url, 'POST /auth/login', { sandbox, body: credentials })
  const token = /"access_token": "(.*)"/.exec(text)?.[1]
  if (token === undefined) throw new Error(`The response to the login was ${status} ${text}`)
  return token
}

/** Logs in to the main data, and returns the token. */
export function logIn(url: string, credentials = ADA): Promise<string> {
  return logInTo(url, undefined, credentials)
}

/**
 * A server on which nothing but these handlers runs, and the error handler that renders what they pass on.
 */
export function serveHandlers(...handlers: (RequestHandler | RequestHandler[])[]): Promise<TestServer> {
  return serve(express().disable('x-powered-by').use(handlers.flat()).use(errorHandler()))
}
