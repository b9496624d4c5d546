import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { readAllowRule } from '../../lib/auth/allow-rules'
import { DataSource, MemoryData } from '../../lib/data/data-source'
import { NO_RULES } from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import { SANDBOX_FACTS } from '../../middlewares/sandboxes'
import { type AppOptions, createApp } from '../../server'
import { Contract } from './contract'
import { documentOf } from './document-of'
import { serve, type TestServer } from './helpers'
import type { Answer, Question } from './requests'

/**
 * Serves an application on a free port and checks each of its responses against its OpenAPI document. `close`
 * fails with the responses that are not as documented. A request that is not in the document may have any
 * response.
 */
export async function serveApp(options: AppOptions): Promise<TestServer> {
  const data = options.data instanceof DataSource ? options.data : new MemoryData(options.data)
  const rules = rulesOf(options)
  const settings = settingsOf(options)
  const loaded = structuredClone(data.state)
  let contract: Contract | undefined
  const problems: unknown[] = []

  const server = await serve(createApp({ log: false, ...options, data }))
  const { port } = new URL(server.url)
  if (listeners.size === 0) subscribe(CHANNEL, announce)
  listeners.set(port, (question, answer) => {
    contract ??= contractOf(loaded, rules, settings)
    if (isAsDocumented(contract, question, answer)) return
    // The document is made from the data as it was loaded. Requests may have changed the types
    // in it since.
    contract = contractOf(data.state, rules, settings)
    const { method, path } = question
    const found = contract.problems(question, answer)
    if (found?.length) problems.push({ method, path, status: answer.status, problems: found })
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
function contractOf(...documented: Parameters<typeof documentOf>): Contract {
  const key = JSON.stringify(documented)
  const contract = contracts.get(key) ?? Contract.for(documentOf(...documented))
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
  publicCollection = 'blogs',
  live = false,
  readOnly = false,
  sandboxes = false,
  allow = [],
  idProperty = 'id',
  foreignKeySuffix = 'Id',
}: AppOptions) {
  return {
    publicCollection,
    live,
    readOnly,
    sandboxes: sandboxes ? SANDBOX_FACTS : undefined,
    allowed: allow.map(readAllowRule),
    idProperty,
    foreignKeySuffix,
  }
}

type Listener = (question: Question, answer: Answer) => void

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
