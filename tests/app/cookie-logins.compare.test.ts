import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as secureRequest } from 'node:https'
import path from 'node:path'
import jwt from 'jsonwebtoken'
import { type AppOptions, createApp } from '../../server'
import { CookieClient } from '../support/cookies'
import { ADA, sampleData } from '../support/data'
import { ask, json, serve, type TestServer } from '../support/http'

const START = Date.UTC(2026, 0, 1)
const SECRET = 'the signing secret of these tests only'
const COOKIE = /^session=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/

let now: number
let lines: string[]
const servers: TestServer[] = []

beforeEach(() => {
  now = START
  lines = []
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
})
afterEach(async () => {
  jest.restoreAllMocks()
  for (const server of servers.splice(0)) await server.close()
})

function appOf(options: Partial<AppOptions>) {
  return createApp({
    data: sampleData(),
    secret: SECRET,
    clock: () => now,
    login: '/login',
    refresh: '/refresh',
    logout: '/logout',
    me: '/me',
    signUp: '/sign-up',
    tokenIn: 'cookie:session',
    ...options,
  })
}

async function start(options: Partial<AppOptions> = {}): Promise<CookieClient> {
  const server = await serve(appOf(options))
  servers.push(server)
  return new CookieClient(server.url)
}

async function loggedIn(options: Partial<AppOptions> = {}): Promise<CookieClient> {
  const client = await start(options)
  expect((await client.send('POST /login', ADA)).status).toBe(200)
  return client
}

function claimsOf(token: string | undefined) {
  return jwt.decode(token ?? '', { json: true })
}

/** The line of the log for the last request. */
async function lastLine(): Promise<string> {
  while (lines.length === 0) await new Promise(setImmediate)
  return lines.at(-1) ?? ''
}

describe('the cookie of the token', () => {
  test('is set by the login, the sign-up and the refresh, and lets in', async () => {
    const client = await start()
    const login = await client.send('POST /login', ADA)
    expect(login.headers['set-cookie']).toEqual([expect.stringMatching(COOKIE)])
    expect((await client.send('GET /users')).status).toBe(200)
    expect((await client.send('GET /me')).status).toBe(200)
    const first = client.cookies.get('session')
    const refresh = await client.send('POST /refresh')
    expect(refresh.headers['set-cookie']).toEqual([expect.stringMatching(COOKIE)])
    expect(client.cookies.get('session')).not.toBe(first)
    expect(claimsOf(client.cookies.get('session'))?.sid).toBe(claimsOf(first)?.sid)
    const signUp = await client.send('POST /sign-up', { email: 'new@example.com', password: 'p' })
    expect(signUp.status).toBe(201)
    expect(signUp.headers['set-cookie']).toEqual([expect.stringMatching(COOKIE)])
    expect(json(await client.send('GET /me'))).toMatchObject({ email: 'new@example.com' })
  })

  test('is not set by the specified login, nor without the option', async () => {
    const client = await start()
    expect((await client.send('POST /auth/login', ADA)).headers).not.toHaveProperty('set-cookie')
    const without = await start({ tokenIn: 'x-access-token' })
    expect((await without.send('POST /login', ADA)).headers).not.toHaveProperty('set-cookie')
  })

  test('is cleared by the logout, after which the token is refused', async () => {
    const client = await loggedIn()
    const token = client.cookies.get('session')
    expect((await client.send('POST /logout')).status).toBe(200)
    expect(client.cookies.size).toBe(0)
    const answer = await client.send('GET /users', undefined, { Cookie: `session=${token}` })
    expect(answer.status).toBe(401)
  })

  test('is Secure over TLS alone', async () => {
    const pem = readFileSync(path.join(__dirname, '../support/localhost.pem'))
    const server = createServer({ key: pem, cert: pem }, appOf({})).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const sent = secureRequest({
      port: typeof address === 'object' ? address?.port : 0,
      method: 'POST',
      path: '/login',
      headers: { 'Content-Type': 'application/json' },
      rejectUnauthorized: false,
    }).end(JSON.stringify(ADA))
    const [response] = await once(sent, 'response')
    expect(response.headers['set-cookie']).toEqual([expect.stringMatching(/; SameSite=Lax; Secure$/)])
    response.destroy()
    server.closeAllConnections()
    server.close()
  })

  test('comes after a header', async () => {
    const client = await loggedIn({ tokenIn: ['cookie:session', 'x-access-token'] })
    const token = client.cookies.get('session') ?? ''
    for (const [name, value] of [
      ['X-Access-Token', 'bad'],
      ['Authorization', 'Bearer bad'],
    ] as const)
      expect((await client.send('GET /users', undefined, { [name]: value })).status).toBe(401)
    client.cookies.set('session', 'bad')
    expect((await client.send('GET /users', undefined, { 'X-Access-Token': token })).status).toBe(200)
  })

  test('over 4 kB is none, the one before it is cleared, and the log says so', async () => {
    const client = await loggedIn({ tokenIn: [`cookie:${'n'.repeat(4000)}`] })
    expect(client.cookies.size).toBe(0)
    expect(await lastLine()).toContain('4 kB')
  })
})

