import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { isRecord } from '../../../lib/is-record'
import { type AppOptions, createApp, MemoryData } from '../../../server'
import { type Answer, ask, json, question, serve, type TestServer, withHeaders } from '../../support/http'

const ANA = { id: 1, email: 'ana@x.org', username: 'ana', password: 'pa', role: 'admin' }
const BO = { id: 2, email: 'bo@x.org', username: 'bo', password: 'pb', role: 'user' }

let server: TestServer
let source: MemoryData
let lines: string[]

beforeEach(() => {
  lines = []
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

async function start(options: Partial<AppOptions> = {}, users: object[] = [ANA, BO]): Promise<void> {
  source = new MemoryData({ users, posts: [] })
  server = await serve(createApp({ data: source, login: '/login', ...options }))
}

function say(line: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), headers))
}

/** The fields of a body. */
function body(answer: Answer): Record<string, unknown> {
  const value: unknown = json(answer)
  return isRecord(value) ? value : {}
}

async function bearer(line = 'POST /login {"username": "ana", "password": "pa"}') {
  const { token, access_token: own = token } = body(await say(line))
  return { Authorization: `Bearer ${own}` }
}

describe('--me "PATCH /users/me", and PUT', () => {
  const me = ['PATCH /users/me', 'PUT /users/me', 'DELETE /users/me', '/users/me']

  test('becomes the request for the own record', async () => {
    await start({ me })
    const headers = await bearer()
    expect(body(await say('PATCH /users/me?x=1 {"role": "owner"}', headers))).toMatchObject({
      id: 1,
      email: 'ana@x.org',
      role: 'owner',
    })
    expect((await say('PUT /users/me {"email": "a@x.org", "id": 2}', headers)).status).toBe(200)
    expect(body(await say('GET /users/me', headers))).toMatchObject({ id: 1, email: 'a@x.org' })
    expect(source.state.users).toEqual([{ ...ANA, email: 'a@x.org', role: 'owner' }, BO])
    expect((await say('DELETE /users/me', headers)).status).toBe(200)
    expect((await say('PATCH /users/me {"role": "x"}', headers)).status).toBe(404)
    expect(source.state.users).toEqual([BO])
  })

  test('is seen as such by middlewares and by --read-only, and needs a token', async () => {
    const seen: string[] = []
    const middleware: RequestHandler = (request, response, next) => {
      seen.push(`${request.method} ${request.path} ${JSON.stringify(request.body)}`)
      if (request.body.role) response.status(403).json({ message: 'no' })
      else next()
    }
    await start({ me, middlewares: [middleware] })
    const headers = await bearer()
    expect((await say('PATCH /users/me {"role": "owner"}', headers)).status).toBe(403)
    expect(seen).toEqual(['PATCH /users/1 {"role":"owner"}'])
    expect((await say('PATCH /users/me {}')).text).toBe('"Unauthorized"')
    await server.close()
    await start({ me, readOnly: true })
    expect((await say('PATCH /users/me {"role": "owner"}', await bearer())).status).toBe(403)
    await server.close()
    await start({ me, allow: 'all' })
    expect((await say('PATCH /users/me {"role": "owner"}')).status).toBe(401)
    expect(source.state.users).toEqual([ANA, BO])
  })

  test.each([
    { users: [ANA], role: 'owner' },
    { users: [{ ...ANA, user: {} }], role: 'admin' },
  ])('the field user of the body is unwrapped, unless records have one: $users', async ({ users, role }) => {
    await start({ me }, users)
    expect((await say('PATCH /users/me {"user": {"role": "owner"}}', await bearer())).status).toBe(200)
    expect(source.state.users).toMatchObject([{ role }])
  })

  test('of a login that is no record is 404', async () => {
    await start({ me, logins: [{ email: 'boss', password: 's' }] })
    const headers = await bearer('POST /login {"username": "boss", "password": "s"}')
    const answer = await say('PATCH /users/me {"role": "x"}', headers)
    expect([answer.status, Object.keys(body(answer))]).toEqual([404, ['message', 'error']])
  })

  test('with users in another collection', async () => {
    const data = { people: [{ id: 'x y', email: 'a', password: 'p' }], users: [ANA] }
    server = await serve(createApp({ data, login: '/login', me, loginUsers: 'people' }))
    const headers = await bearer('POST /login {"email": "a", "password": "p"}')
    expect(body(await say('PATCH /users/me {"age": 3}', headers))).toMatchObject({ id: 'x y', age: 3 })
  })
})

