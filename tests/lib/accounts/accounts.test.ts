import { hashSync } from 'bcryptjs'
import type { RequestHandler } from 'express'
import { isRecord } from '../../../lib/is-record'
import { type AppOptions, createApp, MemoryData } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, serve, type TestServer, withHeaders } from '../../support/http'

const ANA = { id: 1, email: 'ana@x.org', username: 'ana', password: 'pa', name: 'Ana', role: 'admin' }
const BO = { id: 2, email: 'bo@x.org', username: 'bo', password: 'pb', name: 'Bo', role: 'user' }

function data() {
  return { users: [{ ...ANA }, { ...BO }], items: [{ id: 1, name: 'tea' }] }
}

let server: TestServer
afterEach(() => server.close())

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: data(), ...options })
}

/** The same, where the document of the specified paths does not hold. */
async function startOther(options: Partial<AppOptions>): Promise<void> {
  server = await serve(createApp({ data: data(), log: false, ...options }))
}

/** Sends a line such as `POST /login {"username": "ana"}`, with a token or without. */
function say(line: string, token?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const own: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return ask(server.url, withHeaders(question(line), { ...own, ...headers }))
}

/** The body of a response that must have this status. */
async function body(answer: Promise<Answer>, status = 200): Promise<Record<string, unknown>> {
  const { text, status: given, ...rest } = await answer
  if (given !== status) throw new Error(`${given} ${text} ${JSON.stringify(rest.headers)}`)
  const value = json({ ...rest, status: given, text })
  return isRecord(value) ? value : { value }
}

function claimsOf(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString())
}

const LOGIN = 'POST /login {"username": "ana", "password": "pa"}'

test('the response of a login has the token under each name, and the user without secrets, nested and flat', async () => {
  await start({ login: '/login' })
  const answer = await say(LOGIN)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { password: _, ...shown } = ANA
  const { token, access_token, accessToken, message, ...rest } = await body(Promise.resolve(answer))
  expect(rest).toEqual({ ...shown, token_type: 'Bearer', expires_in: 3600, user: shown })
  expect(Object.keys(rest)).toEqual([...Object.keys(shown), 'token_type', 'expires_in', 'user'])
  expect([access_token, accessToken]).toEqual([token, token])
  expect(message).toEqual(expect.any(String))
  expect((await say('GET /items', String(token))).status).toBe(200)
})

test('what is said of a user leaves out passwords and hashes at any depth, and nothing else', async () => {
  const hidden = { passwordHash: 'h', oldPasswords: ['o'], digest: hashSync('x', 4), db_pass: 'd' }
  const shown = { ...ANA, message: 'hi', tokens: 5, code: 'IT', key: 1, passport: 'p', hash: 'h', pin: 2 }
  const user = { ...shown, ...hidden, profile: { ...hidden, city: 'Bern' } }
  await start({ data: { users: [user] }, login: '/login', me: '/me' })
  const said = await body(say(LOGIN))
  const { password: _, ...rest } = shown
  expect(said.message).toBe('hi')
  expect(said.user).toEqual({ ...rest, profile: { city: 'Bern' } })
  const me = await body(say('GET /me', String(said.token)))
  expect(me.user).toEqual(said.user)
})

test('nothing of a record takes the place of a token', async () => {
  const fake = Object.fromEntries(
    ['token', 'accessToken', 'access_token', 'refresh_token', 'refreshToken'].map((name) => [
      name,
      'fake-jwt-token',
    ]),
  )
  for (const refresh of [[], ['/refresh']]) {
    await startOther({ data: { users: [{ ...ANA, ...fake }] }, login: '/login', refresh })
    const { user, ...said } = await body(say(LOGIN))
    expect(user).toMatchObject(fake)
    expect(JSON.stringify(said)).not.toContain('fake')
    expect('refresh_token' in said).toBe(refresh.length > 0)
    await server.close()
  }
  await start()
})

