import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type Data, DataSource, MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { type AppOptions, createApp } from '../../server'
import { Contract } from './contract'
import { documentOf } from './document-of'
import { serve, type TestServer } from './helpers'
import type { Answer, Question } from './requests'

/**
 * Serves an application on a free port and checks each of its responses against its OpenAPI document. `close` fails with the
 * responses that are not as documented. A request that is not in the document may have any response.
 */
export async function serveApp(options: AppOptions): Promise<TestServer> {
  const data = options.data instanceof DataSource ? options.data : new MemoryData(options.data)
  const contractOf = (state: Data) => Contract.for(documentOf(state, rulesOf(options), settingsOf(options)))
  const loaded = structuredClone(data.state)
  let contract: Contract | undefined
  const problems: unknown[] = []

  const server = await serve(createApp({ log: false, ...options, data }))
  const stop = onAnswer(server.url, (question, answer) => {
    contract ??= contractOf(loaded)
    if (isAsDocumented(contract, question, answer)) return
    // The document is made from the data as it was loaded. Requests that have changed the types in it are no fault of it.
    contract = contractOf(data.state)
    const { method, path } = question
    const found = contract.problems(question, answer)
    if (found?.length) problems.push({ method, path, status: answer.status, problems: found })
  })
  return {
    url: server.url,
    async close() {
      await server.close()
      stop()
      expect(problems).toEqual([])
    },
  }
}

function isAsDocumented(contract: Contract, question: Question, answer: Answer): boolean {
  const problems = contract.problems(question, answer)
  return problems === undefined || problems.length === 0
}

function rulesOf({ routes = {} }: AppOptions) {
  return typeof routes === 'function' ? routes() : routes
}

function settingsOf({
  publicCollection = 'blogs',
  live = false,
  readOnly = false,
  sandboxes = false,
  idProperty = 'id',
  foreignKeySuffix = 'Id',
}: AppOptions) {
  return { publicCollection, live, readOnly, sandboxes, idProperty, foreignKeySuffix }
}

/** Tells of each request to a server of this process, and of its answer; returns what ends that. */
function onAnswer(url: string, listener: (question: Question, answer: Answer) => void): () => void {
  const listen = (message: unknown): void => {
    if (!isExchange(message) || !isAt(message.server, url)) return
    const { request, response } = message
    const { method, url: path = '', headers } = request
    const bytes = bytesOf(response)
    response.once('finish', () => {
      // What is written of an answer to HEAD does not go out.
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
  subscribe(CHANNEL, listen)
  return () => unsubscribe(CHANNEL, listen)
}

/** Node's own announcement of a request, before any handler has it. */
const CHANNEL = 'http.server.request.start'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  server: Server
}

function isExchange(message: unknown): message is Exchange {
  return (
    isRecord(message) &&
    message.request instanceof IncomingMessage &&
    message.response instanceof ServerResponse &&
    message.server instanceof Server
  )
}

function isAt(server: Server, url: string): boolean {
  const address = server.address()
  return typeof address === 'object' && String(address?.port) === new URL(url).port
}

/** Keeps what goes out in an answer. */
function bytesOf(response: ServerResponse): () => Buffer {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  response.write = watched(response.write, keep)
  response.end = watched(response.end, keep)
  return () => Buffer.concat(chunks)
}

/** The same method, of which each call is seen first. */
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
