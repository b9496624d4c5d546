import type { RequestHandler } from 'express'
import { type DataSource, MemoryData } from '../../../lib/data/data-source'
import type { Data } from '../../../lib/data/valid-data'
import { openSandboxes, SANDBOX_LIMITS } from '../../../lib/sandboxes/sandboxes'
import { createApp } from '../../../server'
import { ADA, sampleData, serve } from '../../support/helpers'
import { json } from '../../support/requests'
import { logInTo, send } from '../../support/sandbox-requests'

const MEGABYTE = 1024 * 1024
const handler: RequestHandler = () => {}

/** Sandboxes whose data the test can reach. */
function make(data: Data, limits: Partial<typeof SANDBOX_LIMITS> = {}) {
  const own: DataSource[] = []
  const source = new MemoryData(data)
  const sandboxes = openSandboxes({
    data: source,
    createApp: (given) => {
      own.push(given)
      return handler
    },
    limits: { ...SANDBOX_LIMITS, ...limits },
  })
  return { sandboxes, own, source }
}

const full = expect.objectContaining({
  status: 503,
  message: expect.stringContaining('DELETE /__sandbox'),
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
})

test('the limits are 200 sandboxes, 256 MB and 30 minutes', () => {
  expect(SANDBOX_LIMITS).toEqual({ count: 200, size: 256 * MEGABYTE, idleTime: 1_800_000 })
})

test('one more than the limit is refused, until one is forgotten; those that exist may begin again', () => {
  const { sandboxes } = make({}, { count: 2 })
  sandboxes.begin('a')
  sandboxes.begin('b')
  expect(() => sandboxes.begin('c')).toThrow(full)
  expect(sandboxes.get('c')).toBeUndefined()
  sandboxes.begin('a')
  sandboxes.forget('a')
  sandboxes.begin('c')
  expect(() => sandboxes.begin('a')).toThrow(full)
})

test('data counts with its JSON and 1 MB for each sandbox', () => {
  const { sandboxes } = make({ blogs: ['x'.repeat(MEGABYTE / 2)] }, { size: 3.1 * MEGABYTE })
  sandboxes.begin('a')
  sandboxes.begin('b')
  expect(() => sandboxes.begin('c')).toThrow(full)
  sandboxes.begin('a', { blogs: [] })
  sandboxes.begin('b', { blogs: [] })
  sandboxes.begin('c', { blogs: [] })
  expect(() => sandboxes.begin('c', { more: ['x'.repeat(MEGABYTE)] })).toThrow(full)
  expect(sandboxes.get('c')).toBeDefined()
})

test('many small objects count with the memory that they take', () => {
  const { sandboxes } = make({}, { size: 30 * MEGABYTE })
  const records = Array.from({ length: 400_000 }, () => ({}))
  sandboxes.begin('a', { records })
  expect(() => sandboxes.begin('b', { records })).toThrow(full)
})

test('data that has grown too large takes no more changes, and shrinks again', async () => {
  const { sandboxes, own } = make({ blogs: [] }, { size: 3 * MEGABYTE })
  sandboxes.begin('a')
  const blogs = own[0]?.state.blogs
  if (own[0] === undefined || !Array.isArray(blogs)) throw new Error('There are no blogs.')
  for (let count = 0; count < 3; count += 1) {
    own[0].refresh()
    blogs.push('x'.repeat(0.9 * MEGABYTE))
    await own[0].commit()
  }
  expect(() => own[0]?.refresh()).toThrow(full)
  expect(() => sandboxes.begin('b')).toThrow(full)
  sandboxes.begin('a')
  sandboxes.begin('b')
  own[1]?.refresh()
})

test('changes of a moderate size are not measured one by one', async () => {
  const { sandboxes, own } = make({ blogs: [] })
  sandboxes.begin('a')
  const measuring = jest.spyOn(JSON, 'stringify')
  for (let count = 0; count < 1000; count += 1) {
    own[0]?.refresh()
    await own[0]?.commit()
  }
  expect(measuring.mock.calls.length).toBeLessThan(200)
  measuring.mockRestore()
})

test('one that nobody uses for the idle time is forgotten; each use starts that time again', () => {
  jest.useFakeTimers()
  const { sandboxes } = make({})
  sandboxes.begin('used')
  sandboxes.begin('unused')
  sandboxes.begin('again')
  jest.advanceTimersByTime(20 * 60_000)
  sandboxes.get('used')
  sandboxes.begin('again')
  jest.advanceTimersByTime(10 * 60_000)
  expect(sandboxes.get('unused')).toBeUndefined()
  expect(sandboxes.get('used')).toBeDefined()
  expect(sandboxes.get('again')).toBeDefined()
  jest.advanceTimersByTime(30 * 60_000)
  expect(sandboxes.get('used')).toBeUndefined()
  expect(sandboxes.get('again')).toBeUndefined()
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test('data that cannot be served begins nothing', () => {
  const { sandboxes } = make({})
  const before = sandboxes.begin('a')
  expect(() => sandboxes.begin('a', { blogs: 5 })).toThrow('"blogs"')
  expect(() => sandboxes.begin('b', { blogs: 5 })).toThrow('"blogs"')
  expect(sandboxes.get('a')).toBe(before)
  expect(sandboxes.get('b')).toBeUndefined()
})

test('a name that is a pattern is replaced where the loaded data has it', () => {
  const { sandboxes, own } = make({ 'faq?': [] })
  sandboxes.begin('a', { 'faq?': [{ id: 1 }] })
  expect(own[0]?.state).toEqual({ 'faq?': [{ id: 1 }] })
})

test('of 300 names with a token 200 begin and the others are told so, however many were named without one', async () => {
  const server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  for (let index = 0; index < 50; index += 1) {
    await send(server.url, 'GET /blogs', { sandbox: `reader-${index}` })
    const body = { ...ADA, password: '' }
    await send(server.url, 'POST /auth/login', { sandbox: `stranger-${index}`, body })
  }

  const token = await logInTo(server.url)
  const counts: Record<number, number> = {}
  for (let index = 0; index < 300; index += 1) {
    const { status } = await send(server.url, 'GET /users', { sandbox: `name-${index}`, token })
    counts[status] = (counts[status] ?? 0) + 1
  }
  expect(counts).toEqual({ 200: 200, 503: 100 })
  const refused = await send(server.url, 'POST /auth/login', { sandbox: 'name-201', body: ADA })
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  expect(json(refused)).toEqual({ error: expect.stringContaining('200 sandboxes') })
  // An anonymous request needs no room, and existing sandboxes still work.
  expect((await send(server.url, 'GET /blogs', { sandbox: 'name-201' })).status).toBe(200)
  expect((await send(server.url, 'POST /tags', { sandbox: 'name-7', token, body: {} })).status).toBe(201)
  expect((await send(server.url, 'GET /users', { token })).status).toBe(200)
  expect((await send(server.url, 'DELETE /__sandbox', { sandbox: 'name-7', token })).status).toBe(204)
  expect((await send(server.url, 'POST /auth/login', { sandbox: 'name-201', body: ADA })).status).toBe(200)
  await server.close()
})
