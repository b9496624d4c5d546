import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { MemoryData } from '../../lib/data/data-source'
import { type AppOptions, createApp } from '../../server'
import { serveApp } from '../support/app'
import { ADA, sampleData } from '../support/data'
import { ask, json, logIn, type Question, serve, type TestServer } from '../support/http'

const SECRET = 'the signing secret of these tests only'

let server: TestServer
let data: MemoryData

async function start(allow: readonly string[], options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(sampleData())
  server = await serveApp({ data, allow, secret: SECRET, publicCollection: false, ...options })
}
afterEach(() => server.close())

function send(line: string, headers: Record<string, string> = {}, body?: unknown) {
  const [method = '', path = ''] = line.split(' ')
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const question: Question = { method, path, headers: { ...type, ...headers } }
  return ask(server.url, body === undefined ? question : { ...question, body: JSON.stringify(body) })
}

async function expectRefused(line: string, headers: Record<string, string> = {}, body?: unknown) {
  const before = JSON.stringify(data.state)
  const answer = await send(line, headers, body)
  expect({ line, status: answer.status, text: answer.text }).toEqual({
    line,
    status: 401,
    text: line.startsWith('HEAD') ? '' : '"Unauthorized"',
  })
  expect(JSON.stringify(data.state)).toBe(before)
}

describe('a request that is allowed needs no token', () => {
  test("a list is json-server's own, with its filters and pages", async () => {
    await start(['GET /posts'])
    const token = await logIn(server.url)
    for (const query of ['', '?_sort=views&_order=desc', '?title_like=^H', '?q=world', '?_page=1&_limit=1']) {
      const anonymous = await send(`GET /posts${query}`)
      const { text, headers } = await send(`GET /posts${query}`, { Authorization: `Bearer ${token}` })
      expect(anonymous.status).toBe(200)
      expect(anonymous.text).toBe(text)
      expect(anonymous.headers['x-total-count']).toBe(headers['x-total-count'])
      expect(anonymous.headers.link).toBe(headers.link)
    }
    expect((await send('HEAD /posts')).status).toBe(200)
    expect((await send('GET /posts?callback=show')).text).toMatch(/^\/\*\*\/ typeof show/)
  })

  test('a sign-up: the new user can log in at once', async () => {
    await start(['POST /users'], { routes: { '/auth/register': '/users' } })
    const eve = { email: 'eve@example.com', password: 'apple' }
    const { status, headers } = await send('POST /auth/register', {}, eve)
    expect(status).toBe(201)
    expect(headers.location).toContain('/users/3')
    expect(await logIn(server.url, eve)).not.toBe('')
  })

  test('a record, a singular resource, and changes of them', async () => {
    await start(['GET /posts/:id', 'DELETE /tags/:id', 'PUT /profile'])
    expect(json(await send('GET /posts/1'))).toMatchObject({ title: 'Hello' })
    expect((await send('GET /posts/9')).status).toBe(404)
    await expectRefused('PATCH /posts/1', {}, { title: 'New' })
    expect((await send('DELETE /tags/a1b2')).status).toBe(200)
    expect((await send('PUT /profile', {}, { name: 'New' })).status).toBe(200)
  })

  test('the method and path after a method override and a rewrite rule count', async () => {
    await start(['PATCH /posts/:id', 'GET /posts'], { routes: { '/articles': '/posts' } })
    const override = { 'X-HTTP-Method-Override': 'PATCH' }
    expect((await send('POST /posts/1', override, { title: 'New' })).status).toBe(200)
    expect((await send('GET /articles')).status).toBe(200)
    await expectRefused('POST /posts/1', {}, {})
    await expectRefused('POST /posts', { 'X-HTTP-Method-Override': 'DELETE' })
  })

  test('read-only, --delay and its own _delay act on it, too', async () => {
    await start(['POST /users', 'GET /posts'], { readOnly: true, delay: 1 })
    expect((await send('POST /users', {}, {})).status).toBe(403)
    const timers = jest.spyOn(globalThis, 'setTimeout')
    expect((await send('GET /posts?_delay=2')).status).toBe(200)
    expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([3])
    timers.mockRestore()
  })

  test('a $schema in the data, which is not a resource, does not mix up the others', async () => {
    await start(['GET /posts'], { data: { $schema: 'schema.json', ...sampleData() } })
    expect((await send('GET /posts')).status).toBe(200)
    await expectRefused('GET /users')
  })

  test('a path that only a custom middleware serves', async () => {
    const health: RequestHandler = (request, response, next) =>
      request.path === '/health' ? response.json({ ok: true, auth: request.auth ?? null }) : next()
    await start(['GET /health'], { middlewares: [health] })
    expect(json(await send('GET /health'))).toEqual({ ok: true, auth: null })
  })
})

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const PATHS = [
  '/users',
  '/users/',
  '/users/1',
  '/Users',
  '/users%2F',
  '/%75sers',
  '/users/1/posts',
  '/posts',
  '/posts/1',
  '/posts/1/',
  '/posts/1/users',
  '/posts/1/comments',
  '/posts/1/posts',
  '/posts%2F1',
  '/posts/..',
  '/posts/../users',
  '//posts',
  '/./posts',
  '/POSTS',
  '/posts;x',
  '/posts//',
  '/comments/1/users',
  '/profile',
  '/profile/1',
  '/tags/a1b2',
  '/db',
  '/auth/me',
  '/',
]
const QUERIES = ['', '?_embed=comments', '?_expand=user', '?_embed[]=comments', '?_embed=', '?x=1']

