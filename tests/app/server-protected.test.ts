import type { RequestHandler } from 'express'
import { MemoryData } from '../../lib/data/data-source'
import { HttpError } from '../../lib/errors'
import { type AppOptions, createApp } from '../../server'
import { serveApp } from '../support/app'
import { ADA, sampleData } from '../support/data'
import { ask, askJson, authorized, json, logIn, serve, type TestServer, until } from '../support/http'
import { servePlain } from '../support/json-server'

let server: TestServer
let headers: Record<string, string>
let bodies: unknown[] = []

const record: RequestHandler = (request, _response, next) => {
  bodies.push(request.body)
  next()
}

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  bodies = []
  server = await serveApp({ data: sampleData(), middlewares: [record], ...options })
  headers = authorized(await logIn(server.url))
}

/** Starts an application with a middleware whose responses are not in the document. */
async function startAnswering(
  middleware: RequestHandler,
  data: AppOptions['data'] = sampleData(),
): Promise<void> {
  server = await serve(createApp({ data, log: false, middlewares: [middleware] }))
  headers = authorized(await logIn(server.url))
}

afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

function delays(timers: jest.SpyInstance): unknown[] {
  return timers.mock.calls.map(([, milliseconds]) => milliseconds)
}

test.each([
  { method: 'GET', status: 200 },
  { method: 'HEAD', status: 200 },
  { method: 'OPTIONS', status: 204 },
  { method: 'PUT', status: 403 },
  { method: 'PATCH', status: 403 },
  { method: 'DELETE', status: 403 },
])('read-only: $method /users/1 -> $status, and 401 without a token', async ({ method, status }) => {
  await start({ readOnly: true })
  expect((await ask(server.url, { method, path: '/users/1', headers })).status).toBe(status)
  const anonymous = method === 'OPTIONS' ? 204 : 401
  expect((await ask(server.url, { method, path: '/users/1' })).status).toBe(anonymous)
  const users = await ask(server.url, { path: '/users', headers })
  expect(json(users)).toEqual(sampleData().users)
})

test('read-only: the login, the public reads and the user lookup still work', async () => {
  await start({ readOnly: true })
  expect((await askJson(server.url, { method: 'POST', path: '/auth/login', body: ADA })).status).toBe(200)
  expect((await ask(server.url, { path: '/blogs' })).status).toBe(200)
  expect((await ask(server.url, { method: 'POST', path: '/api/users.php' })).status).toBe(405)
})

test('the delay comes after the middlewares: their responses are not delayed', async () => {
  const queries: unknown[] = []
  const mine: RequestHandler = (request, response, next) => {
    queries.push({ ...request.query })
    if (request.path === '/mine') response.status(204).end()
    else next()
  }
  await start({ delay: 5, middlewares: [mine] })
  const timers = jest.spyOn(globalThis, 'setTimeout')
  expect((await ask(server.url, { path: '/mine?_delay=2', headers })).status).toBe(204)
  expect((await ask(server.url, { method: 'POST', path: '/users', headers, body: '{' })).status).toBe(400)
  expect(delays(timers)).toEqual([])
  expect(queries).toEqual([{ _delay: '2' }])
  const users = await ask(server.url, { path: '/users?_delay=2', headers })
  expect(delays(timers)).toContain(7)
  expect(json(users)).toEqual(sampleData().users)
})

test.each([
  { title: 'with gzip', gzip: true, encoding: 'gzip' },
  { title: 'by default', gzip: undefined, encoding: 'gzip' },
  { title: 'without gzip', gzip: false, encoding: undefined },
])(
  '$title the responses of the middlewares and the router have the encoding $encoding',
  async ({ gzip, encoding }) => {
    const long: RequestHandler = (request, response, next) => {
      if (request.path === '/long') response.json('x'.repeat(5000))
      else next()
    }
    const blogs = Array.from({ length: 100 }, (_, id) => ({ id, title: 'A blog' }))
    await start({ gzip, middlewares: [long], data: { ...sampleData(), blogs } })
    for (const path of ['/long', '/blogs/', '/blogs']) {
      const answer = await ask(server.url, { path, headers: { ...headers, 'Accept-Encoding': 'gzip' } })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe(encoding)
    }
  },
)

test.each([
  { body: '{', error: expect.stringContaining('JSON'), seen: [] },
  { body: '1', error: expect.stringContaining('JSON'), seen: [] },
  { body: 'null', error: expect.stringContaining('JSON'), seen: [] },
  { body: '[1]', error: expect.stringContaining('object'), seen: [[1]] },
  {
    body: '{"toString":{}}',
    error: expect.stringContaining('toString'),
    seen: [{ toString: {} }],
  },
])('the body $body does not reach the router -> 400', async ({ body, error, seen }) => {
  await start()
  const answer = await ask(server.url, { method: 'POST', path: '/users', headers, body })
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error })
  expect(bodies).toEqual(seen)
  expect(json(await ask(server.url, { path: '/users', headers }))).toEqual(sampleData().users)
})

