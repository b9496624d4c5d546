import { hashSync } from 'bcryptjs'
import { isRecord } from '../../../lib/is-record'
import { valueAt } from '../../../lib/value-at'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, type TestServer, withHeaders } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'
import '../../support/rsa-key'

const ACTIVE = { id: 1, email: 'ann@x.org', password: 'p', active: true }
const users = () => [
  { ...ACTIVE },
  { id: 2, email: 'bob@x.org', password: 'p', active: false },
  { id: 3, email: 'cy@x.org', password: hashSync('p', 4) },
  { id: 4, email: 'dee@x.org', password: 'p', active: true, deletedAt: '2026-01-01' },
  { id: 5, email: 'eve@x.org', password: 'p', active: true, deletedAt: null, profile: { locked: true } },
]
const OPTIONS = {
  login: '/login',
  signUp: '/register',
  refresh: '/refresh',
  loginIf: { active: true, deletedAt: null, 'profile.locked': null },
  loginRefusal: { status: 403, body: { code: '$reason', message: '$message' } },
}

quickHashes()
let server: TestServer
afterEach(() => server.close())

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: { users: users() }, ...OPTIONS, ...options })
}

function say(line: string, token?: unknown): Promise<Answer> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return ask(server.url, withHeaders(question(line), headers))
}

async function bodyOf(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const body = json(await answer)
  return isRecord(body) ? body : {}
}

const login = (name: string, password = 'p') => `{"email": "${name}@x.org", "password": "${password}"}`

test('only records that match log in, by the login of the application and by the specified one', async () => {
  await start()
  for (const path of ['/login', '/auth/login']) {
    expect((await say(`POST ${path} ${login('ann')}`)).status).toBe(200)
    for (const name of ['bob', 'cy', 'dee', 'eve'])
      expect((await say(`POST ${path} ${login(name)}`)).status).toBe(path === '/login' ? 403 : 401)
  }
  expect((await say(`POST /auth/login ${login('bob')}`)).text).toBe('"Unauthorized"')
})

test.each([
  ['nobody', 'p', 'unknown'],
  ['ann', 'x', 'password'],
  ['bob', 'p', 'locked'],
  ['cy', 'p', 'locked'],
  // Whoever has not the password does not learn it.
  ['bob', 'x', 'password'],
])('the refusal of %s with the password %s has the reason %s', async (name, password, code) => {
  await start()
  const answer = await say(`POST /login ${login(name, password)}`)
  expect([answer.status, json(answer)]).toEqual([403, { code, message: expect.any(String) }])
})

test('a refusal for another reason has none of these', async () => {
  await start({ loginRefusal: { status: 403, body: '$reason' } })
  const answer = await say('POST /login {')
  expect([answer.status, json(answer)]).toEqual([400, null])
})

test('whoever is locked while logged in gets no new tokens, and a login of --user always may', async () => {
  await start({ logins: [{ email: 'me@x.org', password: 'p' }] })
  const { refresh_token, token } = await bodyOf(say(`POST /login ${login('ann')}`))
  expect((await say('PATCH /users/1 {"active": false}', token)).status).toBe(200)
  expect((await say(`POST /refresh {"refresh_token": "${refresh_token}"}`)).status).toBe(401)
  for (const path of ['/login', '/auth/login'])
    expect((await say(`POST ${path} ${login('me')}`)).status).toBe(200)
  expect((await say('PATCH /users/1 {"active": true}', token)).status).toBe(200)
  expect((await say(`POST /refresh {"refresh_token": "${refresh_token}"}`)).status).toBe(200)
})

test('who signs up and does not match is stored, and gets no token and no cookie', async () => {
  const loginHeaders = { Authorization: 'Bearer $token' }
  await start({ tokenIn: 'cookie:session', loginHeaders })
  const answer = await say('POST /register {"email": "new@x.org", "password": "p", "token": "of the form"}')
  expect([answer.status, json(answer)]).toMatchObject([201, { email: 'new@x.org' }])
  for (const name of ['token', 'token_type', 'expires_in']) expect(json(answer)).not.toHaveProperty(name)
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(answer.headers).not.toHaveProperty('authorization')
  expect((await say(`POST /login ${login('new')}`)).status).toBe(403)
  const other = await say('POST /register {"email": "two@x.org", "password": "p", "active": true}')
  expect(json(other)).toMatchObject({ token: expect.any(String), token_type: 'Bearer' })
})

test('a response of the application has no text around a token that nobody gets', async () => {
  await start({ loginResponse: { auth: 'Bearer $token', again: 'Again $refresh', hi: 'Hi $user.name' } })
  const answer = await say('POST /register {"email": "new@x.org", "password": "p"}')
  expect([answer.status, json(answer)]).toEqual([201, { hi: 'Hi ' }])
})

test('the provider of OpenID Connect lets in whom the login lets in', async () => {
  await start({ openid: true, refresh: [], signUp: [] })
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: 'http://localhost/cb',
    response_type: 'code',
    scope: 'openid',
    state: 's',
  })
  const path = `/protocol/openid-connect/auth?${query}`
  const post = (url: string, form: Record<string, string>, headers = {}) =>
    fetch(server.url + url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
      headers: { Origin: server.url, ...headers },
    })
  expect((await post(path, { username: 'bob@x.org', password: 'p' })).status).toBe(401)
  const let1 = await post(path, { username: 'ann@x.org', password: 'p' })
  const code = new URL(String(let1.headers.get('location'))).searchParams.get('code') ?? ''
  const cookie = String(let1.headers.get('set-cookie')).split(';')[0] ?? ''
  const exchange = (form: Record<string, string>) =>
    post('/protocol/openid-connect/token', { client_id: 'web', ...form })
  const tokens: unknown = await (
    await exchange({ grant_type: 'authorization_code', code, redirect_uri: 'http://localhost/cb' })
  ).json()
  const { access_token, refresh_token } = isRecord(tokens) ? tokens : {}
  expect((await say('PATCH /users/1 {"active": false}', access_token)).status).toBe(200)
  const refused = await exchange({ grant_type: 'refresh_token', refresh_token: String(refresh_token) })
  expect(refused.status).toBe(400)
  // The browser is asked to log in again.
  const page = await fetch(server.url + path, { redirect: 'manual', headers: { Cookie: cookie } })
  expect(page.status).toBe(200)
})

test('a test that logs in at its sandbox gets no token for somebody who may not log in', async () => {
  await start({ sandboxes: true })
  const sandbox = { 'X-Sandbox': 'lab' }
  for (const [name, status] of [
    ['ann', 200],
    ['bob', 403],
  ] as const) {
    const line = question(`POST /__sandbox/login ${login(name)}`)
    expect((await ask(server.url, withHeaders(line, sandbox))).status).toBe(status)
  }
})

test('the document says that a sign-up may give no token', async () => {
  await start({ docs: true })
  const document = json(await say('GET /openapi.json'))
  const requiredOf = (path: string, status: string) =>
    valueAt(document, [
      ...['paths', path, 'post', 'responses', status],
      ...['content', 'application/json', 'schema', 'required'],
    ])
  for (const name of ['token', 'token_type']) {
    expect(requiredOf('/login', '200')).toContain(name)
    expect(requiredOf('/register', '201')).not.toContain(name)
  }
})
