import type { RequestHandler } from 'express'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, authorized, json, logIn, type TestServer } from '../support/http'

let server: TestServer
let token: string
let passed = 0

const count: RequestHandler = (_request, _response, next) => {
  passed += 1
  next()
}

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: sampleData(), middlewares: [count], ...options })
  token = await logIn(server.url)
}

beforeEach(() => {
  passed = 0
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

test('with the log off, nothing is written', async () => {
  const write = jest.spyOn(process.stdout, 'write')
  await start()
  await ask(server.url, { path: '/users', headers: authorized(token) })
  expect(write).not.toHaveBeenCalled()
})

test.each(['/users', '/blogs', '/auth/login', '/api/users.php', '/nothing'])(
  'a preflight of %s needs no token -> 204',
  async (path) => {
    await start({ readOnly: true })
    const answer = await ask(server.url, {
      method: 'OPTIONS',
      path,
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(answer.headers['access-control-allow-methods']).toContain('DELETE')
    expect(answer.headers['access-control-allow-headers']).toBe('authorization,content-type')
    expect(passed).toBe(0)
  },
)

test.each(['/users', '/blogs', '/blogs/9', '/api/users.php', '/api/users.php?id=x'])(
  'a page of another origin can read the response to GET %s, and no cache keeps it',
  async (path) => {
    await start()
    const answer = await ask(server.url, { path, headers: { Origin: 'https://app.example' } })
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(answer.headers['cache-control']).toBe('no-cache')
  },
)

test('without CORS a preflight is a request like any other', async () => {
  await start({ cors: false })
  expect((await ask(server.url, { method: 'OPTIONS', path: '/users' })).status).toBe(401)
  expect((await ask(server.url, { method: 'OPTIONS', path: '/api/users.php' })).status).toBe(405)
})

test.each<{ rules: Record<string, string> }>([
  { rules: { '/api/*': '/$1' } },
  { rules: { '/*': '/blogs' } },
  { rules: { '/api/users.php': '/users' } },
])('the rules $rules do not shadow the user lookup', async ({ rules }) => {
  const lookupUsers = [{ name: 'Zoë', age: 30 }]
  server = await serveApp({ data: sampleData(), routes: rules, lookupUsers })
  const answer = await ask(server.url, { path: '/api/users.php' })
  expect(json(answer)).toEqual({ status: 'OK', users: lookupUsers })
})

test.each([
  { method: 'GET', path: '/open', anonymous: 401, permitted: 200 },
  { method: 'GET', path: '/blogs/latest', anonymous: 401, permitted: 200 },
  { method: 'GET', path: '/api/users', anonymous: 401, permitted: 200 },
  { method: 'DELETE', path: '/api/blogs/1', anonymous: 401, permitted: 200 },
  { method: 'GET', path: '/api/db', anonymous: 401, permitted: 200 },
  { method: 'GET', path: '/api/blogs', anonymous: 200, permitted: 200 },
  { method: 'GET', path: '/articles', anonymous: 200, permitted: 200 },
  { method: 'GET', path: '/__rules', anonymous: 401, permitted: 200 },
  { method: 'GET', path: '/rules', anonymous: 401, permitted: 200 },
])('rewritten first: $method $path -> $anonymous, $permitted', async ({ method, path, ...statuses }) => {
  const routes = {
    '/open': '/users',
    '/blogs/latest': '/users/1',
    '/api/*': '/$1',
    '/articles': '/blogs?_expand=user',
    '/rules': '/__rules',
  }
  await start({ routes })
  const anonymous = await ask(server.url, { method, path })
  expect(anonymous.status).toBe(statuses.anonymous)
  expect(anonymous.text).not.toContain('lovelace')
  expect(passed).toBe(0)
  expect((await ask(server.url, { method, path, headers: authorized(token) })).status).toBe(
    statuses.permitted,
  )
})

test.each<{ rules: Record<string, string> }>([
  { rules: { '/auth/login': '/login' } },
  { rules: { '/auth/*': '/$1' } },
  { rules: { '/*': '/blogs' } },
])('no rules make the login unreachable: $rules', async ({ rules }) => {
  await start({ routes: rules })
  expect(token).not.toBe('')
})

test('with a file of rules that holds none, /__rules shows them to those with a token', async () => {
  await start({ routes: {} })
  expect((await ask(server.url, { path: '/__rules' })).status).toBe(401)
  const answer = await ask(server.url, { path: '/__rules', headers: authorized(token) })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('{}')
})

test('without rules, /__rules is like any path that does not exist', async () => {
  await start()
  expect((await ask(server.url, { path: '/__rules' })).status).toBe(401)
  expect((await ask(server.url, { path: '/__rules', headers: authorized(token) })).status).toBe(404)
})

test.each([
  { title: 'malformed JSON', type: 'application/json', body: '{' },
  { title: 'an array', type: 'application/json', body: '[]' },
  { title: 'a prototype', type: 'application/json', body: '{"__proto__":{}}' },
  { title: 'another type', type: 'application/xml', body: '<a/>' },
  { title: 'another charset', type: 'application/json; charset=latin1', body: '{}' },
  { title: 'over 10 MB', type: 'application/json', body: '{}'.padEnd(10 * 1024 * 1024 + 1) },
])('$title without a token -> 401: nothing is parsed', async ({ type, body }) => {
  await start()
  const answer = await ask(server.url, {
    method: 'POST',
    path: '/users',
    headers: { 'Content-Type': type },
    body,
  })
  expect(answer.status).toBe(401)
  expect(answer.text).toBe('"Unauthorized"')
  expect(passed).toBe(0)
})

test.each(['/users?_like=[', '/users?q[a]=b', '/users/%E0%A4%A', '/users?_sort=a&_sort=b'])(
  'GET %s without a token -> 401: nothing is looked up',
  async (path) => {
    await start()
    expect((await ask(server.url, { path })).status).toBe(401)
    expect(passed).toBe(0)
  },
)

test.each(['/users', '/blogs', '/blogs/1', '/blogs/9', '/api/users.php', '/__rules', '/nothing'])(
  'GET %s?_delay=123 without a token is not delayed',
  async (path) => {
    await start({ delay: 456 })
    const timers = jest.spyOn(globalThis, 'setTimeout')
    await ask(server.url, { path: `${path}?_delay=123` })
    expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([])
  },
)
