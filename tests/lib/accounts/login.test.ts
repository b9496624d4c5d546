import { gzipSync } from 'node:zlib'
import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { login } from '../../../lib/accounts/login'
import { serveApp } from '../../support/app'
import { ADA, sampleData } from '../../support/data'
import { ask, askJson, authorized, json, logIn, serveHandlers, type TestServer } from '../../support/http'

const SECRET = 'the signing secret of these tests only'
const NOW = Date.UTC(2026, 0, 1) / 1000

/** What every token says of its session. */
const SESSION = { sub: '1', sid: expect.any(String), jti: expect.any(String) }

let server: TestServer
let passed = 0

const count: RequestHandler = (_request, _response, next) => {
  passed += 1
  next()
}

beforeEach(async () => {
  passed = 0
  server = await serveApp({
    data: sampleData(),
    secret: SECRET,
    clock: () => NOW * 1000 + 999,
    middlewares: [count],
  })
})
afterEach(() => server.close())

function readToken(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('access_token' in body))
    throw new Error(`There is no token in ${JSON.stringify(body)}`)
  expect(Object.keys(body)).toEqual(['access_token'])
  if (typeof body.access_token !== 'string') throw new Error('The token is not a string.')
  return body.access_token
}

function payloadOf(token: string): unknown {
  return jwt.verify(token, SECRET, { algorithms: ['HS256'], clockTimestamp: NOW })
}

test('POST /auth/login with JSON -> 200 and a token for one hour', async () => {
  const answer = await askJson(server.url, { method: 'POST', path: '/auth/login', body: ADA })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['www-authenticate']).toBeUndefined()
  const token = readToken(json(answer))
  expect(answer.text).toBe(JSON.stringify({ access_token: token }, null, 2))
  expect(payloadOf(token)).toEqual({ ...ADA, iat: NOW, exp: NOW + 3600, ...SESSION })
  expect(passed).toBe(0)
})

test('POST /auth/login with a form -> 200 and the same token', async () => {
  const answer = await ask(server.url, {
    method: 'POST',
    path: '/auth/login',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(ADA).toString(),
  })
  expect(answer.status).toBe(200)
  expect(payloadOf(readToken(json(answer)))).toEqual({ ...ADA, iat: NOW, exp: NOW + 3600, ...SESSION })
})

test('POST /auth/login -> 200 for the second user, too', async () => {
  const grace = { email: 'grace@example.com', password: 'hopper' }
  expect(payloadOf(await logIn(server.url, grace))).toMatchObject(grace)
})

test.each([
  `$2b$10$${'x'.repeat(53)}`,
  '$2b$10$cut',
  `$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$${'x'.repeat(43)}`,
  `pbkdf2_sha256$390000$salt$${'x'.repeat(43)}=`,
])('a stored hash, %s, is not its own password: 401', async (password) => {
  const hashed = { email: 'ada@example.com', password }
  const other = await serveApp({
    data: { users: [hashed] },
    logins: [{ ...hashed, email: 'me' }],
    login: '/login',
  })
  for (const path of ['/auth/login', '/login'])
    for (const email of ['me', hashed.email])
      expect((await askJson(other.url, { method: 'POST', path, body: { email, password } })).status).toBe(401)
  await other.close()
})

test('a password with dollar signs is one, as any other', async () => {
  for (const password of ['$ecret$1', '$5', '$a$b$c']) {
    const other = await serveApp({ data: { users: [{ ...ADA, password }] }, login: '/login' })
    for (const path of ['/auth/login', '/login'])
      expect((await askJson(other.url, { method: 'POST', path, body: { ...ADA, password } })).status).toBe(
        200,
      )
    await other.close()
  }
})

test('POST /auth/login?with=a&query=string -> 200: the query is ignored', async () => {
  const path = '/auth/login?email=grace@example.com&password=hopper'
  expect((await askJson(server.url, { method: 'POST', path, body: ADA })).status).toBe(200)
  expect((await askJson(server.url, { method: 'POST', path, body: {} })).status).toBe(401)
})