/**
 * Written down by hand for each set of rules: the paths, by method, that may be read or changed without a
 * token.
 */
const RULES: { allow: string[]; open: Record<string, string[]> }[] = [
  { allow: [], open: {} },
  { allow: ['GET /posts'], open: { GET: ['/posts'], HEAD: ['/posts'] } },
  { allow: ['GET /posts/:id'], open: { GET: ['/posts/1', '/posts/..'], HEAD: ['/posts/1', '/posts/..'] } },
  { allow: ['POST /users'], open: { POST: ['/users'] } },
  { allow: ['POST /comments', 'GET /comments'], open: {} },
  {
    allow: ['GET /posts/1/users', 'POST /posts/1/users', 'GET /users', 'POST /users'],
    open: { GET: ['/users'], HEAD: ['/users'], POST: ['/users'] },
  },
  { allow: ['DELETE /tags/:id', 'PUT /profile'], open: { DELETE: ['/tags/a1b2'], PUT: ['/profile'] } },
  { allow: ['GET /auth/me'], open: {} },
]

describe.each(RULES)('with $allow', ({ allow, open }) => {
  test('everything that is not exactly allowed is 401, and changes nothing', async () => {
    await start(allow)
    const passed: string[] = []
    for (const method of METHODS)
      for (const path of PATHS)
        for (const query of method === 'GET' ? QUERIES : ['']) {
          const line = `${method} ${path}${query}`
          const isOpen = open[method]?.includes(path) && !/_(embed|expand)/.test(query)
          // Without CORS, a preflight would be refused; it has no body.
          if (isOpen || method === 'OPTIONS') continue
          await expectRefused(
            line,
            {},
            ['POST', 'PUT', 'PATCH'].includes(method) ? { title: 'Mine' } : undefined,
          )
          passed.push(line)
        }
    expect(passed.length).toBeGreaterThan(250)
    for (const [method, paths] of Object.entries(open))
      for (const path of paths) expect((await send(`${method} ${path}`)).status).not.toBe(401)
  }, 60_000)
})

describe("whatever a user's middleware does to a request without a token", () => {
  const changes: [string, object][] = [
    ['another address', { url: '/users' }],
    ['an address below', { url: '/posts/1/users' }],
    ['the whole data', { url: '/db' }],
    ['another method', { method: 'DELETE' }],
    ['another collection in the query', { query: { _embed: 'users' } }],
    ['claims', { url: '/users', auth: { exp: 1 } }],
  ]
  test.each(changes)('%s -> 401', async (_title, changed) => {
    const middleware: RequestHandler = (request, _response, next) => {
      Object.assign(request, changed)
      next()
    }
    await start(['GET /posts'], { middlewares: [middleware] })
    await expectRefused('GET /posts')
  })
})

