import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import { type AppOptions, createApp } from '../../../../server'
import { serveApp } from '../../../support/app'
import { ADA, sampleData } from '../../../support/data'
import { ask, json, logInTo, send, serve, type TestServer } from '../../../support/http'

let server: TestServer
let token: string

/** Starts a server, and makes a sandbox, of which the token has the name. */
async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: sampleData(), sandboxes: true, ...options })
  token = await logInTo(server.url, 'lab')
  await reset()
}
afterEach(() => server.close())

const reset = () => send(server.url, 'POST /__sandbox/reset', { token })

async function requests(query = '', sandbox?: string): Promise<unknown> {
  return json(await send(server.url, `GET /__sandbox/requests${query}`, { token, sandbox }))
}

describe('each request, as it was sent', () => {
  beforeEach(() => start({ routes: { '/api/*': '/$1' } }))

  test.each([
    { why: 'a public list', line: 'GET /blogs', status: 200 },
    { why: 'its headers', line: 'HEAD /blogs', status: 200 },
    { why: 'a record that is missing', line: 'GET /blogs/9', status: 404 },
    { why: 'a list', line: 'GET /users', status: 200 },
    { why: 'a path that is missing', line: 'GET /nothing', status: 404 },
    { why: 'a path behind a rule', line: 'GET /api/users', status: 200 },
    { why: 'the user lookup', line: 'GET /api/users.php', query: { id: '1' }, status: 200 },
    { why: 'parameters', line: 'GET /posts', query: { q: 'a b', id: ['1', '2'], _page: '2' }, status: 200 },
    { why: 'a DELETE', line: 'DELETE /tags/a1b2', status: 200 },
    { why: 'a PATCH', line: 'PATCH /posts/1', body: { title: 'New', views: 0 }, status: 200 },
    {
      why: 'values that look like secrets',
      line: 'POST /tags',
      body: { title: 'password=x', eyJ: 'eyJust a word' },
      status: 201,
    },
    { why: 'a refused body', line: 'POST /tags', body: [1], status: 400 },
  ])('$why: $line -> $status', async ({ line, query = {}, body, status }) => {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
    )
    await send(server.url, search.size > 0 ? `${line}?${search.toString()}` : line, { token, body })
    const [method, path] = line.split(' ')
    const rewritten = line === 'GET /api/users' ? { rewritten: '/users' } : {}
    expect(await requests()).toEqual([{ method, path, ...rewritten, query, body: body ?? null, status }])
  })

  test('a record that gets its id from the server is listed without one', async () => {
    await send(server.url, 'POST /posts', { token, body: { title: 'New' } })
    expect(await requests()).toMatchObject([{ body: { title: 'New' }, status: 201 }])
    expect(JSON.stringify(await requests())).not.toContain('"id"')
  })

  test('a login, and a refused one, without the password and the token', async () => {
    await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: ADA })
    await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: { ...ADA, password: 'wrong' } })
    const body = { email: ADA.email, password: '***' }
    expect(await requests()).toMatchObject([
      { body, status: 200 },
      { body, status: 401 },
    ])
  })

  test('without a token nothing is parsed', async () => {
    await send(server.url, 'POST /users', { sandbox: 'lab', body: ADA })
    expect(await requests()).toMatchObject([{ path: '/users', body: null, status: 401 }])
  })

  test('an overridden method is listed as it was sent', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'X-HTTP-Method-Override': 'DELETE' }
    await ask(server.url, { method: 'POST', path: '/tags/a1b2', headers })
    expect(await requests()).toMatchObject([{ method: 'POST', path: '/tags/a1b2', status: 200 }])
  })

  test('neither preflights nor requests that control the sandbox, with or without a token', async () => {
    const headers = {
      'X-Sandbox': 'lab',
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'GET',
    }
    await ask(server.url, { method: 'OPTIONS', path: '/blogs', headers })
    await requests()
    await send(server.url, 'PUT /__sandbox/faults', { token, body: [] })
    await send(server.url, 'GET /__sandbox/nothing', { token })
    await send(server.url, 'DELETE /__sandbox', { sandbox: 'lab' })
    expect(await requests()).toEqual([])
  })
})