/** Reads a body as a string, as a user's own parser may do. */
const readText: RequestHandler = async (request, response, next) => {
  if (request.headers['content-type'] === 'application/json') return next()
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.path === '/echo') response.json(text)
  else {
    request.body = { title: text }
    next()
  }
}

test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json-patch+json', 'image/png'])(
  'a middleware can read a body of the type %s, and the router stores the body that it sets',
  async (type) => {
    await startAnswering(readText)
    const typed = { ...headers, 'Content-Type': type }
    const echo = { method: 'PATCH', path: '/echo', headers: typed, body: '[{"op":"test"}]' }
    expect(json(await ask(server.url, echo))).toBe('[{"op":"test"}]')
    const stored = await ask(server.url, { method: 'POST', path: '/blogs', headers: typed, body: 'a text' })
    expect(stored.status).toBe(201)
    expect(json(stored)).toEqual({ id: 4, title: 'a text' })
  },
)

test('a body that nothing has read -> 415, whatever a middleware has added', async () => {
  const stamp: RequestHandler = (request, _response, next) => {
    request.body.stamped = true
    next()
  }
  await start({ middlewares: [stamp] })
  const plain = { ...headers, 'Content-Type': 'text/plain' }
  for (const [method = '', path = ''] of [
    ['POST', '/blogs'],
    ['PUT', '/blogs/1'],
    ['PATCH', '/profile'],
    ['POST', '/users/1/blogs'],
  ]) {
    const answer = await ask(server.url, { method, path, headers: plain, body: '{"title":"x"}' })
    expect(answer.status).toBe(415)
  }
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' }
  const empty = await ask(server.url, { method: 'PATCH', path: '/users/1', headers: chunked, body: '' })
  expect(json(empty)).toMatchObject({ id: 1, stamped: true })
})

test.each([
  ['POST /blogs', { id: 4, title: 'mine' }],
  ['PUT /blogs/1', { id: 1, title: 'mine' }],
  ['PUT /profile', { title: 'mine' }],
  ['POST /users/1/blogs', { id: 4, title: 'mine', userId: '1' }],
])(
  '%s with a body that a middleware has put in the place of one that nothing has read',
  async (line, stored) => {
    const replace: RequestHandler = (request, _response, next) => {
      request.body = { title: 'mine' }
      next()
    }
    const data = new MemoryData(sampleData())
    await start({ data, middlewares: [replace] })
    const [method = '', path = ''] = line.split(' ')
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      data.replace(sampleData())
      const typed = { ...headers, 'Content-Type': type }
      const answer = await ask(server.url, { method, path, headers: typed, body: '{"title":"x"}' })
      expect(answer.status).toBe(method === 'POST' ? 201 : 200)
      expect(json(answer)).toEqual(stored)
    }
  },
)

test('a middleware can read a body that the parsers ignore into the object that they leave', async () => {
  const fill: RequestHandler = (request, _response, next) => {
    request.on('data', (chunk) => {
      request.body.title = String(chunk)
    })
    request.on('end', () => next())
  }
  await start({ middlewares: [fill] })
  const plain = { ...headers, 'Content-Type': 'text/plain' }
  const answer = await ask(server.url, { method: 'POST', path: '/blogs', headers: plain, body: 'mine' })
  expect(json(answer)).toEqual({ id: 4, title: 'mine' })
})

test('the middlewares see the parsed body that the router then stores', async () => {
  const stamp: RequestHandler = (request, _response, next) => {
    if (request.method === 'POST') request.body.stamped = request.auth?.email
    next()
  }
  await start({ middlewares: [record, stamp] })
  const body = { title: 'New' }
  const answer = await askJson(server.url, { method: 'POST', path: '/blogs', headers, body })
  expect(answer.status).toBe(201)
  expect(json(answer)).toEqual({ title: 'New', stamped: ADA.email, id: 4 })
  expect(bodies).toHaveLength(1)
})

test('a middleware can respond instead of the router, but only with a token', async () => {
  await startAnswering((_request, response) => {
    response.json('mine')
  })
  expect((await ask(server.url, { path: '/users', headers })).text).toBe('"mine"')
  expect((await ask(server.url, { path: '/nothing', headers })).text).toBe('"mine"')
  expect((await ask(server.url, { path: '/nothing' })).text).toBe('"Unauthorized"')
  expect((await ask(server.url, { path: '/blogs' })).text).not.toContain('mine')
})

test('a middleware sees after the response where the request went', async () => {
  const urls: string[] = []
  await startAnswering((request, response, next) => {
    response.on('finish', () => urls.push(request.url))
    next()
  })
  await ask(server.url, { path: '/users/1?_embed=posts', headers })
  await until(() => urls.length > 0)
  expect(urls).toEqual(['/users/1?_embed=posts'])
})

interface Shaping {
  title: string
  middleware: RequestHandler
}

