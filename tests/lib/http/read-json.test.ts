import { type ClientRequest, request as sendRequest } from 'node:http'
import v8 from 'node:v8'
import express, { type Request, type RequestHandler } from 'express'
import { BODY_LIMITS } from '../../../lib/http/body-limits'
import { readJson } from '../../../lib/http/read-json'
import { askJson, serveHandlers, type TestServer, until } from '../../support/http'

/** The requests that have arrived. */
const arrived: Request[] = []

const note: RequestHandler = (request, _response, next) => {
  arrived.push(request)
  next()
}

let server: TestServer

beforeEach(async () => {
  // Three thousand bytes are usable.
  const statistics = { ...v8.getHeapStatistics(), used_heap_size: 0, heap_size_limit: 10_000 }
  jest.spyOn(v8, 'getHeapStatistics').mockReturnValue(statistics)
  server = await serveHandlers(note, readJson({ strict: true }), (_request, response) => void response.end())
})
afterEach(async () => {
  arrived.length = 0
  jest.restoreAllMocks()
  await server.close()
})

/** Begins a request with a body of this length, of which these bytes are sent. */
async function begin(length: number, sent: string): Promise<ClientRequest> {
  const count = arrived.length
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length }
  const client = sendRequest(server.url, { method: 'POST', headers })
  client.on('error', () => {})
  client.flushHeaders()
  if (sent !== '') client.write(sent)
  await until(() => arrived.length > count && (sent === '' || arrived[count]?.readableDidRead === true))
  return client
}

const small = () => askJson(server.url, { method: 'POST', path: '/', body: { text: 'tea '.repeat(50) } })

test('bodies that are announced, and never come, keep nobody else from sending one', async () => {
  const clients: ClientRequest[] = []
  for (let count = 0; count < 130; count += 1) clients.push(await begin(BODY_LIMITS.json, ''))
  expect((await small()).status).toBe(200)
  for (const client of clients) client.destroy()
})

test('a body is refused while what has arrived of another takes the memory, until its client has gone', async () => {
  const client = await begin(5000, 'x'.repeat(2900))
  const { status, headers } = await small()
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  client.destroy()
  await until(() => arrived[0]?.closed === true)
  expect((await small()).status).toBe(200)
})

test('a body that is announced as too long is refused before any of it has come', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': BODY_LIMITS.json + 1 }
  const client = sendRequest(server.url, { method: 'POST', headers })
  client.on('error', () => {})
  const status = new Promise((resolve) => client.once('response', (answer) => resolve(answer.statusCode)))
  client.flushHeaders()
  expect(await status).toBe(413)
  client.destroy()
})

test("an application's own parser ahead may accept a longer body", async () => {
  jest.restoreAllMocks()
  const own = await serveHandlers(
    express.json({ limit: '20mb' }),
    readJson({ strict: true }),
    (_, response) => {
      response.end()
    },
  )
  const body = { text: 'a'.repeat(BODY_LIMITS.json) }
  expect((await askJson(own.url, { method: 'POST', path: '/', body })).status).toBe(200)
  await own.close()
})