test('a token says who it is and what pages read, and nothing that a record could forge or that is long', async () => {
  const user = {
    ...ANA,
    sub: '9',
    iat: 1,
    exp: 9e9,
    sandbox: 'x',
    iss: 'x',
    aud: 'x',
    nbf: 9e9,
    jti: 'x',
    sid: 'x',
    roles: ['a', 'b'],
    permissions: [{ deep: 1 }],
    avatar: 'x'.repeat(20_000),
    // With its quotes, one is as long as a claim may be, and one is longer.
    picture: 'p'.repeat(198),
    image: 'p'.repeat(199),
    city: 'Bern',
  }
  await start({ data: { users: [user] }, login: '/login', clock: () => 1_000_000 })
  const claims = claimsOf((await body(say(LOGIN))).token)
  expect(claims).toMatchObject({
    sub: '1',
    id: 1,
    email: ANA.email,
    role: 'admin',
    roles: ['a', 'b'],
    iat: 1000,
    exp: 4600,
  })
  expect(claims).toMatchObject({ picture: user.picture })
  for (const name of ['password', 'sandbox', 'iss', 'aud', 'nbf', 'permissions', 'avatar', 'image', 'city'])
    expect(claims).not.toHaveProperty(name)
  expect(claims).not.toMatchObject({ sid: 'x' })
  expect(claims).not.toMatchObject({ jti: 'x' })
})

test('a token is short, however many short fields a user has', async () => {
  const lists = Object.fromEntries(
    ['roles', 'groups', 'permissions', 'scope', 'picture', 'avatar', 'image', 'name', 'nickname'].map(
      (name) => [name, 'ä'.repeat(180)],
    ),
  )
  await start({ data: { users: [{ ...ANA, ...lists }, ...Array(3)] }, login: '/login' })
  const { token } = await body(say(LOGIN))
  expect(String(token).length).toBeLessThan(4096)
})

test.each([{ path: '/login' }, { path: '/LOGIN' }, { path: '/login/' }, { path: '/login?next=/' }])(
  '$path is the login',
  async ({ path }) => {
    await start({ login: '/login' })
    await body(say(LOGIN.replace('/login', path)))
  },
)

test.each(['/login//', '/l%6fgin', '/login/x', '/xlogin'])('%s is not the login', async (path) => {
  await start({ login: '/login' })
  expect((await say(LOGIN.replace('/login', path))).text).toBe('"Unauthorized"')
})

test.each([
  '{"user": {"username": "ana", "password": "pa"}}',
  '{"data": {"email": "ana@x.org", "password": "pa"}}',
])('%s says who it is in one object', async (sent) => {
  await start({ login: '/login' })
  expect((await say(`POST /login ${sent}`)).status).toBe(200)
})

test.each([
  '{"user": {"username": "ana", "password": "x"}}',
  '{"user": {"username": "ana"}, "other": {"password": "pa"}}',
  '{"user": {"user": {"username": "ana", "password": "pa"}}}',
  '{"user": ["ana", "pa"]}',
])('%s says nobody', async (sent) => {
  await start({ login: '/login' })
  expect((await say(`POST /login ${sent}`)).status).toBe(401)
})

test('a body that nobody reads is not a wrong password', async () => {
  await start({ login: '/login', refresh: '/refresh' })
  const headers = { 'Content-Type': 'text/plain' }
  const { status, text } = await say(LOGIN, undefined, headers)
  expect([status, text]).toEqual([401, expect.stringContaining('text/plain')])
})

test('a path is compared as it was sent, and is then not rewritten; else as a rule has rewritten it', async () => {
  const routes = { '/api/*': '/$1' }
  await start({ login: ['/api/login', '/signin'], routes })
  await body(say(LOGIN.replace('/login', '/api/login')))
  await body(say(LOGIN.replace('/login', '/api/signin')))
  expect((await say(LOGIN)).status).toBe(401)
})

