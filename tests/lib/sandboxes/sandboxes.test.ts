import type { RequestHandler } from 'express'
import { type DataSource, MemoryData } from '../../../lib/data/data-source'
import type { Data } from '../../../lib/data/valid-data'
import { SANDBOX_LIMITS } from '../../../lib/sandboxes/limits'
import { openSandboxes } from '../../../lib/sandboxes/sandboxes'
import { createApp } from '../../../server'
import { ADA, sampleData } from '../../support/data'
import { json, logInTo, send, serve } from '../../support/http'

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

test('one more than the limit is refused, until one is forgotten; existing ones may begin again', () => {
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

test('data counts with its text and 1 MB for each sandbox', () => {
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
  const { sandboxes } = make({}, { size: 100 * MEGABYTE })
  const records = Array.from({ length: 400_000 }, () => ({}))
  sandboxes.begin('a', { records })
  expect(() => sandboxes.begin('b', { records })).toThrow(full)
})

test('a singular resource and the journal count', () => {
  const { sandboxes } = make({ profile: {} }, { size: 2.9 * MEGABYTE })
  const { journal } = sandboxes.begin('a')
  sandboxes.begin('b')
  expect(() => sandboxes.begin('b', { profile: { text: 'x'.repeat(MEGABYTE) } })).toThrow(full)
  sandboxes.forget('b')
  const entry = journal.add({ method: 'POST', path: '/blogs', query: {} })
  journal.keepBody(entry, 'x'.repeat(MEGABYTE - 1000))
  expect(() => sandboxes.begin('b')).toThrow(full)
})

test('records that are not objects are measured as well', async () => {
  const { sandboxes, own } = make({}, { size: 2 * MEGABYTE })
  sandboxes.begin('a', { blogs: ['x'.repeat(MEGABYTE / 2), null, 5] })
  own[0]?.makeRoom({})
  await own[0]?.commit()
  expect(() => sandboxes.begin('b')).toThrow(full)
})

test('data that has grown too large accepts nothing more, and can shrink again', async () => {
  const { sandboxes, own } = make({ blogs: [] }, { size: 3 * MEGABYTE })
  sandboxes.begin('a')
  const blogs = own[0]?.state.blogs
  if (own[0] === undefined || !Array.isArray(blogs)) throw new Error('There are no blogs.')
  const record = { text: 'x'.repeat(0.9 * MEGABYTE) }
  for (let count = 0; count < 2; count += 1) {
    own[0].makeRoom(record)
    blogs.push({ ...record })
    await own[0].commit()
  }
  expect(() => own[0]?.makeRoom(record)).toThrow(full)
  expect(() => sandboxes.begin('b')).toThrow(full)
  own[0].makeRoom({})
  blogs.pop()
  await own[0].commit()
  own[0].makeRoom(record)
  sandboxes.begin('a')
  sandboxes.begin('b')
  own[1]?.makeRoom(record)
})

/** How many records are read while the work is done. */
async function readsOf(records: object[], work: () => unknown): Promise<number> {
  let reads = 0
  for (const record of records)
    Object.defineProperty(record, 'read', {
      enumerable: true,
      get: () => {
        reads += 1
      },
    })
  await work()
  return reads
}

test('a change counts with the records that it changes', async () => {
  const { sandboxes, own } = make({ blogs: [] }, { size: 2 * MEGABYTE })
  const records = Array.from({ length: 1000 }, (_, id) => ({ id }))
  sandboxes.begin('a', { blogs: records })
  const reads = await readsOf(records, async () => {
    for (let count = 0; count < 500; count += 1) {
      own[0]?.makeRoom({ id: 1 })
      await own[0]?.commit()
    }
  })
  // Once for all changes that were counted without reading the data.
  expect(reads).toBe(records.length)
})

test('a sandbox for which there is no room is refused before its data is copied or read', async () => {
  const loaded = [{ text: 'x'.repeat(MEGABYTE) }]
  const { sandboxes } = make({ blogs: loaded }, { size: 3 * MEGABYTE })
  sandboxes.begin('a')
  const parse = jest.spyOn(JSON, 'parse')
  expect(() => sandboxes.begin('b')).toThrow(full)
  expect(() => sandboxes.admit('b', MEGABYTE)).toThrow(full)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

test('a change in place by a middleware counts, too', async () => {
  const { sandboxes, own } = make({ blogs: [{ text: '' }] }, { size: 19 * MEGABYTE })
  sandboxes.begin('a')
  const blogs = own[0]?.state.blogs
  if (own[0] === undefined || !Array.isArray(blogs)) throw new Error('There are no blogs.')
  own[0].share()
  for (const megabytes of [1, 17]) {
    blogs[0].text = 'x'.repeat(megabytes * MEGABYTE)
    await own[0].commit()
    own[0].makeRoom({})
  }
  blogs[0].text = 'x'.repeat(19 * MEGABYTE)
  await own[0].commit()
  expect(() => own[0]?.makeRoom({})).toThrow(full)
})

test('a sandbox begins with values that JSON cannot hold, as they are', () => {
  class Point {
    toJSON = () => 'a point'
  }
  const state = {
    blogs: [{ id: 1, at: new Date(0), none: undefined, not: Number.NaN, point: new Point(), run: () => 1 }],
    texts: [{ id: 1, __proto__x: null }],
    mixed: [
      { id: 1, text: 'a', on: true, none: null },
      { id: 2, at: new Date(0) },
    ],
  }
  const { sandboxes, own } = make(state)
  sandboxes.begin('a')
  sandboxes.begin('b')
  expect(own[0]?.state).toStrictEqual(state)
  expect(own[0]?.state.blogs).not.toBe(own[1]?.state.blogs)
  state.blogs.pop()
  sandboxes.begin('c')
  expect(own[2]?.state.blogs).toHaveLength(1)
})

test('values that JSON cannot hold are copied for each sandbox', () => {
  const load = () => ({ blogs: [{ at: new Date(0), list: [{ title: 'loaded' }] }] })
  const { sandboxes, own, source } = make(load())
  for (const changed of [() => source, () => own[0]]) {
    const blogs = changed()?.state.blogs
    if (!Array.isArray(blogs)) throw new Error('There are no blogs.')
    const [blog] = blogs
    blog.at.setTime(1)
    blog.list[0].title = 'changed'
    blog.added = true
    sandboxes.begin(`after ${own.length} others`)
    expect(own.at(-1)?.state).toStrictEqual(load())
  }
})

test('a record without a prototype is like any other', () => {
  const { sandboxes, own } = make({ blogs: [Object.assign(Object.create(null), { id: 1, at: new Date(0) })] })
  sandboxes.begin('a')
  expect(own[0]?.state).toEqual({ blogs: [{ id: 1, at: new Date(0) }] })
})

test('a sandbox is forgotten after the idle time; each use restarts it', () => {
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

test('data that cannot be served begins no sandbox', () => {
  const { sandboxes } = make({})
  const before = sandboxes.begin('a')
  expect(() => sandboxes.begin('a', { blogs: 5 })).toThrow('"blogs"')
  expect(() => sandboxes.begin('b', { blogs: 5 })).toThrow('"blogs"')
  expect(sandboxes.get('a')).toBe(before)
  expect(sandboxes.get('b')).toBeUndefined()
})

test('a collection whose name is a pattern can be replaced if the loaded data has it', () => {
  const { sandboxes, own } = make({ 'faq?': [] })
  sandboxes.begin('a', { 'faq?': [{ id: 1 }] })
  expect(own[0]?.state).toEqual({ 'faq?': [{ id: 1 }] })
})

test('200 new collections with names of 100 characters are accepted, besides replaced ones', () => {
  const { sandboxes, own } = make({ blogs: [], ['x'.repeat(101)]: [] })
  const names = Array.from({ length: 200 }, (_, index) => String(index).padEnd(100, 'x'))
  const collections = Object.fromEntries(
    [...names, 'blogs', 'x'.repeat(101)].map((name) => [name, [{ id: 1 }]]),
  )
  sandboxes.begin('a', collections)
  expect(own[0]?.state).toEqual(collections)
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