describe('templates', () => {
  test('$expiresAt is the expiry that the token says, whatever the milliseconds of the clock', async () => {
    await start({
      loginResponse: { token: '$token', at: '$expiresAt' },
      clock: () => 1999,
      tokenLifetime: 60,
    })
    const { token, at } = body(await say('POST /login {"username": "ana", "password": "pa"}'))
    expect(jwt.decode(String(token))).toMatchObject({ exp: Date.parse(String(at)) / 1000 })
  })

  test('$token within a text, and $expiresAt', async () => {
    const loginResponse = {
      auth: 'Bearer $token',
      hi: 'Hi $user.username, $user.x!',
      both: '$user.username $user.username',
      at: '$expiresAt',
    }
    await start({ loginResponse, clock: () => 1000, tokenLifetime: 60 })
    const said = body(await say('POST /login {"username": "ana", "password": "pa"}'))
    expect(said).toEqual({
      auth: expect.stringMatching(/^Bearer eyJ/),
      hi: 'Hi ana, !',
      both: 'ana ana',
      at: '1970-01-01T00:01:01.000Z',
    })
    expect((await say('GET /users', { Authorization: String(said.auth) })).status).toBe(200)
  })

  test('login-headers are exposed, and a value that no header can hold is left out with a line in the log', async () => {
    const loginHeaders = { Authorization: 'Bearer $token', 'X-Name': '$user.name', 'X-City': '$user.city' }
    const names = ['a\r\nSet-Cookie: b=c', 'Łukasz', undefined]
    await start({ loginHeaders }, [
      ...names.map((name, id) => ({ id, email: `u${id}`, password: 'p', name, city: 'Bern' })),
    ])
    for (const [id] of names.entries()) {
      const answer = await say(`POST /login {"email": "u${id}", "password": "p"}`)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        authorization: expect.stringMatching(/^Bearer eyJ/),
        'x-city': 'Bern',
      })
      expect(answer.headers['access-control-expose-headers']).toMatch(/Authorization/)
      expect(answer.headers).not.toHaveProperty('x-name')
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
    expect(lines.filter((line) => line.includes('X-Name'))).toHaveLength(3)
  })

  test('a refusal has any status from 200 on', async () => {
    await start({ loginRefusal: { status: 200, body: { ok: false, why: '$message' } } })
    const answer = await say('POST /login {"username": "ana", "password": "no"}')
    expect([answer.status, body(answer)]).toEqual([200, { ok: false, why: expect.any(String) }])
  })

  test('objects are claims', async () => {
    const hasura = {
      'x-hasura-allowed-roles': ['user'],
      'x-hasura-user-id': '$user.id',
      note: 'x'.repeat(300),
    }
    const tokenClaims = { realm_access: { roles: ['$user.role'] }, 'https://hasura.io/jwt/claims': hasura }
    await start({ tokenClaims })
    const { Authorization } = await bearer()
    const [, payload = ''] = Authorization.split('.')
    expect(JSON.parse(String(Buffer.from(payload, 'base64url')))).toMatchObject({
      realm_access: { roles: ['admin'] },
      'https://hasura.io/jwt/claims': { ...hasura, 'x-hasura-user-id': 1 },
    })
    expect((await say('GET /users', { Authorization })).status).toBe(200)
  })

  test('a template names own fields alone', async () => {
    await start({ loginResponse: { token: '$token', a: '$user.constructor', b: 'x $user.constructor.name' } })
    const said = body(await say('POST /login {"username": "ana", "password": "pa"}'))
    expect(said).toEqual({ token: expect.any(String), b: 'x ' })
  })
})