test('a method can be named, and several paths', async () => {
  await start({ login: ['/login', 'PUT /session', 'GET /token'], me: 'POST /userinfo', readOnly: true })
  const { token } = await body(say('PUT /session username=ana&password=pa'))
  await body(say('GET /token?username=ana&password=pa'))
  expect((await say('POST /session username=ana&password=pa')).status).toBe(401)
  expect(await body(say('POST /userinfo', String(token)))).toMatchObject({ id: 1, user: { id: 1 } })
  expect((await say('POST /userinfo')).status).toBe(401)
})

test('a question mark belongs to the query of a login by GET', async () => {
  await start({ data: { users: [{ ...ANA, password: 'p?a' }] }, login: 'GET /token' })
  await body(say('GET /token?username=ana&password=p?a'))
  await body(say('GET /token?username=ana&password=p'), 401)
})

test('a login by GET is refused in one way, whether its query is wrong or is not there', async () => {
  await start({ login: 'GET /token' })
  const wrong = await say('GET /token?username=ana&password=p')
  const missing = await say('GET /token')
  expect([missing.status, missing.text]).toEqual([401, wrong.text])
})

test('a refused login is 401 with a message; other bodies are refused as such, with a message, too', async () => {
  await start({ login: '/login' })
  const wrong = await body(say('POST /login {"username": "ana", "password": "x"}'), 401)
  expect(wrong).toEqual({ message: expect.any(String), error: wrong.message })
  for (const text of ['null', '[]', '"x"', '{}']) expect((await say(`POST /login ${text}`)).status).toBe(401)
  for (const [text, status] of [
    ['{', 400],
    [`{"username": "${'x'.repeat(10_240)}"}`, 413],
  ] as const)
    expect(await body(say(`POST /login ${text}`), status)).toEqual({
      message: expect.any(String),
      error: expect.any(String),
    })
})

test('the specified login and who-am-I stay, to the byte', async () => {
  await start({ login: '/login', me: '/me' })
  const answer = await say('POST /auth/login {"email": "ana@x.org", "password": "pa"}')
  const token = String(json(answer) && /"access_token": "(.*)"/.exec(answer.text)?.[1])
  expect(answer.text).toBe(`{\n  "access_token": "${token}"\n}`)
  expect((await say('POST /auth/login {"email": "ana@x.org", "password": "x"}')).text).toBe('"Unauthorized"')
  expect((await say('GET /auth/me', token)).text).toBe(JSON.stringify(ANA, null, 2))
  // Either token says whose it is at either path.
  expect(await body(say('GET /me', token))).toMatchObject({ id: 1 })
  const { token: other } = await body(say(LOGIN))
  expect((await say('GET /auth/me', String(other))).text).toBe(JSON.stringify(ANA, null, 2))
})

test('the specified paths change where the options name them', async () => {
  await startOther({ login: '/auth/login', me: '/auth/me' })
  const { token, user } = await body(say('POST /auth/login {"username": "ana", "password": "pa"}'))
  expect(await body(say('GET /auth/me', String(token)))).toMatchObject({ user })
})

test('who-am-I: another user with the same id by now is not the same user', async () => {
  await start({ login: '/login', me: '/me', signUp: '/register' })
  const { token } = await body(say('POST /register {"email": "n@x.org", "password": "n"}'), 201)
  const one = await body(say(LOGIN))
  expect((await say('DELETE /users/3', String(one.token))).status).toBe(200)
  for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, String(token))).status).toBe(404)
  await body(say('POST /register {"email": "m@x.org", "password": "m"}'), 201)
  for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, String(token))).status).toBe(404)
  expect((await say('PATCH /users/1 {"email": "new@x.org"}', String(one.token))).status).toBe(200)
  expect(await body(say('GET /me', String(one.token)))).toMatchObject({ email: 'new@x.org' })
})

test('who-am-I: a template may give the token a name', async () => {
  const user = { id: 1, name: 'Ana', password: 'pa' }
  const tokenClaims = { username: '$user.name' }
  await start({ data: { users: [user] }, login: '/login', me: '/me', refresh: '/refresh', tokenClaims })
  const { token, refresh_token } = await body(say(`POST /login ${JSON.stringify(user)}`))
  expect(await body(say('GET /me', String(token)))).toMatchObject({ id: 1 })
  await body(say(`POST /refresh {"refresh_token": "${refresh_token}"}`))
})

