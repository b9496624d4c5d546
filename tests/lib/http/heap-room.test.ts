import v8 from 'node:v8'
import { createApp } from '../../../server'
import { sampleData } from '../../support/data'
import { json, logInTo, send, serve, type TestServer } from '../../support/http'

const MEGABYTE = 1024 * 1024
const statistics = v8.getHeapStatistics()

/** Pretends that this much of a heap of 100 MB is in use, at each further look at it. */
function useHeap(...megabytes: number[]): void {
  const look = jest.spyOn(v8, 'getHeapStatistics')
  for (const used of megabytes)
    look.mockReturnValueOnce({
      ...statistics,
      used_heap_size: used * MEGABYTE,
      heap_size_limit: 100 * MEGABYTE,
    })
}

let server: TestServer
let token: string

beforeEach(async () => {
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  token = await logInTo(server.url)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

const noRoom = { error: expect.stringContaining("In a test's own process, the memory is the test's as well") }

test.each(['POST /posts', 'PUT /posts/1', 'PATCH /posts/1', 'PATCH /profile', 'POST /posts/1/comments'])(
  '%s for which the heap may have no room -> 503, whatever the data is for',
  async (line) => {
    const body = { text: 'x'.repeat(MEGABYTE) }
    useHeap(51, 51)
    const answer = await send(server.url, line, { token, body })
    expect([answer.status, answer.headers['retry-after'], json(answer)]).toEqual([503, '60', noRoom])

    expect((await send(server.url, 'GET /posts', { token, sandbox: 'lab' })).status).toBe(200)
    useHeap(51, 51)
    expect((await send(server.url, line, { token, body, sandbox: 'lab' })).status).toBe(503)
  },
)

test('a small change has room where a large one has none', async () => {
  useHeap(59)
  expect((await send(server.url, 'PATCH /posts/1', { token, body: { title: 'New' } })).status).toBe(200)
})

test('a small read and a DELETE have room where a change has none', async () => {
  useHeap(76, 76)
  expect((await send(server.url, 'POST /posts', { token, body: {} })).status).toBe(503)
  useHeap(76)
  expect((await send(server.url, 'GET /posts', { token })).status).toBe(200)
  useHeap(76)
  expect((await send(server.url, 'DELETE /posts/1', { token })).status).toBe(200)
})

test.each([
  ['the list', '/posts'],
  ['the list as a script', '/posts?callback=read'],
  ['all data', '/db'],
  ['a record', '/posts/1'],
  ['a record with those that refer to it', '/users/1?_embed=posts'],
])('%s, as a text that may not fit into the heap -> 503', async (_what, path) => {
  const body = { text: 'x'.repeat(MEGABYTE), userId: 1 }
  expect((await send(server.url, 'PATCH /posts/1', { token, body })).status).toBe(200)
  useHeap(86, 86)
  const answer = await send(server.url, `GET ${path}`, { token })
  expect([answer.status, answer.headers['retry-after'], json(answer)]).toEqual([503, '60', noRoom])
  useHeap(85)
  expect((await send(server.url, `GET ${path}`, { token })).status).toBe(200)
})

test('a text with characters beyond Latin-1 takes twice the room', async () => {
  const body = { text: `漢${'x'.repeat(MEGABYTE)}` }
  expect((await send(server.url, 'PATCH /posts/1', { token, body })).status).toBe(200)
  useHeap(85, 85)
  expect((await send(server.url, 'GET /posts', { token })).status).toBe(503)
  useHeap(83)
  expect((await send(server.url, 'GET /posts', { token })).status).toBe(200)
})

test('a text of brackets nested deep, each of which closes on a line of its own, counts those lines', async () => {
  const brackets = `${'['.repeat(95)}1${']'.repeat(95)},`.repeat(300)
  const deep: unknown = JSON.parse(`[${brackets.slice(0, -1)}]`)
  expect((await send(server.url, 'PATCH /posts/1', { token, body: { deep } })).status).toBe(200)
  const { text } = await send(server.url, 'GET /posts', { token })
  const free = (1.8 * text.length) / MEGABYTE
  useHeap(87.5 - free, 87.5 - free)
  expect((await send(server.url, 'GET /posts', { token })).status).toBe(503)
})

test('a change is taken back if its record, nested deep, has no room as a text when there is more data', async () => {
  const deep: unknown = JSON.parse(`${'['.repeat(98)}${'0,'.repeat(75_000)}0${']'.repeat(98)}`)
  useHeap(10, 10, 10)
  expect((await send(server.url, 'PATCH /posts/1', { token, body: { deep } })).status).toBe(503)
  expect(json(await send(server.url, 'GET /posts/1', { token }))).not.toHaveProperty('deep')
})

test('garbage is no reason to refuse a change or a sandbox', async () => {
  useHeap(99, 10)
  const body = { text: 'x'.repeat(MEGABYTE) }
  expect((await send(server.url, 'POST /posts', { token, body })).status).toBe(201)
  useHeap(99, 10)
  expect((await send(server.url, 'GET /posts', { token, sandbox: 'lab' })).status).toBe(200)
})

test('a sandbox begins, and is reset, only while half of the heap is free', async () => {
  useHeap(51, 51)
  const begun = await send(server.url, 'GET /posts', { token, sandbox: 'lab' })
  expect([begun.status, begun.headers['retry-after'], json(begun)]).toEqual([503, '60', noRoom])
  useHeap(50)
  expect((await send(server.url, 'GET /posts', { token, sandbox: 'lab' })).status).toBe(200)
  useHeap(51, 51)
  expect((await send(server.url, 'POST /__sandbox/reset', { token, sandbox: 'lab' })).status).toBe(503)
  useHeap(51, 51)
  expect((await send(server.url, 'GET /posts', { token, sandbox: 'lab' })).status).toBe(200)
  expect((await send(server.url, 'DELETE /__sandbox', { token, sandbox: 'lab' })).status).toBe(204)
})
