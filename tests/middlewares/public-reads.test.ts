import { MemoryData } from '../../lib/data/data-source'
import type { PublicCollection } from '../../lib/data/public-collection'
import { publicReads } from '../../middlewares/public-reads'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, askJson, authorized, json, logIn, serveHandlers, type TestServer } from '../support/http'

const { blogs } = sampleData()
const [ONE, TWO] = Array.isArray(blogs) ? blogs : []
const NOT_FOUND = { error: 'Blog not found' }

let data: MemoryData
let server: TestServer

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(sampleData())
  server = await serveApp({ data, ...options })
}

afterEach(() => server.close())

describe('without a token', () => {
  beforeEach(() => start())

  test.each(['/blogs', '/blogs?', '/blogs?id=2', '/blogs#fragment'])(
    'GET %s -> 200 and the list',
    async (path) => {
      const answer = await ask(server.url, { path })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.text).toBe(JSON.stringify({ blogs }, null, 2))
    },
  )

  test.each([
    { path: '/blogs/1', blog: ONE },
    { path: '/blog/1', blog: ONE },
    { path: '/blogs/2', blog: TWO },
    { path: '/blog/2', blog: TWO },
    { path: '/blogs/01', blog: ONE },
    { path: '/blogs/1.0', blog: ONE },
    { path: '/blog/002.00', blog: TWO },
    { path: '/blogs/1e0', blog: ONE },
    { path: '/blogs/%31', blog: ONE },
    { path: '/blog/%31', blog: ONE },
    { path: '/blogs/1?id=2', blog: ONE },
  ])('GET $path -> 200', async ({ path, blog }) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify({ blog }, null, 2))
  })

  test.each([
    '/blogs/4',
    '/blog/4',
    '/blogs/0',
    '/blogs/-1',
    '/blogs/1.5',
    '/blogs/1a',
    '/blogs/NaN',
    '/blogs/Infinity',
    '/blogs/undefined',
    '/blogs/null',
    '/blogs/%20',
    '/blogs/..',
    '/blogs/1%2Fusers',
    '/blogs/%2e%2e%2fusers',
    '/blogs/__proto__',
    '/blogs/constructor',
    '/blogs/length',
    '/blogs/999999999999999999999999999999',
  ])('GET %s -> 404', async (path) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify(NOT_FOUND, null, 2))
  })

  test.each(['/blogs/%', '/blogs/%E0%A4%A', '/blog/%zz'])('GET %s -> 400', async (path) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: expect.stringContaining('%') })
  })

  test.each([
    '_embed=users',
    '_expand=user',
    '_start=1&_end=2',
    '_page=1&_limit=1',
    '_sort=id&_order=desc',
    'title_like=(',
    'title_like=^(a%2B)%2B$',
    'id=2',
    'q=Two',
    'q[a]=b',
    'callback=steal',
    'live=true',
  ])('?%s does not change the public reads', async (query) => {
    for (const path of ['/blogs', '/blogs/1', '/blog/1', '/blogs/4']) {
      const plain = await ask(server.url, { path })
      const queried = await ask(server.url, { path: `${path}?${query}` })
      expect(queried.status).toBe(plain.status)
      expect(queried.text).toBe(plain.text)
      expect(queried.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(queried.headers.link).toBeUndefined()
      expect(queried.headers['x-total-count']).toBeUndefined()
    }
  })

  test.each(['/blogs', '/blogs/1', '/blogs/4'])('HEAD %s -> the headers of GET, no body', async (path) => {
    const get = await ask(server.url, { path })
    const head = await ask(server.url, { method: 'HEAD', path })
    expect(head.status).toBe(get.status)
    expect(head.text).toBe('')
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })
})

test.each([
  { path: '/blogs/9', id: 9 },
  { path: '/blogs/09', id: 9 },
  { path: '/blogs/9.0', id: 9 },
  { path: '/blogs/1.0', id: 1 },
  { path: '/blogs/1', id: 1 },
  { path: '/blogs/2', id: '2' },
  { path: '/blogs/03', id: '03' },
  { path: '/blogs/3', id: 3 },
  { path: '/blogs/3.0', id: 3 },
  { path: '/blogs/a1', id: 'a1' },
  { path: '/blogs/0', id: 0 },
])('GET $path -> the blog with the id $id, besides others that look the same', async ({ path, id }) => {
  await start()
  for (const isShared of [true, false]) {
    const blogs = ['9', 9, 1, '1', '2', '03', 3, 'a1', 0].map((other) => ({ id: other }))
    const other = await serveApp({ data: new MemoryData({ blogs }, { isShared }) })
    expect(json(await ask(other.url, { path }))).toEqual({ blog: { id } })
    await other.close()
  }
})

test.each(['/blogs/%20', '/blogs/%09', '/blogs/-'])('GET %s is not the blog with the id 0', async (path) => {
  await start({ data: { blogs: [{ id: 0 }] } })
  expect((await ask(server.url, { path })).status).toBe(404)
})