test('who changes the email keeps the session, at who-am-I and at a refresh', async () => {
  await start({ login: '/login', me: '/me', refresh: '/refresh' })
  const { token, refresh_token } = await body(say('POST /login {"email": "ana@x.org", "password": "pa"}'))
  for (const email of ['a@x.org', 'b@x.org']) {
    await body(say(`PATCH /users/1 {"email": "${email}", "username": "${email}"}`, String(token)))
    for (const path of ['/me', '/auth/me'])
      expect(await body(say(`GET ${path}`, String(token)))).toMatchObject({ email })
  }
  await body(say(`POST /refresh {"refresh_token": "${refresh_token}"}`))
  // Who has the id after that is somebody else.
  await body(say('DELETE /users/1', String(token)))
  await body(say('POST /users {"id": 1, "email": "new@x.org", "password": "x"}', String(token)), 201)
  for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, String(token))).status).toBe(404)
  await body(say(`POST /refresh {"refresh_token": "${refresh_token}"}`), 401)
})

test('a token of the specified login is of the stored users, whoever logs in by the others', async () => {
  const users = [{ id: 1, email: 'low@x', password: 'p' }]
  const staff = [{ id: 1, npp: 'boss', email: 'low@x', password: 'b', role: 'admin' }]
  const hash = JSON.stringify({ password: hashSync('p', 4) })
  const own = {
    loginUsers: 'staff',
    loginFields: { names: ['npp'] },
    refresh: '/refresh',
    private: ['todos'],
  }
  const todos = [{ id: 1, userId: 1 }]
  await start({ data: { users, staff, todos }, login: '/login', me: ['/me', 'PATCH /me'], ...own })
  const { access_token } = await body(say('POST /auth/login {"email": "low@x", "password": "p"}'))
  const token = String(access_token)
  for (const path of ['/me', '/auth/me'])
    expect(await body(say(`GET ${path}`, token))).toMatchObject({ email: 'low@x' })
  expect(await body(say('PATCH /me {"age": 3}', token))).toMatchObject({ email: 'low@x', age: 3 })
  // Also a refresh leads to nobody else, even where there is a hash by then, or no password at all.
  let refreshed = token
  for (const change of [
    'PATCH /users/1 {"age": 4}',
    `PATCH /users/1 ${hash}`,
    'PUT /users/1 {"email": "low@x"}',
  ]) {
    await body(say(change, refreshed))
    const { access_token: next, user } = await body(say('POST /refresh {}', refreshed))
    refreshed = String(next)
    expect(user).toMatchObject({ email: 'low@x' })
    expect(await body(say('GET /me', refreshed))).toMatchObject({ email: 'low@x' })
    expect((await say('GET /todos', refreshed)).status).toBe(401)
    expect(JSON.stringify(claimsOf(refreshed))).not.toContain('$2b$')
  }
})

test('login-fields leaves the logins beside the data in, by its fields and by the usual ones', async () => {
  const loginFields = { names: ['account.npp'], password: 'code' }
  await start({ login: '/login', me: '/me', loginFields, logins: [{ email: 'eve', password: 'pe' }] })
  for (const sent of ['{"npp": "eve", "code": "pe"}', '{"email": "eve", "password": "pe"}'])
    for (const password of ['pe', 'no']) {
      const answer = await say(`POST /login ${sent.replace('pe', password)}`)
      expect(answer.status).toBe(password === 'pe' ? 200 : 401)
    }
  const { token } = await body(say('POST /login {"npp": "eve", "code": "pe"}'))
  expect(json(await say('GET /auth/me', String(token)))).toEqual({ email: 'eve' })
})

