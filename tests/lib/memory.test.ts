import v8 from 'node:v8'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { json, logInTo, send, serve, type TestServer } from '../support/http'

const statistics = v8.getHeapStatistics()

/** Pretends that these percentages of the heap are in use, one at each look at it, and then the last one. */
function useHeap(...percentages: number[]): void {
  const look = jest.spyOn(v8, 'getHeapStatistics')
  const used = (percentage: number) => ({
    ...statistics,
    used_heap_size: percentage * 1e6,
    heap_size_limit: 100e6,
  })
  for (const percentage of percentages.slice(0, -1)) look.mockReturnValueOnce(used(percentage))
  look.mockReturnValue(used(percentages.at(-1) ?? 0))
}

let server: TestServer
let token: string

beforeEach(async () => {
  // Collections of garbage take no time, however busy the machine is: none puts off the next one.
  jest.spyOn(performance, 'now').mockReturnValue(0)
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  token = await logInTo(server.url)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

const nearlyFull = {
  error: expect.stringContaining("In a test's own process, the memory is the test's as well"),
}

test.each(['POST /posts', 'PATCH /profile'])(
  '%s while more than three tenths of the heap are in use -> 503, nothing is changed, and then it works',
  async (line) => {
    for (const sandbox of [undefined, 'lab']) {
      const before = (await send(server.url, 'GET /db', { token, sandbox })).text
      useHeap(40)
      const answer = await send(server.url, line, { token, sandbox, body: { text: 'a' } })
      expect([answer.status, answer.headers['retry-after'], json(answer)]).toEqual([503, '60', nearlyFull])
      useHeap(30)
      expect((await send(server.url, 'GET /db', { token, sandbox })).text).toBe(before)
      expect([200, 201]).toContain((await send(server.url, line, { token, sandbox, body: {} })).status)
    }
  },
)

test('reading, logging in and deleting are possible while the memory is nearly full', async () => {
  useHeap(99)
  expect((await send(server.url, 'GET /posts', { token })).status).toBe(200)
  expect(await logInTo(server.url)).toEqual(expect.any(String))
  expect((await send(server.url, 'DELETE /posts/1', { token })).status).toBe(200)
})

test('garbage is no reason to refuse a change', async () => {
  useHeap(99, 99, 30)
  expect((await send(server.url, 'POST /posts', { token, body: { text: 'a' } })).status).toBe(201)
})

test('once a collection has helped, garbage may take a tenth more before the next one', async () => {
  useHeap(99, 99, 30)
  expect((await send(server.url, 'POST /posts', { token, body: {} })).status).toBe(201)
  useHeap(33)
  expect((await send(server.url, 'POST /posts', { token, body: {} })).status).toBe(201)
  useHeap(34)
  expect((await send(server.url, 'POST /posts', { token, body: {} })).status).toBe(503)
})

test('after a collection that did not help, none runs for as long as that one took', async () => {
  const post = { token, body: {} }
  // A collection that takes a minute, and a moment after it.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(60_001)
  clock.mockReturnValueOnce(0).mockReturnValueOnce(60_000)
  useHeap(99)
  expect((await send(server.url, 'POST /posts', post)).status).toBe(503)
  useHeap(99, 99, 30)
  expect((await send(server.url, 'POST /posts', post)).status).toBe(503)
  clock.mockReturnValue(120_001)
  useHeap(99, 99, 30)
  expect((await send(server.url, 'POST /posts', post)).status).toBe(201)
})

test('a sandbox begins, and is reset, only while the memory is not nearly full; it can be forgotten', async () => {
  const inSandbox = { token, sandbox: 'lab' }
  useHeap(40)
  const begun = await send(server.url, 'GET /posts', inSandbox)
  expect([begun.status, begun.headers['retry-after'], json(begun)]).toEqual([503, '60', nearlyFull])
  useHeap(30)
  expect((await send(server.url, 'POST /posts', { ...inSandbox, body: {} })).status).toBe(201)
  const posts = json(await send(server.url, 'GET /posts', inSandbox))
  useHeap(40)
  expect((await send(server.url, 'POST /__sandbox/reset', inSandbox)).status).toBe(503)
  expect(json(await send(server.url, 'GET /posts', inSandbox))).toEqual(posts)
  expect((await send(server.url, 'DELETE /__sandbox', inSandbox)).status).toBe(204)
})
