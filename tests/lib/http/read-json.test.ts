import { type ClientRequest, request as sendRequest } from 'node:http'
import v8 from 'node:v8'
import type { Request, RequestHandler } from 'express'
import { readJson } from '../../../lib/http/read-json'
import { askJson, serveHandlers, type TestServer, until } from '../../support/http'

/** The requests that have arrived, and what lets those go on that are held. */
const arrived: Request[] = []
const held: (() => void)[] = []

const hold: RequestHandler = (request, _response, next) => {
  arrived.push(request)
  if (request.headers['x-hold'] === undefined) next()
  else held.push(next)
}

let server: TestServer

beforeEach(async () => {
  // Three thousand bytes are usable.
  const statistics = { ...v8.getHeapStatistics(), used_heap_size: 0, heap_size_limit: 10_000 }
  jest.spyOn(v8, 'getHeapStatistics').mockReturnValue(statistics)
  server = await serveHandlers(hold, readJson({ strict: true }), (_request, response) => void response.end())
})
afterEach(async () => {
  arrived.length = 0
  jest.restoreAllMocks()
  await server.close()
})

/** Begins a request with a large body, of which nothing is sent. */
async function begin(headers = {}): Promise<ClientRequest> {
  const large = { 'Content-Type': 'application/json', 'Content-Length': 2900, ...headers }
  const client = sendRequest(server.url, { method: 'POST', headers: large })
  client.on('error', () => {})
  client.flushHeaders()
  await until(() => arrived.length === 1)
  return client
}

async function leave(client: ClientRequest): Promise<void> {
  client.destroy()
  await until(() => arrived[0]?.closed === true)
}

const small = () => askJson(server.url, { method: 'POST', path: '/', body: { text: 'tea '.repeat(50) } })

test('a body is refused while another takes the memory, until the client of that one has gone', async () => {
  const client = await begin()
  const { status, headers } = await small()
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  await leave(client)
  expect((await small()).status).toBe(200)
})

test('a body whose client has gone before it could be read takes no memory', async () => {
  await leave(await begin({ 'X-Hold': 'yes' }))
  for (const goOn of held) goOn()
  expect((await small()).status).toBe(200)
})