test('who has no id is nobody else, not even a login beside the data of the same name', async () => {
  const users = [
    { email: 'eve', password: 'own' },
    { email: 'cy', password: 'pc' },
  ]
  const logins = [{ email: 'eve', password: 'pe' }]
  const own = { login: '/login', me: '/me', refresh: '/refresh', private: ['todos'] }
  await start({ data: { users, todos: [{ id: 1, userId: 1 }] }, logins, ...own })
  for (const { email, password, todos } of [
    { ...users[0], todos: 401 },
    { ...users[1], todos: 401 },
    { ...logins[0], todos: 200 },
  ]) {
    const { token } = await body(say(`POST /login ${JSON.stringify({ email, password })}`))
    const { token: next } = await body(say('POST /refresh {}', String(token)))
    for (const one of [token, next]) {
      expect(await body(say('GET /me', String(one)))).toMatchObject({ email })
      expect((await say('GET /todos', String(one))).status).toBe(todos)
    }
  }
})

test('who gets the id of somebody with a long name, or with other labels, is somebody else', async () => {
  for (const [options, first, second] of [
    [{}, { email: `${'q'.repeat(300)}@x` }, { email: 'b@x' }],
    [{ loginFields: { names: ['npp'] } }, { npp: '1', email: 'a@x' }, { npp: '2', email: 'b@x' }],
  ] as const) {
    const users = [{ id: 1, ...first, password: 'p' }]
    await start({ data: { users }, login: '/login', me: '/me', ...options })
    const tokens = [await body(say(`POST /login ${JSON.stringify({ ...first, password: 'p' })}`))]
    tokens.push(await body(say(`POST /auth/login ${JSON.stringify({ ...first, password: 'p' })}`)))
    const [one = ''] = tokens.map(({ access_token }) => String(access_token))
    expect((await say('GET /me', one)).status).toBe(200)
    await body(say('DELETE /users/1', one))
    await body(say(`POST /users ${JSON.stringify({ id: 1, ...second, password: 'x' })}`, one), 201)
    for (const { access_token } of tokens)
      for (const path of ['/me', '/auth/me'])
        expect((await say(`GET ${path}`, String(access_token))).status).toBe(404)
    await server.close()
  }
  await start()
})

test('a claim that is too long leaves room for the names', async () => {
  const user = { ...ANA, bio: 'x'.repeat(3000) }
  await start({ data: { users: [user] }, login: '/login', tokenClaims: { user: '$user' } })
  const claims = claimsOf((await body(say(LOGIN))).token)
  expect(claims).toMatchObject({ email: ANA.email, role: 'admin', id: 1 })
  expect(claims).not.toHaveProperty('user')
})

test('what only looks like a token is refused at a refresh, and nothing fails', async () => {
  await start({ login: '/login', refresh: ['/refresh', '/login'] })
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
  for (const payload of ['eyJhIjox', 'x', ''])
    for (const path of ['/refresh', '/login']) {
      const odd = `${header}.${payload}.${'a'.repeat(43)}`
      expect((await say(`POST ${path} {"refresh_token": "${odd}"}`)).status).toBe(401)
      expect((await say(`POST ${path} {}`, odd)).status).toBe(401)
    }
})

test('templates make the response, the refusals, and claims', async () => {
  await start({
    login: '/login',
    me: '/me',
    loginResponse: {
      data: { token: '$token', name: '$user.name', nothing: '$user.x', own: '$user.password' },
      list: ['$user'],
    },
    meResponse: { '...': '$user', userId: '$user.id', token: '$token' },
    loginRefusal: { status: 400, body: { errors: ['$message'], status: '$status' } },
    tokenRefusal: { message: '$message' },
    tokenClaims: { uid: '$user.id', pw: '$user.password', role: 'x', email: 'x' },
  })
  const { data: said, list } = await body(say(LOGIN))
  const { password: _, ...shown } = ANA
  expect(list).toEqual([shown])
  expect(said).toEqual({ token: expect.any(String), name: 'Ana' })
  const token = String(isRecord(said) && said.token)
  expect(claimsOf(token)).toMatchObject({ uid: 1, sub: '1', role: 'x', email: ANA.email })
  expect(claimsOf(token)).not.toHaveProperty('pw')
  expect(await body(say('GET /me', token))).toEqual({ ...shown, userId: 1, token })
  expect(await body(say('POST /login {"username": "ana", "password": "x"}'), 400)).toEqual({
    errors: [expect.any(String)],
    status: 400,
  })
})

