import { MemoryData } from '../../lib/data/data-source'
import type { PublicCollection } from '../../lib/json-server/public-collection'
import { publicReads } from '../../middlewares/public-reads'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { memoryData, sampleData } from '../support/data'
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

  test.each(['/blogs', '/blogs?', '/blogs?id=2'])('GET %s -> 200 and the list', async (path) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify({ blogs }, null, 2))
  })

  test.each([
    { why: 'by the plural', path: '/blogs/1', blog: ONE },
    { why: 'by the singular', path: '/blog/1', blog: ONE },
    { why: 'another by the plural', path: '/blogs/2', blog: TWO },
    { why: 'another by the singular', path: '/blog/2', blog: TWO },
    { why: 'a zero before the digit', path: '/blogs/01', blog: ONE },
    { why: 'a decimal number', path: '/blogs/1.0', blog: ONE },
    { why: 'zeros on both sides', path: '/blog/002.00', blog: TWO },
    { why: 'an exponent', path: '/blogs/1e0', blog: ONE },
    { why: 'an encoded digit', path: '/blogs/%31', blog: ONE },
    { why: 'an encoded digit by the singular', path: '/blog/%31', blog: ONE },
    { why: 'with a query', path: '/blogs/1?id=2', blog: ONE },
  ])('$why: GET $path -> 200', async ({ path, blog }) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify({ blog }, null, 2))
  })

  test.each([
    { why: 'behind the last', path: '/blogs/4' },
    { why: 'behind the last, by the singular', path: '/blog/4' },
    { why: 'before the first', path: '/blogs/0' },
    { why: 'a negative number', path: '/blogs/-1' },
    { why: 'between two', path: '/blogs/1.5' },
    { why: 'a digit and a letter', path: '/blogs/1a' },
    { why: 'NaN', path: '/blogs/NaN' },
    { why: 'Infinity', path: '/blogs/Infinity' },
    { why: 'undefined', path: '/blogs/undefined' },
    { why: 'null', path: '/blogs/null' },
    { why: 'a space', path: '/blogs/%20' },
    { why: 'the folder above', path: '/blogs/..' },
    { why: 'an encoded slash and another collection', path: '/blogs/1%2Fusers' },
    { why: 'an encoded path to another collection', path: '/blogs/%2e%2e%2fusers' },
    { why: 'the prototype', path: '/blogs/__proto__' },
    { why: 'a property of each object', path: '/blogs/constructor' },
    { why: 'a property of the list', path: '/blogs/length' },
    { why: 'thirty digits', path: '/blogs/999999999999999999999999999999' },
  ])('$why: GET $path -> 404', async ({ path }) => {
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify(NOT_FOUND, null, 2))
  })

  test.each([
    { why: 'a percent sign alone', path: '/blogs/%' },
    { why: 'half of a character', path: '/blogs/%E0%A4%A' },
    { why: 'no hexadecimal digits', path: '/blog/%zz' },
  ])('$why: GET $path -> 400', async ({ path }) => {
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
  { why: 'a number beside its text', path: '/blogs/9', id: 9 },
  { why: 'a zero before it', path: '/blogs/09', id: 9 },
  { why: 'a decimal number', path: '/blogs/9.0', id: 9 },
  { why: 'a decimal number beside a text', path: '/blogs/1.0', id: 1 },
  { why: 'a number before its text', path: '/blogs/1', id: 1 },
  { why: 'a text alone', path: '/blogs/2', id: '2' },
  { why: 'a text with a zero before it', path: '/blogs/03', id: '03' },
  { why: 'a number beside a text with a zero', path: '/blogs/3', id: 3 },
  { why: 'a decimal number beside both', path: '/blogs/3.0', id: 3 },
  { why: 'letters', path: '/blogs/a1', id: 'a1' },
  { why: 'zero', path: '/blogs/0', id: 0 },
])('$why: GET $path -> the blog with the id $id, besides others that look the same', async ({ path, id }) => {
  await start()
  for (const isShared of [true, false]) {
    const blogs = ['9', 9, 1, '1', '2', '03', 3, 'a1', 0].map((other) => ({ id: other }))
    const other = await serveApp({ data: memoryData({ blogs }, { isShared }) })
    expect(json(await ask(other.url, { path }))).toEqual({ blog: { id } })
    await other.close()
  }
})