describe('as a building block', () => {
  const records = Array.from({ length: 1000 }, (_, id) => ({ id, title: `Title ${id}` }))
  const headers = { 'Accept-Encoding': 'gzip' }
  /** A collection that counts how many times it is read. */
  function collection() {
    const state = { reads: 0, revision: 1 }
    const source: PublicCollection = {
      records: () => {
        state.reads += 1
        return records
      },
      find: () => undefined,
      onReload: () => {},
      revision: () => state.revision,
    }
    return { state, source }
  }

  test.each([
    { options: {}, encoding: 'gzip' },
    { options: { gzip: true }, encoding: 'gzip' },
    { options: { gzip: false }, encoding: undefined },
  ])('the list with $options is sent in the encoding $encoding', async ({ options, encoding }) => {
    server = await serveHandlers(publicReads({ source: collection().source, ...options }))
    expect((await ask(server.url, { path: '/blogs', headers })).headers['content-encoding']).toBe(encoding)
  })

  test.each([
    { options: {}, change: 1, reads: 1 },
    { options: { live: true }, change: 0, reads: 1 },
    { options: { live: true }, change: 1, reads: 2 },
  ])('with $options and $change changes a request reads $reads times', async ({ options, change, reads }) => {
    const { state, source } = collection()
    server = await serveHandlers(publicReads({ source, ...options }))
    await ask(server.url, { path: '/blogs' })
    state.reads = 0
    state.revision += change
    await ask(server.url, { path: '/blogs' })
    expect(state.reads).toBe(reads)
  })
})

test.each([
  { live: undefined, current: false },
  { live: false, current: false },
  { live: true, current: true },
])('with live $live the list is current: $current; a single blog always is', async ({ live, current }) => {
  await start({ live })
  const headers = authorized(await logIn(server.url))
  const before = await ask(server.url, { path: '/blogs' })
  const added = await askJson(server.url, {
    method: 'POST',
    path: '/blogs',
    headers,
    body: { title: 'Four' },
  })
  await askJson(server.url, { method: 'PATCH', path: '/blogs/1', headers, body: { title: 'Uno' } })
  await ask(server.url, { method: 'DELETE', path: '/blogs/2', headers })

  const list = await ask(server.url, { path: '/blogs' })
  expect(list.status).toBe(200)
  if (current) expect(json(list)).toEqual({ blogs: data.state.blogs })
  else expect(list.text).toBe(before.text)

  const { pathname } = new URL(String(added.headers.location))
  expect(json(await ask(server.url, { path: pathname }))).toEqual({ blog: { id: 4, title: 'Four' } })
  expect(json(await ask(server.url, { path: '/blog/1' }))).toMatchObject({ blog: { title: 'Uno' } })
  expect((await ask(server.url, { path: '/blogs/2' })).status).toBe(404)
})

test('after a reload the list is the data as it was loaded again', async () => {
  await start()
  data.replace({ ...sampleData(), blogs: [{ id: 9, title: 'Nine' }] })
  expect(json(await ask(server.url, { path: '/blogs' }))).toEqual({ blogs: [{ id: 9, title: 'Nine' }] })
  expect(json(await ask(server.url, { path: '/blog/9' }))).toEqual({ blog: { id: 9, title: 'Nine' } })
  expect((await ask(server.url, { path: '/blogs/1' })).status).toBe(404)
})

test('after a reload, a client with the old list gets the new one', async () => {
  await start()
  const { etag = '' } = (await ask(server.url, { path: '/blogs' })).headers
  data.replace({ ...sampleData(), blogs: [] })
  const answer = await ask(server.url, { path: '/blogs', headers: { 'If-None-Match': etag } })
  expect(answer.status).toBe(200)
  expect(json(answer)).toEqual({ blogs: [] })
})

describe('of another collection', () => {
  test.each([
    { path: '/tags', status: 200, body: { tags: [{ id: 'a1b2', label: 'tea' }] } },
    { path: '/tags/a1b2', status: 200, body: { tag: { id: 'a1b2', label: 'tea' } } },
    { path: '/tag/a1b2', status: 200, body: { tag: { id: 'a1b2', label: 'tea' } } },
    { path: '/tag/A1B2', status: 404, body: { error: 'Tag not found' } },
    { path: '/tags/1', status: 404, body: { error: 'Tag not found' } },
    { path: '/blogs', status: 401, body: 'Unauthorized' },
    { path: '/blog/1', status: 401, body: 'Unauthorized' },
  ])('GET $path -> $status', async ({ path, status, body }) => {
    await start({ publicCollection: 'tags' })
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(status)
    expect(json(answer)).toEqual(body)
  })

  test.each([
    { id: 'a%20b', status: 200, body: { note: { id: 'a b' } } },
    { id: '1', status: 200, body: { note: { id: '1' } } },
    { id: '01', status: 200, body: { note: { id: '01' } } },
    { id: '%C3%A9', status: 200, body: { note: { id: 'é' } } },
    { id: '2.0', status: 200, body: { note: { id: 2 } } },
    { id: '1.0', status: 404, body: { error: 'Note not found' } },
    { id: 'a', status: 404, body: { error: 'Note not found' } },
  ])('a text id matches exactly: GET /notes/$id -> $status', async ({ id, status, body }) => {
    const notes = [{ id: 'a b' }, { id: '1' }, { id: '01' }, { id: 'é' }, { id: 2 }]
    await start({ data: { notes }, publicCollection: 'notes' })
    const answer = await ask(server.url, { path: `/notes/${id}` })
    expect(answer.status).toBe(status)
    expect(json(answer)).toEqual(body)
  })
})

test.each([
  { publicCollection: false as const, path: '/blogs' },
  { publicCollection: false as const, path: '/blogs/1' },
  { publicCollection: 'profile', path: '/profile' },
  { publicCollection: 'nothing', path: '/nothing' },
  { publicCollection: 'nothing', path: '/nothing/1' },
])('with $publicCollection public GET $path -> 401', async ({ publicCollection, path }) => {
  await start({ publicCollection })
  expect((await ask(server.url, { path })).status).toBe(401)
})
