import { compareSync, hashSync } from 'bcryptjs'
import { randomSigningKey } from '../../../lib/auth/access-token'
import { OptionError } from '../../../lib/errors'
import { isRecord } from '../../../lib/is-record'
import { type AccountOptions, bearerToken, createApp, login } from '../../../server'
import { Contract } from '../../app/contract'
import { ask, json, question, serve, serveHandlers, type TestServer, withHeaders } from '../../support/http'

const someUsers = () => [{ id: 1, username: 'ana', password: 'pa' }]

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test.each<{ options: AccountOptions; named: string }>([
  { options: { loginResponse: '$user' }, named: 'login-response' },
  { options: { login: '/x', meResponse: '$user' }, named: 'me-response' },
  { options: { login: '/x', refreshOnce: true }, named: '--refresh-once' },
  { options: { login: '/log*' }, named: '/log*' },
  { options: { login: '/users/:id' }, named: ':id' },
  { options: { login: '/the-authentication-service-of-a-long-name/:id' }, named: ':id' },
  { options: { login: 'login' }, named: 'slash' },
  { options: { login: '' }, named: 'slash' },
  { options: { loginUsers: 'people' }, named: 'login-users' },
  { options: { me: '/x', loginUsers: 'people' }, named: 'login-users' },
  { options: { tokenIn: ['token', 'cookie:session'] }, named: '--token-in cookie' },
  { options: { tokenIn: 'a b' }, named: '--token-in' },
  { options: { login: 'HEAD /login' }, named: 'HEAD' },
  { options: { login: '/../login' }, named: '..' },
  { options: { login: '/login?x' }, named: '?x' },
  { options: { me: ['/me', ''] }, named: '--me' },
  { options: { login: '/x', signUp: '/X/' }, named: '--sign-up' },
  { options: { refresh: '/auth/login' }, named: '--refresh' },
  { options: { login: 'GET /auth/me' }, named: '--me' },
  { options: { login: '/x', refreshIn: 'refresh' }, named: 'cookie' },
  { options: { login: '/x', refreshIn: 'cookie:' }, named: 'cookie' },
  { options: { login: '/x', refreshIn: 'cookie:a=b' }, named: 'cookie' },
  { options: { login: '/x', loginResponse: { a: ['$tokn'] } }, named: '$tokn' },
  { options: { me: '/x', meResponse: '$refresh' }, named: '$refresh' },
  { options: { login: '/x', loginRefusal: 199 }, named: 'login-refusal' },
  { options: { login: '/x', loginRefusal: 'no' }, named: 'login-refusal' },
  { options: { login: '/x', loginRefusal: { status: 400, body: '$user' } }, named: '$user' },
  { options: { tokenRefusal: { message: '$reason' } }, named: '$reason' },
  { options: { login: '/x', tokenClaims: '$user' }, named: 'token-claims' },
  { options: { login: '/x', signUpRefusal: 400 }, named: 'sign-up-refusal' },
  { options: { signUp: '/x', signUpRefusal: 600 }, named: 'sign-up-refusal' },
  { options: { loginFields: { names: ['npp'] } }, named: 'login-fields' },
  { options: { login: '/x', loginResponse: 'Bearer $tokn' }, named: '$tokn' },
  { options: { login: '/x', loginResponse: { r: '$refresh' } }, named: '$refresh' },
  { options: { login: '/x', loginResponse: { t: '$type' } }, named: '$type' },
  { options: { login: '/x', loginHeaders: { r: '$refresh' } }, named: '$refresh' },
  { options: { loginHeaders: { a: 'b' } }, named: 'login-headers' },
  { options: { login: '/x', loginHeaders: { 'Content-Length': '1' } }, named: 'Content-Length' },
  { options: { login: '/x', loginHeaders: { 'transfer-encoding': 'x' } }, named: 'transfer-encoding' },
  { options: { login: '/x', loginHeaders: { 'Set-Cookie': 'x' } }, named: 'Set-Cookie' },
  { options: { login: '/x', loginHeaders: { 'a b': 'x' } }, named: 'a b' },
  { options: { anyPassword: true }, named: '--any-password' },
  { options: { login: '/x', loginFields: { names: [] } }, named: 'login-fields' },
  { options: { login: '/x', loginFields: { password: '' } }, named: 'login-fields' },
  { options: { login: '/x', tokenClaims: { uid: '$id' } }, named: '$id' },
  { options: { login: '/x', tokenClaims: { sub: 'x' } }, named: '"sub"' },
  { options: { login: '/x', tokenClaims: { toString: 'x' } }, named: '"toString"' },
  { options: { login: '/x', loginHeaders: { 'Cache-Control': 'x' } }, named: 'Cache-Control' },
  { options: { login: '/x', loginHeaders: { 'content-encoding': 'gzip' } }, named: 'content-encoding' },
  { options: { login: '/x', loginRefusal: 204 }, named: 'login-refusal' },
  { options: { signUp: '/x', anyPassword: true }, named: '--any-password' },
  { options: { me: 'DELETE /x', meResponse: '$user' }, named: 'me-response' },
  { options: { login: '/x', logoutResponse: '$message' }, named: 'logout-response' },
  { options: { logout: '/x', logoutResponse: '$user' }, named: '$user' },
  { options: { loginIf: {} }, named: 'login-if' },
  { options: { tokenRefusal: { status: 204, body: '' } }, named: 'token-refusal' },
  { options: { login: 'GET /api/users.php' }, named: '/api/users.php' },
])('$options is refused, and the sentence names $named', ({ options, named }) => {
  const make = () => createApp({ data: { users: someUsers() }, log: false, ...options })
  expect(make).toThrow(OptionError)
  expect(make).toThrow(named)
})