describe('bodies of every type', () => {
  const changeBody: RequestHandler = (request, _response, next) => {
    if (request.query.change === 'yes') request.body = { label: 'changed' }
    next()
  }
  beforeEach(() => start({ middlewares: [express.text(), changeBody] }))

  test.each([
    { type: 'application/x-www-form-urlencoded', text: 'title=a&title=b', body: { title: ['a', 'b'] } },
    {
      type: 'application/x-www-form-urlencoded',
      text: 'password=x&page=1',
      body: { password: '***', page: '1' },
    },
    { type: 'application/json', text: '{"title": ', body: null },
    { type: 'application/json', text: '7', body: null },
    { type: 'application/json', text: '{}', body: {} },
    { type: 'application/octet-stream', text: 'bytes', body: null },
    { type: 'text/plain', text: 'a text', body: 'a text' },
  ])('$type $text', async ({ type, text, body }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
    await ask(server.url, { method: 'POST', path: '/tags', headers, body: text })
    expect(await requests()).toMatchObject([{ path: '/tags', body }])
  })

  test('what a middleware puts in the place of a body is handled, and what was sent is kept', async () => {
    const answer = await send(server.url, 'POST /tags?change=yes', { token, body: { label: 'sent' } })
    expect(json(answer)).toMatchObject({ label: 'changed' })
    expect(await requests()).toMatchObject([{ body: { label: 'sent' } }])
  })

  test('one of more than 1 MB is left out, however it was sent', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    for (const [more, bytes] of [
      [{}, body],
      [{ 'Transfer-Encoding': 'chunked' }, body],
      [{ 'Content-Encoding': 'gzip' }, gzipSync(body)],
    ] as const)
      await ask(server.url, { method: 'POST', path: '/tags', headers: { ...headers, ...more }, body: bytes })
    const large = { method: 'POST', path: '/tags', query: {}, status: 201, truncated: true }
    expect(await requests()).toEqual([large, large, large])
  })

  test('what has the name of a secret in a query is blanked', async () => {
    await send(server.url, 'GET /tags?password=a&user[password]=b&code=d', { token })
    const query = { password: '***', user: { password: '***' }, code: 'd' }
    expect(await requests()).toMatchObject([{ query }])
  })
})

test('a login with a body that is nested deep is listed, and the server goes on', async () => {
  await start()
  const nested = `${'['.repeat(4_900)}${']'.repeat(4_900)}`
  const login = {
    method: 'POST',
    path: '/auth/login',
    headers: { 'X-Sandbox': 'lab', 'Content-Type': 'application/json' },
    body: `{"email":"${ADA.email}","password":"${ADA.password}","a":${nested}}`,
  }
  expect(await ask(server.url, login)).toMatchObject({ status: 200 })
  expect(await requests()).toEqual([
    { method: 'POST', path: '/auth/login', query: {}, status: 200, truncated: true },
  ])
})

describe('requests without a response', () => {
  beforeEach(() => start())
  const fail = (rule: object) => send(server.url, 'PUT /__sandbox/faults', { token, body: [rule] })

  test('a fault has its status and no body; a dropped connection has 0', async () => {
    await fail({ path: '/tags', status: 503, times: 1 })
    await send(server.url, 'POST /tags', { token, body: {} })
    await fail({ path: '/tags', drop: true })
    await send(server.url, 'POST /tags', { token, body: {} }).catch(() => {})
    expect(await requests()).toMatchObject([
      { body: null, status: 503 },
      { body: null, status: 0 },
    ])
  })

  test('a request that waits is there, in the order of arrival, before its response', async () => {
    await fail({ path: '/slow', delay: 60_000 })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(`GET /slow HTTP/1.1\r\nHost: localhost\r\nX-Sandbox: lab\r\n\r\n`)
    while (JSON.stringify(await requests()) === '[]');
    await send(server.url, 'GET /tags', { token })
    expect(await requests()).toMatchObject([
      { path: '/slow', status: 0 },
      { path: '/tags', status: 200 },
    ])
    socket.destroy()
    await once(socket, 'close')
  })
})