test('--any-password: who has no password field and no hash logs in with any, by labelled names alone', async () => {
  const hash = `$2b$04$${'x'.repeat(53)}`
  const users = [
    { id: 1, email: 'a', name: 'A' },
    { id: 2, email: 'b', password: 'pb' },
    { id: 3, email: 'c', password: '' },
    { id: 4, email: 'd', x: hash, y: hash },
    { id: 5, email: 'e', userPassword: 'geheim' },
    { id: 6, email: 'f', credentials: { passwordDigest: '5f4dcc3b' } },
  ]
  await start({ anyPassword: true }, users)
  const status = async (text: string, path = '/login') => (await say(`POST ${path} ${text}`)).status
  expect(await status('{"email": "a", "password": "whatever"}')).toBe(200)
  expect(await status('{"username": "a", "pin": 1}')).toBe(200)
  expect(await status('{"email": "b", "password": "pb"}')).toBe(200)
  for (const text of [
    '{"email": "a"}',
    '{"user": "a", "password": "x"}',
    '{"name": "A", "password": "x"}',
    '{"id": 1, "password": "x"}',
    '{"email": "b", "password": "x"}',
    '{"email": "c", "password": "x"}',
    '{"email": "d", "password": "x"}',
    '{"email": "e", "password": "x"}',
    '{"email": "f", "password": "x"}',
  ])
    expect([text, await status(text)]).toEqual([text, 401])
  expect(await status('{"email": "a", "password": "x"}', '/auth/login')).toBe(401)
})

describe('--refresh', () => {
  const login = 'POST /login {"username": "ana", "password": "pa"}'

  test('takes an access token in the body', async () => {
    await start({ refresh: '/refresh' })
    const { token } = body(await say(login))
    expect((await say(`POST /refresh ${JSON.stringify({ anything: token })}`)).status).toBe(200)
  })

  test('a refresh token that was sent decides alone', async () => {
    let now = 0
    await start({ refresh: '/refresh', clock: () => now, tokenLifetime: 30 * 86_400 })
    const { token, refresh_token } = body(await say(login))
    now = 8 * 86_400_000
    const headers = { Authorization: `Bearer ${token}` }
    expect((await say('GET /users', headers)).status).toBe(200)
    expect((await say(`POST /refresh ${JSON.stringify({ refresh_token })}`, headers)).status).toBe(401)
    expect((await say('POST /refresh {}', headers)).status).toBe(200)
  })

  test('without --login, the response of the specified login has refresh_token', async () => {
    await start({ login: [], refresh: '/refresh' })
    const said = body(await say('POST /auth/login {"email": "ana@x.org", "password": "pa"}'))
    expect(Object.keys(said)).toEqual(['access_token', 'refresh_token'])
    const { refresh_token } = said
    expect((await say(`POST /refresh ${JSON.stringify({ refresh_token })}`)).status).toBe(200)
    await server.close()
    await start({ refresh: '/refresh' })
    const other = body(await say('POST /auth/login {"email": "ana@x.org", "password": "pa"}'))
    expect(Object.keys(other)).toEqual(['access_token'])
  })
})

test('--refresh-in without --login: the specified login gives the refresh token in its response', async () => {
  await start({ login: [], refresh: '/refresh', refreshIn: 'cookie:r' })
  const answer = await say('POST /auth/login {"email": "ana@x.org", "password": "pa"}')
  expect(Object.keys(body(answer))).toEqual(['access_token', 'refresh_token'])
})

test('--refresh-in with --sign-up alone: who signs up has the refresh token in the cookie, and no body has it', async () => {
  const options = { login: [], signUp: '/join', refresh: '/refresh', refreshIn: 'cookie:r' }
  await start(options)
  const joined = await say('POST /join {"email": "n@x.org", "password": "n"}')
  expect([joined.status, String(joined.headers['set-cookie'])]).toEqual([201, expect.stringMatching(/^r=/)])
  expect(body(joined)).toHaveProperty('token')
  for (const name of ['refresh_token', 'refreshToken']) expect(body(joined)).not.toHaveProperty(name)
  // Who has logged in as specified has it in a body, and gets the next one there.
  const { refresh_token } = body(await say('POST /auth/login {"email": "n@x.org", "password": "n"}'))
  const next = body(await say(`POST /refresh ${JSON.stringify({ refresh_token })}`))
  expect(next.refresh_token).toEqual(expect.any(String))
})

