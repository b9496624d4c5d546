import { stripVTControlCharacters } from 'node:util'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, logIn, question, serve, type TestServer, until, withHeaders } from '../support/http'
import { refused } from './refused-requests'
import { data } from './traps'

let lines: string[] = []
const servers: TestServer[] = []

beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(stripVTControlCharacters(String(line)))
    return true
  })
})
afterAll(async () => {
  jest.restoreAllMocks()
  await Promise.all(servers.map((server) => server.close()))
})

/** What the log says, without the time and the length of a response. */
function withoutTime(logged: readonly string[]): string {
  return logged.join('').replace(/ [\d.]+ ms - [\d-]+/, '')
}

async function start(options: Partial<Parameters<typeof createApp>[0]> = {}) {
  const server = await serve(createApp({ data: data(), log: true, ...options }))
  servers.push(server)
  const headers = { Authorization: `Bearer ${await logIn(server.url)}` }
  await until(() => lines.length > 0)
  /** What the log says of a request. */
  return async (line: string, more: Record<string, string> = {}): Promise<string> => {
    lines = []
    await ask(server.url, withHeaders(question(line), { ...headers, ...more }))
    await until(() => lines.length > 0)
    return withoutTime(lines)
  }
}

test('each request that is refused because json-server fails on it has its reason', async () => {
  const logged = await start()
  for (const { request, type, ours } of refused) {
    const line = await logged(request, type === undefined ? {} : { 'Content-Type': type })
    expect(line).toMatch(new RegExp(` ${ours} \\(\\S.*\\)\n$`))
  }
})

test.each([
  ['GET /blogs/9', /404 \(.*Blog/],
  ['GET /api/users.php?id=x', /400 \(Invalid parameter\)/],
  ['GET /api/users.php?id=9', /404 \(User not found\)/],
  ['POST /api/users.php {}', /405 \(Method/],
  ['POST /auth/login {"email": 1}', /401 \(.*"password"/],
  ['POST /auth/login {', /400 \(.*JSON/],
  ['POST /posts {"id": 1}', /409 \(.*exists/],
  ['POST /__sandbox/reset {"lovelace": []}', /400 \(.*collections/],
  ['PUT /__sandbox/faults [{"lovelace": 1}]', /400 \(.*rules/],
  ['GET /posts?lovelace_like[a]=x', /400 \(.*query/],
  [`GET /posts?title_like=${'\\b'.repeat(5)}lovelace`, /400 \(.*regular expression/],
])('%s: %s', async (request, reason) => {
  const logged = await start({ data: sampleData(), sandboxes: true })
  const [, said = ''] = / (\d{3} \(.*\)\n)$/.exec(await logged(request, { 'X-Sandbox': 'lab' })) ?? []
  expect(said).toMatch(reason)
  expect(said).not.toContain('lovelace')
})

test('a wrong password is one for a login that is not in the data, too', async () => {
  const logins = [{ email: 'eve', password: 'apple' }]
  const logged = await start({ data: sampleData(), login: '/login', logins })
  expect(await logged('POST /login {"username": "eve", "password": "x"}')).toMatch(
    /401 \(.*password.*"username"/,
  )
  expect(await logged('POST /login {"username": "nobody", "password": "x"}')).not.toContain('password')
})

test.each([
  ['null', /\(.*--static/],
  ['https://evil.example', /\(.*page.*localhost/],
])('where all is open, a page whose Origin is %s', async (Origin, reason) => {
  const logged = await start({ data: sampleData(), allow: 'all' })
  expect(await logged('GET /posts', { Origin })).toMatch(reason)
})

test('a sandbox is named, and one whose name is refused is not', async () => {
  const logged = await start({ data: sampleData(), sandboxes: true })
  expect(await logged('GET /posts', { 'X-Sandbox': 't1' })).toBe('[t1] GET /posts 200\n')
  expect(await logged('GET /posts')).toBe('GET /posts 200\n')
  expect(await logged('GET /posts', { 'X-Sandbox': 'a b' })).toMatch(/^GET \/posts 400 \(X-Sandbox /)
})

test('a failure names the rule that made it', async () => {
  const logged = await start({
    data: sampleData(),
    faults: [
      { path: '/nothing', status: 503 },
      { path: '/posts', status: 503, times: 1 },
      { path: '/posts/7', delay: 1 },
      { path: '/api/users.php', status: 429 },
    ],
    sandboxes: true,
  })
  expect(await logged('GET /posts')).toMatch(/^GET \/posts 503 \(.*2\)\n$/)
  expect(await logged('GET /posts')).toBe('GET /posts 200\n')
  expect(await logged('GET /posts/7')).toMatch(/^GET \/posts\/7 404 \(.*"posts"\)\n$/)
  expect(await logged('GET /api/users.php')).toMatch(/^GET \/api\/users\.php 429 \(.*4\)\n$/)
  const lab = { 'X-Sandbox': 'lab' }
  await logged('PUT /__sandbox/faults [{"path": "/*", "drop": true}]', lab)
  await expect(logged('GET /posts', lab)).rejects.toThrow()
  await until(() => lines.length > 0)
  expect(lines.join('')).toMatch(/^\[lab\] GET \/posts - \S+ ms - - \(.*1\)\n$/)
})

test('a token whose user is not in the data', async () => {
  const logged = await start({ data: sampleData() })
  await logged('DELETE /users/1')
  expect(await logged('GET /auth/me')).toMatch(/^GET \/auth\/me 404 \(.*user.*\)\n$/)
})

test('a change that a read-only server refuses has its reason', async () => {
  const logged = await start({ readOnly: true })
  expect(await logged('POST /posts {}')).toMatch(/^POST \/posts 403 \(.*read-only.*\)\n$/)
})

test('a logout that ends no session says why in the log, and is a 200 as ever', async () => {
  const server = await serve(
    createApp({
      data: sampleData(),
      log: true,
      login: '/login',
      logout: '/logout',
      tokenIn: 'cookie:session',
    }),
  )
  servers.push(server)
  const token = await logIn(server.url)
  const another = await serve(createApp({ data: sampleData() }))
  servers.push(another)
  const foreign = await logIn(another.url)
  const loggedOut = async (headers: Record<string, string>, body = '{}'): Promise<string> => {
    lines = []
    const answer = await ask(server.url, withHeaders(question(`POST /logout ${body}`), headers))
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Logged out.')])
    await until(() => lines.length > 0)
    return withoutTime(lines)
  }
  const statusOf = async () =>
    (await ask(server.url, withHeaders(question('GET /users'), { Authorization: `Bearer ${token}` }))).status
  expect(await loggedOut({})).toMatch(/200 \(no session .*no Authorization header/)
  expect(await loggedOut({ Authorization: `bearer ${token}` })).toMatch(/200 \(no session .*capital B/)
  expect(await loggedOut({ 'X-Access-Token': token })).toMatch(/200 \(no session .*--token-in x-access-token/)
  expect(await loggedOut({ Authorization: 'Bearer undefined' })).toMatch(/200 \(no session .*word undefined/)
  for (const [headers, body] of [
    [{ Authorization: `Bearer ${foreign}` }, '{}'],
    [{ Cookie: `session=${foreign}` }, '{}'],
    [{}, JSON.stringify({ refresh: foreign })],
  ] as const)
    expect(await loggedOut(headers, body)).toMatch(/200 \(no session .*another secret/)
  expect(await statusOf()).toBe(200)
  expect(await loggedOut({ Authorization: `Bearer ${token}` })).not.toContain('no session')
  expect(await statusOf()).toBe(401)
})