describe('which requests', () => {
  beforeEach(() => start())

  test('the filters select them; two values for one filter are refused', async () => {
    for (const line of ['GET /blogs', 'POST /blogs', 'GET /blogs/1', 'GET /users'])
      await send(server.url, line, { token, body: line.startsWith('POST') ? {} : undefined })
    expect(await requests('?method=POST')).toMatchObject([{ path: '/blogs' }])
    expect(await requests('?path=/blogs')).toMatchObject([{ method: 'GET' }, { method: 'POST' }])
    expect(await requests('?path=/blogs/:id')).toMatchObject([{ path: '/blogs/1' }])
    expect(await requests('?method=DELETE')).toEqual([])
    expect(await requests('?method=GET&method=POST')).toEqual({ error: expect.stringContaining('"method"') })
  })

  test('only those of one sandbox, from the first that names it or from its reset on', async () => {
    await logInTo(server.url, 'other')
    await send(server.url, 'GET /blogs')
    await send(server.url, 'GET /blogs', { sandbox: 'nobody' })
    expect(await requests()).toEqual([])
    token = await logInTo(server.url)
    expect(await requests('', 'nobody')).toMatchObject([{ method: 'GET', path: '/blogs', status: 200 }])
    await send(server.url, 'POST /tags', { sandbox: 'changed', token, body: { id: 'x' } })
    await send(server.url, 'GET /tags', { sandbox: 'changed', token })
    expect(await requests('', 'other')).toMatchObject([{ method: 'POST', path: '/auth/login', status: 200 }])
    expect(await requests('', 'changed')).toMatchObject([
      { method: 'POST', path: '/tags', body: { id: 'x' }, status: 201 },
      { method: 'GET', path: '/tags', status: 200 },
    ])
  })

  test('under load: each request once, with its status, in the order of arrival on a connection', async () => {
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        for (let count = 0; count < 10; count += 1)
          await send(server.url, 'POST /tags', { token, body: { id: `${client}-${count}` } })
      }),
    )
    const kept = await requests('?path=/tags')
    const ids: string[] = Array.isArray(kept) ? kept.map(({ body, status }) => `${body.id} ${status}`) : []
    expect(new Set(ids).size).toBe(80)
    for (let client = 0; client < 8; client += 1)
      expect(ids.filter((id) => id.startsWith(`${client}-`))).toEqual(
        Array.from({ length: 10 }, (_, count) => `${client}-${count} 201`),
      )
  })

  test('only with a token, and only for a sandbox', async () => {
    expect((await send(server.url, 'GET /__sandbox/requests', { sandbox: 'lab' })).status).toBe(401)
    const main = await logInTo(server.url)
    expect((await send(server.url, 'GET /__sandbox/requests', { token: main })).status).toBe(400)
    const { headers } = await send(server.url, 'GET /__sandbox/requests', { token })
    expect(headers['cache-control']).toBe('no-store')
  })
})

test('a body that was parsed by a server around this one is listed as well', async () => {
  await start()
  await server.close()
  const app = createApp({ data: sampleData(), sandboxes: true, log: false })
  const outer = express().use(express.json(), app)
  server = await serve(outer)
  token = await logInTo(server.url, 'lab')
  await send(server.url, 'POST /tags', { token, body: { id: 'x' } })
  await send(server.url, 'GET /tags', { token })
  expect(await requests('?path=/tags')).toMatchObject([{ body: { id: 'x' }, status: 201 }, { body: null }])
})

test('a server with sandboxes within another lists the same request', async () => {
  await start()
  await server.close()
  const options = { sandboxes: true, log: false, secret: 'the same for both servers' }
  const inner = createApp({ data: sampleData(), ...options })
  server = await serve(createApp({ data: sampleData(), ...options, middlewares: [inner] }))
  token = await logInTo(server.url, 'lab')
  const answer = await send(server.url, 'POST /tags', { token, body: { id: 'x' } })
  expect(answer.status).toBe(201)
  expect(await requests('?path=/tags')).toMatchObject([{ body: { id: 'x' }, status: 201 }])
})

test('no JWT and nothing that was compared as a password is listed, whatever its field is called', async () => {
  await start({ login: ['/login', 'GET /in'], signUp: '/register', refresh: '/refresh' })
  const login = await send(server.url, 'POST /login', { sandbox: 'lab', body: ADA })
  const { refresh_token: rt } = Object(json(login))
  await send(server.url, 'POST /refresh', { sandbox: 'lab', body: { rt, text: `it is ${rt}.` } })
  await send(server.url, 'POST /login', { sandbox: 'lab', body: { who: ADA.email, key: ADA.password } })
  await send(server.url, `GET /in?who=${ADA.email}&key=${ADA.password}`, { sandbox: 'lab' })
  const twice = { email: 'n@x.org', password: 'rye', again: 'rye', confirm: 'rye' }
  await send(server.url, 'POST /register', { sandbox: 'lab', body: twice })
  const listed = await requests()
  expect(listed).toMatchObject([
    {},
    { body: { rt: '***', text: 'it is ***' }, status: 200 },
    { body: { who: ADA.email, key: '***' }, status: 200 },
    { query: { who: ADA.email, key: '***' }, status: 200 },
    { body: { email: 'n@x.org', password: '***', again: '***', confirm: '***' }, status: 201 },
  ])
  expect(JSON.stringify(listed)).not.toMatch(/eyJ|rye/)
})
