import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { DataFile } from '../../../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../../../lib/data/data-source'
import type { Data } from '../../../../lib/data/valid-data'
import { SANDBOX_LIMITS, Sandboxes } from '../../../../lib/options/sandboxes/sandboxes'
import { createApp } from '../../../../server'
import { ADA, sampleData, tempFolders } from '../../../support/data'
import { json, logInTo, send, serve } from '../../../support/http'

const newFolder = tempFolders()
const handler: RequestHandler = () => {}

/** Sandboxes whose data the test can reach. */
function make(data: Data) {
  const own: DataSource[] = []
  const source = new MemoryData(data)
  const sandboxes = new Sandboxes({
    data: source,
    createApp: (given) => {
      own.push(given)
      return handler
    },
  })
  return { sandboxes, own, source }
}

/** The sandbox of a request that names it. */
function named(sandboxes: Sandboxes, name: string) {
  const request = {}
  sandboxes.choose(request, name)
  return sandboxes.ofRequest(request)
}

const full = expect.objectContaining({
  status: 503,
  message: expect.stringContaining('DELETE /__sandbox'),
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
})

test('the limits are 200 sandboxes and 30 minutes', () => {
  expect(SANDBOX_LIMITS).toEqual({ count: 200, idleTime: 1_800_000 })
})

test('one more than the limit is refused, until one is forgotten; existing ones may begin again', () => {
  const { sandboxes } = make({})
  for (let index = 0; index < SANDBOX_LIMITS.count; index += 1) sandboxes.beginAnew(`${index}`)
  expect(() => sandboxes.beginAnew('c')).toThrow(full)
  sandboxes.beginAnew('0')
  sandboxes.forget('0')
  sandboxes.beginAnew('c')
  expect(() => sandboxes.beginAnew('0')).toThrow(full)
})

test('no sandbox keeps a process from ending', () => {
  expect(make({}).sandboxes.beginAnew('a').idleTimer.hasRef()).toBe(false)
})

test('who can log in to a sandbox that has not begun changes with each reload', () => {
  const { sandboxes, source } = make({ users: [{ id: 1, email: 'one', password: 'a' }] })
  source.replace({ users: [{ id: 2, email: 'two', password: 'b' }] })
  expect(named(sandboxes, 'a')?.firstUsers).toEqual([{ id: 2, email: 'two', password: 'b' }])
})

test('a sandbox shares what was loaded, and its changes reach nobody else', async () => {
  const { sandboxes, source, own } = make({ blogs: [{ id: 1 }], tags: [] })
  sandboxes.beginAnew('a').application()
  expect(own[0]?.state).toEqual(source.loaded)
  expect(own[0]?.state.blogs).toBe(source.loaded.blogs)
  await own[0]?.commit({ ...own[0].state, blogs: [] })
  own[0]?.share()
  Object(own[0]?.state.tags).push({ id: 'by hand' })
  sandboxes.beginAnew('b').application()
  for (const state of [own[1]?.state, source.state]) expect(state).toEqual({ blogs: [{ id: 1 }], tags: [] })
})

test('a sandbox begins with the data as it was last read or replaced, whatever requests have made of it', async () => {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify({ blogs: [{ id: 1 }] }))
  const source = DataFile.open(file, { warn: jest.fn() })
  const own: DataSource[] = []
  const sandboxes = new Sandboxes({
    data: source,
    createApp: (given) => {
      own.push(given)
      return handler
    },
  })
  const begun = () => {
    sandboxes.beginAnew('a').application()
    return own.at(-1)?.state
  }
  await source.commit({ blogs: [{ id: 2 }] })
  expect(begun()).toEqual({ blogs: [{ id: 1 }] })
  await writeFile(file, '{"blogs": [{"id": 3}]}')
  await once(source, 'reload')
  expect(begun()).toEqual({ blogs: [{ id: 3 }] })
  source.share()
  Object(source.state.blogs).push({ id: 5 })
  await source.commit(source.state)
  expect(begun()).toEqual({ blogs: [{ id: 3 }] })
  source.replace({ blogs: [{ id: 6 }] })
  Object(source.state.blogs).push({ id: 7 })
  expect(begun()).toEqual({ blogs: [{ id: 6 }] })
  await source.close()
})

test('the application of a sandbox is made once, for the first request that enters it', () => {
  const { sandboxes, own } = make({})
  const { application } = sandboxes.beginAnew('a')
  expect(own).toHaveLength(0)
  expect(application()).toBe(application())
  expect(own).toHaveLength(1)
})

test('a sandbox is forgotten after the idle time; each use restarts it', () => {
  jest.useFakeTimers()
  const { sandboxes } = make({})
  sandboxes.beginAnew('used')
  sandboxes.beginAnew('unused')
  sandboxes.beginAnew('again')
  jest.advanceTimersByTime(20 * 60_000)
  named(sandboxes, 'used')
  sandboxes.beginAnew('again')
  jest.advanceTimersByTime(10 * 60_000)
  expect(named(sandboxes, 'unused')?.current).toBeUndefined()
  expect(named(sandboxes, 'used')?.current).toBeDefined()
  expect(named(sandboxes, 'again')?.current).toBeDefined()
  jest.advanceTimersByTime(30 * 60_000)
  expect(named(sandboxes, 'used')?.current).toBeUndefined()
  expect(named(sandboxes, 'again')?.current).toBeUndefined()
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test('data that cannot be served begins no sandbox', () => {
  const { sandboxes } = make({})
  const before = sandboxes.beginAnew('a')
  expect(() => sandboxes.beginAnew('a', { blogs: 5 })).toThrow('"blogs"')
  expect(() => sandboxes.beginAnew('b', { blogs: 5 })).toThrow('"blogs"')
  expect(named(sandboxes, 'a')?.current).toBe(before)
  expect(named(sandboxes, 'b')?.current).toBeUndefined()
})

test('of 300 names with a token, 200 begin and the others get 503, however many were named without one', async () => {
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