test('further fields of the body do not get into the token', async () => {
  const body = { ...ADA, exp: 9_999_999_999, iat: 1, role: 'admin', aud: 'x' }
  const answer = await askJson(server.url, { method: 'POST', path: '/auth/login', body })
  expect(payloadOf(readToken(json(answer)))).toEqual({ ...ADA, iat: NOW, exp: NOW + 3600, ...SESSION })
})

test('the token opens the protected routes', async () => {
  const token = await logIn(server.url)
  expect((await ask(server.url, { path: '/users', headers: authorized(token) })).status).toBe(200)
})

test('a new user can log in at once, and a deleted one no longer can', async () => {
  const headers = authorized(await logIn(server.url))
  const newcomer = { email: 'new@example.com', password: 'pass' }
  const attempt = () => askJson(server.url, { method: 'POST', path: '/auth/login', body: newcomer })
  expect((await attempt()).status).toBe(401)
  await askJson(server.url, { method: 'POST', path: '/users', headers, body: { id: 7, ...newcomer } })
  expect((await attempt()).status).toBe(200)
  await askJson(server.url, { method: 'PATCH', path: '/users/7', headers, body: { password: 'changed' } })
  expect((await attempt()).status).toBe(401)
  await askJson(server.url, { method: 'PATCH', path: '/users/7', headers, body: { password: 'pass' } })
  expect((await attempt()).status).toBe(200)
  await ask(server.url, { method: 'DELETE', path: '/users/7', headers })
  expect((await attempt()).status).toBe(401)
})

test.each([
  { lifetime: undefined, seconds: 3600 },
  { lifetime: 60, seconds: 60 },
])('a lifetime of $lifetime makes a token that lasts $seconds seconds', async ({ lifetime, seconds }) => {
  const other = await serveApp({
    data: sampleData(),
    secret: SECRET,
    clock: () => NOW * 1000,
    tokenLifetime: lifetime,
  })
  expect(payloadOf(await logIn(other.url))).toMatchObject({ iat: NOW, exp: NOW + seconds })
  await other.close()
})

test.each([0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'a lifetime of %d seconds is refused',
  (lifetime) => {
    expect(() => login({ key: SECRET, users: () => [], lifetime })).toThrow(RangeError)
  },
)

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
  '%s /auth/login is not the login -> 401',
  async (method) => {
    const answer = await askJson(server.url, { method, path: '/auth/login', body: ADA })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  },
)

test.each(['/auth/login/', '/AUTH/login', '//auth/login', '/auth/login/users', '/login'])(
  'POST %s is not the login -> 401',
  async (path) => {
    const answer = await askJson(server.url, { method: 'POST', path, body: ADA })
    expect(answer.status).toBe(401)
    expect(answer.text).toBe('"Unauthorized"')
  },
)

test.each([
  ['that is no gzip', Buffer.from(JSON.stringify(ADA))],
  ['that ends too early', gzipSync(JSON.stringify(ADA)).subarray(0, 20)],
])('a compressed body %s -> 400, which says so', async (_title, body) => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  const answer = await ask(server.url, { method: 'POST', path: '/auth/login', headers, body })
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error: expect.stringContaining('Content-Encoding') })
})

test.each([
  ['Promise', () => Promise.resolve([ADA])],
  ['Object', () => ADA],
  ['Undefined', () => undefined],
])('users() that returns %s -> 500, and the console says what to return', async (kind, users) => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {})
  // @ts-expect-error The type asks for an array.
  const odd = await serveHandlers(login({ key: SECRET, users }))
  const headers = { 'Content-Type': 'application/json' }
  const answer = await ask(odd.url, {
    method: 'POST',
    path: '/auth/login',
    headers,
    body: JSON.stringify(ADA),
  })
  expect(answer.status).toBe(500)
  expect(printed.mock.calls.flat()).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(`an array.*${kind}`),
    }),
  ])
  printed.mockRestore()
  await odd.close()
})