test.each([
  ['in a field', { password: 'geheim' }, '$user.password', {}],
  ['as a hash in a field of any label', { secretly: hashSync('geheim', 4) }, '$user.secretly', {}],
  [
    'in an object',
    { account: { code: 'geheim' } },
    '$user.account.code',
    { loginFields: { password: 'account.code' } },
  ],
])('no template says a password %s', async (_where, stored, password, options) => {
  const template = { list: [password], text: `pw ${password}`, deep: { d: password } }
  await start({
    data: { users: [{ id: 1, email: 'cy', ...stored }] },
    login: '/login',
    me: '/me',
    loginResponse: { token: '$token', ...template },
    loginHeaders: { 'X-Said': `pw ${password}` },
    meResponse: template,
    tokenClaims: template,
    ...options,
  })
  const answer = await say('POST /login {"email": "cy", "password": "geheim"}')
  const { token, ...said } = await body(Promise.resolve(answer))
  const blank = { list: [null], text: 'pw ', deep: {} }
  expect(said).toEqual(blank)
  expect(answer.headers['x-said']).toBe('pw')
  expect(await body(say('GET /me', String(token)))).toEqual(blank)
  expect(claimsOf(String(token))).toMatchObject({ email: 'cy', ...blank })
})

test('a field named as what every object has is no claim, and makes no sign-up fail that was stored', async () => {
  await startOther({ signUp: '/register', tokenClaims: { '...': '$user' } })
  const given = { email: 'cy@x.org', password: 'pc', city: 'Bern', constructor: 'x', valueOf: 'y' }
  const { token } = await body(say(`POST /register ${JSON.stringify(given)}`), 201)
  expect(claimsOf(String(token))).toMatchObject({ email: 'cy@x.org', city: 'Bern' })
  expect(claimsOf(String(token))).not.toHaveProperty('constructor', 'x')
})

test('a token refusal has its own body, and the specified login none', async () => {
  await startOther({ tokenRefusal: { message: '$message' }, allow: ['GET /items'] })
  for (const line of ['GET /users', 'GET /auth/me', 'GET /items?_embed=users'])
    expect(await body(say(line), 401)).toEqual({ message: expect.any(String) })
  const answer = await say('GET /users', 'bad')
  expect(answer.headers['www-authenticate']).toContain('invalid_token')
  expect((await say('POST /auth/login {"email": "ana@x.org", "password": "x"}')).text).toBe('"Unauthorized"')
})

test.each([403, 422])('a refusal has the status %i', async (loginRefusal) => {
  await start({ login: '/login', loginRefusal })
  expect(await body(say('POST /login {"username": "ana", "password": "x"}'), loginRefusal)).toHaveProperty(
    'message',
  )
})

test('logins beside the data: by email, username or name, with a token without an id', async () => {
  await start({ login: '/login', me: '/me', logins: [{ email: 'eve', password: 'pe' }] })
  for (const name of ['email', 'username', 'name', 'login', 'user']) {
    const { token } = await body(say(`POST /login {"${name}": "eve", "password": "pe"}`))
    expect(claimsOf(token)).toMatchObject({ email: 'eve' })
    expect(claimsOf(token)).not.toHaveProperty('sub')
    expect(await body(say('GET /me', String(token)))).toMatchObject({ username: 'eve' })
    expect(json(await say('GET /auth/me', String(token)))).toEqual({ email: 'eve' })
  }
  expect((await say('POST /login {"email": "eve", "password": "x"}')).status).toBe(401)
})