test.each<Shaping>([
  {
    title: 'wraps res.jsonp',
    middleware: (_request, response, next) => {
      const jsonp = response.jsonp.bind(response)
      response.jsonp = (body) => jsonp({ body })
      next()
    },
  },
  {
    title: 'wraps res.send',
    middleware: (_request, response, next) => {
      const send = response.send.bind(response)
      response.send = (body) => send(String(body).toUpperCase())
      next()
    },
  },
  {
    title: 'wraps res.set',
    middleware: (_request, response, next) => {
      const set = response.set.bind(response)
      const withoutTag = (name: string, value: string) => (name === 'ETag' ? response : set(name, value))
      next(void Object.assign(response, { set: withoutTag }))
    },
  },
  {
    title: 'sets a content type',
    middleware: (_request, response, next) => next(void response.type('application/vnd.api+json')),
  },
  {
    title: 'sets an ETag',
    middleware: (_request, response, next) => next(void response.set('ETag', '"mine"')),
  },
  ...[204, 205, 304].map(
    (status): Shaping => ({
      title: `sets the status ${status}, which has no body,`,
      middleware: (_request, response, next) => next(void response.status(status)),
    }),
  ),
  ...[
    { setting: 'json spaces', value: 0 },
    { setting: 'json escape', value: true },
    { setting: 'json replacer', value: ['id', 'name'] },
    { setting: 'etag', value: false },
  ].map(
    ({ setting, value }): Shaping => ({
      title: `changes the setting "${setting}"`,
      middleware: ({ app }, _response, next) => next(void app.set(setting, value)),
    }),
  ),
])("a middleware that $title shapes the router's responses as with json-server", async ({ middleware }) => {
  const data = () => ({ ...sampleData(), tags: [{ id: 'a1b2', label: '<tea>' }] })
  const plain = await servePlain(data(), { middlewares: [middleware] })
  await startAnswering(middleware, new MemoryData(data()))
  const shape = async (url: string, path: string) => {
    const { status, headers: sent, text } = await ask(url, { path, headers })
    const { 'content-type': type, 'content-length': length, 'x-content-type-options': options, etag } = sent
    return { path, status, type, length, options, etag, text }
  }
  for (const path of ['/users/1', '/users?_limit=1', '/tags/a1b2', '/db', '/nothing']) {
    expect(await shape(server.url, path)).toEqual(await shape(plain.url, path))
  }
  await plain.close()
})

test.each([
  {
    error: new HttpError({ status: 402, message: 'Pay first.' }),
    status: 402,
    body: { error: 'Pay first.' },
  },
  {
    error: new Error('lovelace'),
    status: 500,
    body: { error: expect.stringContaining('console') },
  },
])('the error handler is last: $error of a middleware -> $status', async ({ error, status, body }) => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  await startAnswering(() => {
    throw error
  })
  const answer = await ask(server.url, { path: '/users', headers })
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual(body)
})

test.each([
  { path: '/users/%E0%A4%A', status: 400 },
  { path: '/users?q[a]=b', status: 400 },
  { path: '/users?name_like=(', status: 400 },
  { path: '/users?name_like=(&id_gte=1', status: 400 },
  { path: '/blogs/1/users?name_like=a&name_like=[', status: 400 },
])('GET $path with a token -> $status, in JSON', async ({ path, status }) => {
  await start()
  const answer = await ask(server.url, { path, headers })
  expect(answer.status).toBe(status)
  expect(json(answer)).toEqual({ error: expect.stringMatching(/\.$/) })
})

test('the refusal of a body is compressed like any other response, so it varies by encoding', async () => {
  await start()
  for (const body of ['{', '[]']) {
    const answer = await ask(server.url, { method: 'POST', path: '/users', headers, body })
    expect(answer.status).toBe(400)
    expect(answer.headers.vary).toContain('Accept-Encoding')
  }
})

describe('without CORS and without a token, nothing responds before the token check', () => {
  const TARGETS = ['/', '/docs', '/docs/', '/docs/page.mjs', '/docs/%E0', '/openapi.json', '/auth/login']
  const SANDBOX = ['/__sandbox', '/__sandbox/reset', '/__sandbox/faults', '/__sandbox/requests']
  const RESOURCES = ['/blogs', '/blogs/1', '/users', '/users/1/posts', '/profile', '/db', '/__rules', '*']

  test.each(['OPTIONS', 'TRACE', 'PROPFIND', 'DELETE'])('%s', async (method) => {
    server = await serve(
      createApp({
        data: sampleData(),
        cors: false,
        docs: true,
        sandboxes: true,
        static: __dirname,
        routes: { '/api/*': '/$1' },
        log: false,
      }),
    )
    const gzip = { 'Accept-Encoding': 'gzip' }
    const expected = await ask(server.url, { method, path: '/nothing', headers: gzip })
    expect(expected.status).toBe(401)
    for (const path of [...TARGETS, ...SANDBOX, ...RESOURCES]) {
      const { status, headers: found, text } = await ask(server.url, { method, path, headers: gzip })
      const { headers, text: body } = expected
      expect({ path, status, text, headers: Object.entries({ ...found, date: '' }) }).toEqual({
        path,
        status: 401,
        text: body,
        headers: Object.entries({ ...headers, date: '' }),
      })
    }
  })
})