test.each<[Partial<AppOptions>, string[]]>([
  [{ login: '/in' }, []],
  [{ login: '/in', refresh: '/refresh' }, ['/in', '/refresh']],
  [{ login: '/in', refresh: '/refresh', refreshIn: 'cookie:r' }, []],
  [{ login: [], signUp: '/join', refresh: '/refresh', refreshIn: 'cookie:r' }, ['/refresh', '/auth/login']],
])('with %j, the document has a refresh token in the responses of %j', async (options, paths) => {
  await start({ ...options, docs: true })
  const described: Record<string, unknown> = Object(body(await say('GET /openapi.json')).paths)
  const withRefresh = Object.keys(described).filter((path) =>
    JSON.stringify(Object(described[path]).post?.responses)?.includes('refresh_token'),
  )
  expect(withRefresh.sort()).toEqual([...paths].sort())
})

describe('a login as multipart/form-data', () => {
  const send = async (form: FormData, path = '/login') => {
    const response = await fetch(server.url + path, { method: 'POST', body: form })
    return { status: response.status, text: await response.text() }
  }
  const formOf = (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }

  test('its texts are read, at the specified row as well', async () => {
    await start()
    expect((await send(formOf({ username: 'ana', password: 'pa' }))).status).toBe(200)
    expect((await send(formOf({ username: 'ana', password: 'no' }))).status).toBe(401)
    expect((await send(formOf({ email: 'ana@x.org', password: 'pa' }), '/auth/login')).status).toBe(200)
    const withFile = formOf({ username: 'ana', password: 'pa' })
    withFile.append('photo', new Blob(['x']), 'x.png')
    expect((await send(withFile)).status).toBe(200)
  })

  test('one that is too long or no form is refused', async () => {
    await start()
    expect((await send(formOf({ username: 'x'.repeat(20_000), password: 'pa' }))).status).toBe(413)
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const answer = await ask(server.url, { method: 'POST', path: '/login', headers, body: 'nothing' })
    expect([answer.status, Object.keys(body(answer))]).toEqual([400, ['message', 'error']])
  })
})

test.each(['/v1/accounts:signIn', '/a:b/c:d'])('a path with a colon: %s', async (path) => {
  await start({ login: path })
  expect((await say(`POST ${path} {"username": "ana", "password": "pa"}`)).status).toBe(200)
})

describe('a proxy that changes the host, a sibling host, and an extension of a browser', () => {
  const cookies = { tokenIn: 'cookie:session', logout: '/logout' }
  const proxied = { Host: 'localhost:33000', Origin: 'http://myapp.test:5173' }
  const sibling = { Host: 'api.myapp.test', Origin: 'http://app.myapp.test', 'Sec-Fetch-Site': 'same-site' }
  const extension = {
    Host: 'localhost:33000',
    Origin: 'chrome-extension://abc',
    'Sec-Fetch-Site': 'cross-site',
  }
  const sent = 'POST /login {"username": "ana", "password": "pa"}'

  test('a page of another site may use the specified login, which sets no cookie', async () => {
    await start(cookies)
    const specified = 'POST /auth/login {"email": "ana@x.org", "password": "pa"}'
    expect((await say(specified, proxied)).status).toBe(200)
  })

  test.each([
    { headers: proxied, name: 'myapp.test' },
    { headers: sibling, name: 'app.myapp.test' },
    { headers: extension, name: 'chrome-extension://abc' },
  ])('$name is another site, and the 403 names --allow-host', async ({ headers, name }) => {
    await start(cookies)
    const answer = await say(sent, headers)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain(`--allow-host ${name}.`)
  })

  test.each([
    { headers: proxied, allowedHosts: ['myapp.test'] },
    { headers: sibling, allowedHosts: ['.myapp.test'] },
    { headers: sibling, allowedHosts: 'all' as const },
    { headers: extension, allowedHosts: ['chrome-extension://abc'] },
  ])('with --allow-host $allowedHosts it is the same site', async ({ headers, allowedHosts }) => {
    await start({ ...cookies, allowedHosts })
    const answer = await say(sent, headers)
    expect(answer.status).toBe(200)
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    const [pair = ''] = cookie.split(';')
    expect((await say('GET /users', { ...headers, Cookie: pair })).status).toBe(200)
    const evil = { ...headers, Origin: 'http://evil.test', Cookie: pair }
    expect((await say('GET /users', evil)).status).toBe(allowedHosts === 'all' ? 200 : 401)
  })
})