test('hashes are compared; one of a high cost never', async () => {
  const hash = hashSync('pa', 4)
  const users = [
    { ...ANA, password: hash },
    { ...BO, password: hash.replace('$04$', '$31$') },
    { id: 3, username: 'cy', passwordHash: hash.replace('$2b$', '$2y$') },
  ]
  await start({ data: { users }, login: '/login' })
  await body(say(LOGIN))
  await body(say('POST /login {"username": "cy", "password": "pa"}'))
  expect((await say('POST /login {"username": "ana", "password": "x"}')).status).toBe(401)
  expect((await say('POST /login {"username": "bo", "password": "pa"}')).status).toBe(401)
  // The hash itself is not the password.
  expect((await say(`POST /login ${JSON.stringify({ username: 'ana', password: hash })}`)).status).toBe(401)
})

test.each(['00', '01', '03', '32', '99'])(
  'a hash of a cost that bcrypt does not have, %s, is the password of nobody, and keeps nobody else out',
  async (cost) => {
    const hash = hashSync('pa', 4).replace('$04$', `$${cost}$`)
    await start({
      data: { users: [{ ...BO, name: 'Ana', password: hash }, ANA] },
      login: '/login',
    })
    for (const password of ['pa', hash])
      for (const path of ['/login', '/auth/login'])
        expect((await say(`POST ${path} ${JSON.stringify({ email: BO.email, password })}`)).status).toBe(401)
    expect(await body(say('POST /login {"name": "Ana", "password": "pa"}'))).toMatchObject({ id: 1 })
  },
)

test('the users can be of another collection', async () => {
  await start({
    data: { people: [ANA], users: [BO] },
    login: '/login',
    me: '/me',
    signUp: '/register',
    loginUsers: 'people',
  })
  const { token } = await body(say(LOGIN))
  expect(await body(say('GET /me', String(token)))).toMatchObject({ id: 1 })
  expect(await body(say('GET /auth/me', String(token)))).toMatchObject({ id: 1 })
  expect((await say('POST /login {"username": "bo", "password": "pb"}')).status).toBe(401)
  await body(say('POST /register {"email": "n@x.org", "password": "n"}'), 201)
  expect(json(await say('GET /people', String(token)))).toHaveLength(2)
})

test('a middleware of the user responds to an allowed login; where it does not, the built-in one does', async () => {
  const own: RequestHandler = (request, response, next) => {
    if (request.path === '/auth/login' && request.body.own) response.json({ own: true })
    else next()
  }
  for (const allow of [['POST /auth/login'], 'all'] as const) {
    await startOther({ middlewares: [own], allow, readOnly: true })
    const stale = { Authorization: 'Bearer stale' }
    expect(await body(say('POST /auth/login {"own": 1}', undefined, stale))).toEqual({ own: true })
    expect(await body(say('POST /auth/login {"email": "ana@x.org", "password": "pa"}'))).toHaveProperty(
      'access_token',
    )
    expect((await say('POST /auth/login {"email": "ana@x.org", "password": "x"}')).text).toBe(
      '"Unauthorized"',
    )
    await server.close()
  }
  await start({ middlewares: [own] })
  expect((await say('POST /auth/login {"own": 1}')).status).toBe(401)
})

test('an allowed login leads a middleware of the user to nothing else', async () => {
  const away: RequestHandler = (request, _response, next) => {
    if (request.path === '/auth/login') Object.assign(request, { method: 'GET', url: '/users' })
    next()
  }
  await start({ middlewares: [away], allow: ['POST /auth/login'] })
  expect((await say('POST /auth/login {"email": "x"}')).text).toBe('"Unauthorized"')
})

test.each(['POST /register {"email": "n@x.org", "password": "n"}', LOGIN])(
  'a middleware of the user makes no %s of another request',
  async (line) => {
    const { path } = question(line)
    const source = new MemoryData(data())
    const toAccount: RequestHandler = (request, _response, next) => {
      request.url = request.url.replace('/other', path)
      next()
    }
    server = await serveApp({
      data: source,
      login: '/login',
      signUp: '/register',
      refresh: '/login',
      middlewares: [toAccount],
    })
    const { access_token } = await body(say('POST /auth/login {"email": "ana@x.org", "password": "pa"}'))
    expect((await say(line.replace(path, '/other'), String(access_token))).status).toBe(404)
    expect(source.state.users).toEqual([ANA, BO])
  },
)