test.each(['session=bad; session=T', 'session=T; session=bad'])(
  'of two cookies with one name, the valid one counts, and none is cleared: %s',
  async (cookie) => {
    const client = await loggedIn()
    const headers = { Cookie: cookie.replace('T', client.cookies.get('session') ?? '') }
    const answer = await client.send('GET /users', undefined, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  },
)

describe('a cookie that is refused', () => {
  test.each([
    { title: 'another application’s', cookie: 'session=s%3Aabc.def' },
    { title: 'empty', cookie: 'session=' },
    { title: 'quoted', cookie: 'session="T"' },
    { title: 'altered', cookie: 'session=Tx' },
  ])('$title: 401 where a token is needed, none where not, and left alone', async ({ cookie }) => {
    const client = await loggedIn({ allow: ['GET /posts', 'POST /posts'] })
    const headers = { Cookie: cookie.replace('T', client.cookies.get('session') ?? '') }
    for (const [line, status] of [
      ['GET /users', 401],
      ['GET /posts', 200],
      ['GET /posts/1/comments', 401],
      ['GET /posts?_embed=comments', 401],
      ['GET /blogs', 200],
    ] as const) {
      const answer = await client.send(line, undefined, headers)
      expect([line, answer.status]).toEqual([line, status])
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
    expect((await client.send('POST /posts', { title: 'x' }, headers)).status).toBe(201)
    expect((await client.send('POST /logout', undefined, headers)).headers).not.toHaveProperty('set-cookie')
  })

  test.each([
    'xsession=T',
    'session2=T',
    'Session=T',
    '__proto__=T',
    'a=session=T',
    'session',
    'sess ion=T',
    'cookie:session=T',
  ])('%s is another cookie, which nobody clears', async (cookie) => {
    const client = await loggedIn()
    const headers = { Cookie: cookie.replace('T', client.cookies.get('session') ?? '') }
    const answer = await client.send('GET /users', undefined, headers)
    expect(answer.status).toBe(401)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('a cookie named __proto__ works as any other', async () => {
    const client = await loggedIn({ tokenIn: 'cookie:__proto__' })
    expect((await client.send('GET /users')).status).toBe(200)
  })

  test('expired', async () => {
    const client = await loggedIn({ allow: ['GET /posts'] })
    now += 3600_000
    const headers = { Cookie: `session=${client.cookies.get('session')}` }
    expect((await client.send('GET /posts', undefined, headers)).status).toBe(200)
    expect(client.cookies.size).toBe(0)
    expect((await client.send('GET /users', undefined, headers)).status).toBe(401)
  })

  test('with --allow all: 200, and cleared where it is one of this server', async () => {
    const client = await loggedIn({ allow: 'all' })
    now += 3600_000
    const own = { Cookie: `session=${client.cookies.get('session')}` }
    const answer = await client.send('GET /users', undefined, own)
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toHaveLength(1)
    const other = await client.send('GET /users', undefined, { Cookie: 'session=bad' })
    expect([other.status, other.headers['set-cookie']]).toEqual([200, undefined])
  })
})

/** Headers with which a page of another site sends a request, and some that no browser sends. */
const FOREIGN: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1:33000' },
  { 'Sec-Fetch-Site': 'same-site', Host: 'mock.example.com', Origin: 'https://evil.example.com' },
  { 'Sec-Fetch-Site': 'same-site', Host: 'mock.example.com', Referer: 'https://evil.example.com/x' },
  { 'Sec-Fetch-Site': 'odd' },
  { 'Sec-Fetch-Site': '' },
  { 'Sec-Fetch-Site': 'same-origin, cross-site' },
  { Origin: 'null' },
  { Origin: 'http://localhost:5173' },
  { Origin: 'https://evil.example' },
  { Origin: 'http://127.0.0.1.evil.example' },
]

const OWN: Record<string, string>[] = [
  {},
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'none' },
  { Origin: 'http://127.0.0.1:5173' },
  { Origin: 'https://127.0.0.1' },
]

describe.each(FOREIGN)('a page of another site, by %j', (headers) => {
  test('is not let in by the cookie, which stays', async () => {
    const client = await loggedIn({ allow: ['GET /posts'] })
    for (const line of ['GET /users', 'DELETE /users/1', 'GET /me', 'GET /auth/me'])
      expect((await client.send(line, undefined, headers)).status).toBe(401)
    expect((await client.send('GET /posts', undefined, headers)).status).toBe(200)
    expect((await client.send('GET /users')).status).toBe(200)
    expect(lines.join('')).toContain('another site')
  })

  test.each([{ tokenIn: 'cookie:session' }, { tokenIn: [], refreshIn: 'cookie:session' }])(
    'logs nobody in or out, and plants no session, with %j',
    async (options) => {
      const client = await loggedIn(options)
      const before = client.cookies.get('session')
      for (const line of ['POST /login', 'POST /refresh', 'POST /logout', 'POST /sign-up']) {
        const answer = await client.send(line, { ...ADA, name: 'x' }, headers)
        expect(answer.status).toBe(403)
        expect(answer.headers).not.toHaveProperty('set-cookie')
        expect(json(answer)).toMatchObject({ message: expect.any(String), error: expect.any(String) })
      }
      expect(client.cookies.get('session')).toBe(before)
      expect((await client.send('POST /refresh')).status).toBe(200)
    },
  )

  test('is let in by a token in a header, and logs in where no cookie is used', async () => {
    const client = await loggedIn()
    const Authorization = `Bearer ${client.cookies.get('session')}`
    expect((await client.send('GET /users', undefined, { ...headers, Authorization })).status).toBe(200)
    const without = await start({ tokenIn: [] })
    expect((await without.send('POST /login', ADA, headers)).status).toBe(200)
  })
})

test.each(OWN)('a page of the same site, or none, by %j', async (headers) => {
  const client = await loggedIn()
  expect((await client.send('GET /users', undefined, headers)).status).toBe(200)
  expect((await client.send('POST /refresh', undefined, headers)).status).toBe(200)
  expect((await client.send('POST /login', ADA, headers)).status).toBe(200)
  expect((await client.send('POST /logout', undefined, headers)).status).toBe(200)
})

test('a browser that does not send the cookie from another site: the log says why', async () => {
  const client = await start()
  await client.send('GET /users', undefined, { 'Sec-Fetch-Site': 'cross-site' })
  expect(await lastLine()).toContain('127.0.0.1 is another')
})

describe('the refresh token in a cookie', () => {
  const OPTIONS = { tokenIn: [], refreshIn: 'cookie:refresh' }

  test('lasts seven days, is in no body, and is renewed with each use', async () => {
    const client = await start(OPTIONS)
    const login = await client.send('POST /login', ADA)
    expect(login.headers['set-cookie']).toEqual([
      expect.stringMatching(/^refresh=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const first = client.cookies.get('refresh')
    expect(login.text).not.toContain(first)
    expect((await client.send('GET /users')).status).toBe(401)
    expect((await client.send('POST /refresh')).status).toBe(200)
    expect(client.cookies.get('refresh')).not.toBe(first)
    expect((await client.send('POST /refresh', { refreshToken: client.cookies.get('refresh') })).status).toBe(
      200,
    )
  })

  test('is no access token, in whatever cookie', async () => {
    const client = await loggedIn({ tokenIn: 'cookie:session', refreshIn: 'cookie:refresh' })
    const refresh = client.cookies.get('refresh')
    expect((await client.send('GET /users', undefined, { Cookie: `session=${refresh}` })).status).toBe(401)
  })

  test('ends with the logout, and with another use where it is good for one', async () => {
    const client = await loggedIn({ ...OPTIONS, refreshOnce: true })
    const first = client.cookies.get('refresh')
    expect((await client.send('POST /refresh')).status).toBe(200)
    const second = client.cookies.get('refresh')
    const Cookie = `refresh=${first}`
    expect((await client.send('POST /refresh', undefined, { Cookie })).status).toBe(401)
    client.cookies.set('refresh', second ?? '')
    expect((await client.send('POST /refresh')).status).toBe(401)
    await client.send('POST /login', ADA)
    const third = client.cookies.get('refresh')
    await client.send('POST /logout')
    expect(client.cookies.size).toBe(0)
    expect((await client.send('POST /refresh', undefined, { Cookie: `refresh=${third}` })).status).toBe(401)
  })
})

test.each<Partial<AppOptions>>([
  { tokenIn: 'cookie:' },
  { tokenIn: 'cookie' },
  { tokenIn: ['a b'] },
  { refreshIn: 'cookie:' },
  { refreshIn: 'body' },
  { tokenIn: 'cookie:session', refreshIn: 'cookie:session' },
])('the options %j are refused', (options) => {
  expect(() => appOf(options)).toThrow('cookie')
})

describe('other headers', () => {
  test.each([
    { tokenIn: 'x-access-token', headers: { 'X-Access-Token': 'T' }, status: 200 },
    { tokenIn: 'token', headers: { Token: 'T' }, status: 200 },
    { tokenIn: 'token', headers: { Token: 'Bearer T' }, status: 200 },
    { tokenIn: 'authorization', headers: { Authorization: 'T' }, status: 200 },
    { tokenIn: 'authorization', headers: { Authorization: 'Bearer T' }, status: 200 },
    { tokenIn: 'authorization', headers: { Authorization: 'Token T' }, status: 200 },
    { tokenIn: 'authorization', headers: { Authorization: 'JWT T' }, status: 200 },
    { tokenIn: 'x-access-token', headers: { Authorization: 'Bearer T' }, status: 200 },
    { tokenIn: 'x-access-token', headers: { Authorization: 'T' }, status: 401 },
    { tokenIn: 'x-access-token', headers: { Token: 'T' }, status: 401 },
    { tokenIn: 'x-access-token', headers: { 'X-Access-Token': 'T, T' }, status: 401 },
    { tokenIn: 'authorization', headers: { Authorization: 'Basic T' }, status: 401 },
    { tokenIn: 'authorization', headers: { Authorization: 'bearer T' }, status: 401 },
    { tokenIn: 'authorization', headers: { Authorization: 'Token  T' }, status: 401 },
    { tokenIn: 'authorization', headers: { Authorization: 'Token Bearer T' }, status: 401 },
    { tokenIn: 'x-access-token', headers: { Authorization: 'Token T' }, status: 401 },
  ])('$headers with $tokenIn -> $status', async ({ tokenIn, headers, status }) => {
    const client = await loggedIn({ tokenIn: [tokenIn, 'cookie:session'] })
    const token = client.cookies.get('session') ?? ''
    client.cookies.clear()
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace(/\bT\b/g, token)])
    const answer = await client.send('GET /users', undefined, Object.fromEntries(sent))
    expect(answer.status).toBe(status)
    if (status === 401) expect(lines.join('')).not.toContain(token)
  })

  test('a token that is sent is checked in each of them, with --allow', async () => {
    const client = await start({ tokenIn: ['token', 'x-access-token'], allow: ['GET /posts'] })
    expect((await client.send('GET /posts')).status).toBe(200)
    for (const name of ['Token', 'X-Access-Token', 'Authorization'])
      expect((await client.send('GET /posts', undefined, { [name]: 'bad' })).status).toBe(401)
  })

  test('the log names them', async () => {
    const client = await start({ tokenIn: ['token', 'cookie:session'] })
    await client.send('GET /users')
    const line = await lastLine()
    for (const name of ['Authorization', 'token header', 'cookie session']) expect(line).toContain(name)
  })

  test.each<{ headers: Record<string, string>; place: string }>([
    { headers: { Token: 'bad' }, place: 'token header' },
    { headers: { Cookie: 'session=bad' }, place: 'cookie session' },
  ])('the log says that it was in the $place', async ({ headers, place }) => {
    const client = await start({ tokenIn: ['token', 'cookie:session'] })
    const { headers: received } = await client.send('GET /users', undefined, headers)
    expect(received['www-authenticate']).toContain(place)
    expect(await lastLine()).toContain(`${place}: `)
  })

  test('a preflight that asks for one is answered', async () => {
    const client = await start({ tokenIn: 'x-access-token' })
    const { status, headers } = await ask(client.url, {
      method: 'OPTIONS',
      path: '/users',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-access-token',
      },
    })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-headers': 'x-access-token',
      'access-control-allow-credentials': 'true',
    })
  })
})