test.each(['/users', '/comments/1/posts', '/posts/1', '/POSTS', '/posts/'])(
  'a middleware leads GET /posts to %s, which a rule opens as well or would lead to what it opens -> 401',
  async (url) => {
    const middleware: RequestHandler = (request, _response, next) => {
      request.url = url
      next()
    }
    await start(['GET /posts', 'GET /posts/:id', 'GET /users'], { middlewares: [middleware] })
    await expectRefused('GET /posts')
  },
)

describe('a token is checked on an allowed path, too', () => {
  test.each([
    ['expired', () => `Bearer ${jwt.sign({ ...ADA, exp: 1 }, SECRET)}`],
    ['signed with another secret', () => `Bearer ${jwt.sign({ ...ADA, exp: 9e9 }, 'another')}`],
    ['of another scheme', () => 'Basic YWRhOmxvdmVsYWNl'],
    ['in lower case', () => `bearer ${jwt.sign({ ...ADA, exp: 9e9 }, SECRET)}`],
    ['empty', () => ''],
  ])('%s -> 401', async (_title, authorization) => {
    await start(['GET /posts', 'POST /posts'])
    await expectRefused('GET /posts', { Authorization: authorization() })
    await expectRefused('POST /posts', { Authorization: authorization() }, { title: 'Mine' })
  })
})

describe('in a sandbox', () => {
  const lab = { 'X-Sandbox': 'lab' }

  test('an allowed request reads and changes its data', async () => {
    await start(['GET /posts', 'POST /posts'], { sandboxes: true })
    expect((await send('GET /posts', lab)).text).not.toContain('Mine')
    expect((await send('POST /posts', lab, { title: 'Mine' })).status).toBe(201)
    expect((await send('GET /posts', lab)).text).toContain('Mine')
    expect((await send('GET /posts')).text).not.toContain('Mine')
  })

  test('any other is refused, and changes nothing', async () => {
    await start(['GET /posts', 'POST /posts'], { sandboxes: true })
    await expectRefused('DELETE /posts/1', lab)
    await expectRefused('POST /users', lab, ADA)
    expect((await send('GET /posts', lab)).text).toBe((await send('GET /posts')).text)
  })
})

test('the document says what needs no token', async () => {
  await start(['POST /users', 'GET /posts/:id'], { docs: true })
  const { paths } = JSON.parse((await send('GET /openapi.json')).text)
  expect(paths['/users'].post.security).toEqual([])
  expect(paths['/posts/{id}'].get.security).toEqual([])
  expect(paths['/posts/{id}'].patch.security).toEqual([{ bearerAuth: [] }])
  expect(paths['/users'].get.security).toEqual([{ bearerAuth: [] }])
  await expectRefused('GET /posts/1?_embed=comments')
})

test('where a rule opens a single record, the document says what holds for the others', async () => {
  data = new MemoryData(sampleData())
  const allow = ['PATCH /posts/2', 'GET /posts/1/comments', 'GET /posts/9', 'GET /posts/:id']
  // Not `serveApp`, which expects that a request needs a token where the document says so.
  server = await serve(createApp({ data, allow, docs: true, log: false }))
  expect((await send('PATCH /posts/2', {}, { title: 'New' })).status).toBe(200)
  await expectRefused('PATCH /posts/1', {}, { title: 'New' })
  await expectRefused('GET /posts/1/comments')
  const { paths } = JSON.parse((await send('GET /openapi.json')).text)
  expect(paths['/posts/{id}'].patch.security).toEqual([{ bearerAuth: [] }])
  expect(paths['/posts/{id}'].get.security).toEqual([])
  expect(paths['/posts/{id}/comments'].get.security).toEqual([{ bearerAuth: [] }])
})