test('no rule leads the login away', async () => {
  const sent = 'POST /auth/login {"username": "ana", "password": "pa", "email": "ana@x.org"}'
  await start({ login: '/login', routes: { '/auth/*': '/login', '/auth/login': '/login' } })
  expect(Object.keys(await body(say(sent)))).toEqual(['access_token'])
})

describe('a refresh at the path of a login', () => {
  const REFRESH_PATH = { login: '/login', refresh: '/login', me: '/me' }

  /** What a login has set. */
  async function cookieOf(line: string): Promise<string> {
    const { headers } = await say(line)
    return String(headers['set-cookie']?.map((cookie) => cookie.split(';', 1)[0]).join('; '))
  }

  test('is asked for by the cookie alone: without a body, or with an empty one', async () => {
    await start({ ...REFRESH_PATH, refreshIn: 'cookie:r' })
    const Cookie = await cookieOf(LOGIN)
    for (const line of ['POST /login', 'POST /login {}']) {
      const { message, token } = await body(say(line, undefined, { Cookie }))
      expect(message).toBe('Refreshed.')
      expect(await body(say('GET /me', String(token)))).toMatchObject({ id: 1 })
    }
  })

  test('is asked for by a refresh token in the header alone', async () => {
    await start(REFRESH_PATH)
    const { refreshToken } = await body(say(LOGIN))
    expect(await body(say('POST /login', String(refreshToken)))).toMatchObject({ message: 'Refreshed.' })
  })

  test('is none where somebody logs in, or a body was sent that is not read', async () => {
    await start({ ...REFRESH_PATH, refreshIn: 'cookie:r', tokenIn: 'cookie:s' })
    const Cookie = await cookieOf(LOGIN)
    const asBo = '"username": "bo", "password": "pb"'
    const loggedIn = await body(say(`POST /login {${asBo}}`, undefined, { Cookie }))
    expect(loggedIn).toMatchObject({ id: 2, message: 'Logged in.' })
    const wrong = 'POST /login {"username": "bo", "password": "x"}'
    expect((await say(wrong, undefined, { Cookie })).status).toBe(401)
    for (const type of ['text/plain', '']) {
      const answer = await say(`POST /login {${asBo}}`, undefined, { Cookie, 'Content-Type': type })
      expect([type, answer.status, answer.text]).toEqual([
        type,
        401,
        expect.stringContaining('No login was read'),
      ])
    }
    // An access token alone asks for nothing, as where the body is empty by mistake.
    const [access = ''] = Cookie.split('; ').filter((cookie) => cookie.startsWith('s='))
    expect((await say('POST /login {}', undefined, { Cookie: access })).text).toContain('No login was read')
  })

  test('is none where a password stands beside a token, as in a form with a captcha', async () => {
    await start(REFRESH_PATH)
    const { token } = await body(say(LOGIN))
    const asBo = `"username": "bo", "password": "pb", "captcha": "${token}"`
    expect(await body(say(`POST /login {${asBo}}`))).toMatchObject({ id: 2, message: 'Logged in.' })
    expect((await say(`POST /login {${asBo.replace('pb', 'x')}}`)).status).toBe(401)
  })

  test('is refused as a refresh, where its token is no good', async () => {
    await start({ ...REFRESH_PATH, refreshIn: 'cookie:r', logout: '/logout' })
    const Cookie = await cookieOf(LOGIN)
    await say('POST /logout', undefined, { Cookie })
    const { status, text } = await say('POST /login', undefined, { Cookie })
    expect([status, text]).toEqual([401, expect.stringContaining('there is no refresh token that is valid')])
  })
})