test.each([null, 'abc', 5, ['X-A'], { a: null }, { a: {} }])(
  'loginHeaders: %j is refused',
  (loginHeaders) => {
    const options = { data: { users: [] }, log: false, login: '/x' }
    Object.assign(options, { loginHeaders })
    expect(() => createApp(options)).toThrow(OptionError)
    expect(() => createApp(options)).toThrow(/^login-headers must be names of headers with texts/)
  },
)

test('a header that holds the token needs no other option', () => {
  expect(() => createApp({ data: { users: [] }, tokenIn: 'x-access-token' })).not.toThrow()
})

test('a refresh may have the path of the login', () => {
  expect(() => createApp({ data: { users: [] }, login: '/token', refresh: '/token' })).not.toThrow()
})

test('the document describes each path, and shows no user', async () => {
  const app = createApp({
    data: { users: someUsers() },
    docs: true,
    log: false,
    login: ['/login', 'GET /token'],
    me: '/me',
    signUp: '/register',
    refresh: '/refresh',
    logout: 'DELETE /login',
  })
  server = await serve(app)
  const { url } = server
  const document = await ask(url, { path: '/openapi.json' })
  expect(document.text).not.toContain('"ana"')
  const { paths } = JSON.parse(document.text)
  expect(paths).toMatchObject({
    '/login': { post: {}, delete: {} },
    '/token': { get: {} },
    '/me': { get: {} },
    '/register': { post: {} },
    '/refresh': { post: {} },
  })
  const contract = await Contract.of(url)
  for (const line of [
    'POST /login username=ana&password=pa',
    'POST /login {"x": 1}',
    'POST /login {',
    'POST /register username=bo&password=b',
    'POST /refresh {}',
    'GET /me',
    'DELETE /login',
  ])
    expect([line, contract.problems(question(line), await ask(url, question(line)))]).toEqual([line, []])
})

test.each(['PATCH /me', 'PUT /me', 'DELETE /me'])(
  'in a server of your own, nothing changes a record: %s',
  (me) => {
    const options = { key: randomSigningKey(), users: someUsers, login: '/login' }
    expect(() => login({ ...options, me: ['/me', me] })).toThrow(new RegExp(`me: "${me}"`))
  },
)

test('in a server of your own: the same login, sign-up, refresh and logout ahead of its token check', async () => {
  const key = randomSigningKey()
  const users = someUsers()
  const addUser = (user: object) => {
    const added = { username: '', password: '', ...user, id: users.length + 1 }
    users.push(added)
    return added
  }
  const paths = { login: '/login', signUp: '/register', me: '/me', refresh: '/refresh', logout: '/logout' }
  server = await serveHandlers(
    login({ key, users: () => users, addUser, ...paths }),
    bearerToken({ key }),
    (_request, response) => {
      response.json({ inside: true })
    },
  )
  const { url } = server
  const say = async (line: string, token?: unknown): Promise<Record<string, unknown>> => {
    const answer = await ask(
      url,
      withHeaders(question(line), token ? { Authorization: `Bearer ${token}` } : {}),
    )
    const value = json(answer)
    return { status: answer.status, ...(isRecord(value) ? value : {}) }
  }
  expect(await say('GET /x')).toMatchObject({ status: 401 })
  const joined = await say('POST /register {"username": "bo", "password": "b"}')
  expect(joined).toMatchObject({ status: 201, id: 2 })
  expect(await say('POST /register {"username": "bo", "password": "b"}')).toMatchObject({
    status: 409,
    message: expect.any(String),
  })
  const { token, refreshToken } = await say('POST /login {"username": "bo", "password": "b"}')
  expect(await say('GET /x', token)).toMatchObject({ status: 200, inside: true })
  expect(await say('GET /me', token)).toMatchObject({ status: 200, username: 'bo' })
  expect(await say(`POST /refresh ${JSON.stringify({ refreshToken })}`)).toMatchObject({ status: 200 })
  expect(await say('POST /logout {}', token)).toMatchObject({ status: 200 })
  for (const line of ['GET /x', 'GET /me']) expect(await say(line, token)).toMatchObject({ status: 401 })
  expect(() => login({ key, users: () => users, signUp: '/register' })).toThrow(OptionError)
})

test('in a server of your own: a sign-up has a hash where others have, and two at once cannot take one name', async () => {
  const key = randomSigningKey()
  const users = [{ id: 1, username: 'ana', password: hashSync('pa', 4) }]
  const addUser = (user: object) => {
    const added = { username: '', password: '', ...user, id: users.length + 1 }
    users.push(added)
    return added
  }
  server = await serveHandlers(login({ key, users: () => users, addUser, login: '/login', signUp: '/join' }))
  const { url } = server
  const join = () => ask(url, question('POST /join {"username": "bo", "password": "b"}'))
  const statuses = (await Promise.all([join(), join()])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 409])
  expect(users.slice(1).map(({ password }) => compareSync('b', password))).toEqual([true])
  expect((await ask(url, question('POST /login {"username": "bo", "password": "b"}'))).status).toBe(200)
})