test.each(['/blogs/%20', '/blogs/%09', '/blogs/-'])('GET %s is not the blog with the id 0', async (path) => {
  await start({ data: { blogs: [{ id: 0 }] } })
  expect((await ask(server.url, { path })).status).toBe(404)
})

describe('as a building block', () => {
  const headers = { 'Accept-Encoding': 'gzip' }

  /** A collection whose texts are counted. */
  function collection() {
    const counts = { texts: 0 }
    const newRecords = () => {
      const text = () => {
        counts.texts += 1
        return { title: 'One' }
      }
      return [{ toJSON: text }, ...Array.from({ length: 1000 }, (_, id) => ({ id, title: `Title ${id}` }))]
    }
    const state = { records: newRecords(), loaded: newRecords() }
    const source: PublicCollection = {
      records: () => state.records,
      loaded: () => state.loaded,
      find: () => undefined,
    }
    return { counts, newRecords, source, state }
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
    { live: false, changed: 'records', texts: 1 },
    { live: false, changed: 'loaded', texts: 2 },
    { live: true, changed: 'records', texts: 2 },
    { live: true, changed: 'loaded', texts: 1 },
    { live: true, changed: undefined, texts: 1 },
  ] as const)(
    'with live $live, two requests make $texts texts where other $changed come between',
    async ({ live, changed, texts }) => {
      const { counts, newRecords, source, state } = collection()
      server = await serveHandlers(publicReads({ source, live }))
      await ask(server.url, { path: '/blogs' })
      if (changed !== undefined) state[changed] = newRecords()
      await ask(server.url, { path: '/blogs' })
      expect(counts.texts).toBe(texts)
    },
  )
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

test('a record that is changed in place before anybody has asked for the list is there as it was loaded', async () => {
  const source = new MemoryData(sampleData())
  server = await serveApp({ data: source })
  source.share()
  Object.assign(Object(source.state.blogs)[0], { title: 'Changed' })
  expect(json(await ask(server.url, { path: '/blogs' }))).toEqual({ blogs })
})

test('the list is empty where the collection was added after the data was loaded', async () => {
  const { blogs: _blogs, ...others } = sampleData()
  const source = new MemoryData(others)
  server = await serveApp({ data: source })
  await source.commit({ ...source.state, blogs })
  expect(json(await ask(server.url, { path: '/blogs' }))).toEqual({ blogs: [] })
})

test('a change makes no text of the list that nobody has asked for', async () => {
  let texts = 0
  class Blog {
    readonly id = 1
    toJSON(): object {
      texts += 1
      return { id: 1, title: 'One' }
    }
  }
  const source = new MemoryData({ ...sampleData(), blogs: [new Blog()] })
  server = await serveApp({ data: source })
  const headers = authorized(await logIn(server.url))
  const before = texts
  await askJson(server.url, { method: 'POST', path: '/blogs', headers, body: { title: 'Two' } })
  await ask(server.url, { method: 'DELETE', path: '/blogs/2', headers })
  expect(texts).toBe(before)
  const list = { blogs: [{ id: 1, title: 'One' }] }
  expect(json(await ask(server.url, { path: '/blogs' }))).toEqual(list)
  expect(texts).toBe(before + 1)
})

test('the list keeps what was changed and deleted before anybody has asked for it', async () => {
  const source = new MemoryData(sampleData())
  server = await serveApp({ data: source })
  const headers = authorized(await logIn(server.url))
  await askJson(server.url, { method: 'PUT', path: '/blogs/1', headers, body: { title: 'Uno' } })
  await ask(server.url, { method: 'DELETE', path: '/blogs/2', headers })
  await askJson(server.url, { method: 'POST', path: '/blogs', headers, body: { title: 'Four' } })
  expect(json(await ask(server.url, { path: '/blogs' }))).toEqual({ blogs })
})

test('once many were asked for, no record is looked at for an id that none has', async () => {
  let looks = 0
  const record = {
    get id() {
      looks += 1
      return 1
    },
  }
  server = await serveApp({ data: new MemoryData({ blogs: [record] }) })
  const statuses = async (count: number) => {
    const paths = Array.from({ length: count }, (_, index) => `/blogs/${index + 2}`)
    return Promise.all(paths.map(async (path) => (await ask(server.url, { path })).status))
  }
  await statuses(10)
  looks = 0
  expect([await statuses(2), looks]).toEqual([[404, 404], 0])
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
    { why: 'the list', path: '/tags', status: 200, body: { tags: [{ id: 'a1b2', label: 'tea' }] } },
    {
      why: 'one by the plural',
      path: '/tags/a1b2',
      status: 200,
      body: { tag: { id: 'a1b2', label: 'tea' } },
    },
    {
      why: 'one by the singular',
      path: '/tag/a1b2',
      status: 200,
      body: { tag: { id: 'a1b2', label: 'tea' } },
    },
    { why: 'an id in capitals', path: '/tag/A1B2', status: 404, body: { error: 'Tag not found' } },
    { why: 'an unknown id', path: '/tags/1', status: 404, body: { error: 'Tag not found' } },
    { why: 'the usual collection', path: '/blogs', status: 401, body: 'Unauthorized' },
    { why: 'one of the usual collection', path: '/blog/1', status: 401, body: 'Unauthorized' },
  ])('$why: GET $path -> $status', async ({ path, status, body }) => {
    await start({ publicCollection: 'tags' })
    const answer = await ask(server.url, { path })
    expect(answer.status).toBe(status)
    expect(json(answer)).toEqual(body)
  })

  test.each([
    { why: 'an encoded space', id: 'a%20b', status: 200, body: { note: { id: 'a b' } } },
    { why: 'a digit', id: '1', status: 200, body: { note: { id: '1' } } },
    { why: 'a digit behind a zero', id: '01', status: 200, body: { note: { id: '01' } } },
    { why: 'an encoded letter', id: '%C3%A9', status: 200, body: { note: { id: 'é' } } },
    { why: 'a decimal number, which no id is as text', id: '2.0', status: 200, body: { note: { id: 2 } } },
    { why: 'a digit that is a text', id: '1.0', status: 404, body: { error: 'Note not found' } },
    { why: 'a part', id: 'a', status: 404, body: { error: 'Note not found' } },
  ])('a text id matches exactly, $why: GET /notes/$id -> $status', async ({ id, status, body }) => {
    const notes = [{ id: 'a b' }, { id: '1' }, { id: '01' }, { id: 'é' }, { id: 2 }]
    await start({ data: { notes }, publicCollection: 'notes' })
    const answer = await ask(server.url, { path: `/notes/${id}` })
    expect(answer.status).toBe(status)
    expect(json(answer)).toEqual(body)
  })
})

test.each([
  { why: 'no collection', publicCollection: false as const, path: '/blogs' },
  { why: 'no collection, one record', publicCollection: false as const, path: '/blogs/1' },
  { why: 'a singular resource', publicCollection: 'profile', path: '/profile' },
  { why: 'a missing collection', publicCollection: 'nothing', path: '/nothing' },
  { why: 'a missing collection, one record', publicCollection: 'nothing', path: '/nothing/1' },
])('$why is public: GET $path -> 401', async ({ publicCollection, path }) => {
  await start({ publicCollection })
  expect((await ask(server.url, { path })).status).toBe(401)
})
