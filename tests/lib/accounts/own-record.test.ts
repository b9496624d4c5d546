import { hashSync } from 'bcryptjs'
import { isRecord } from '../../../lib/is-record'
import { type AppOptions, createApp } from '../../../server'
import { serveApp } from '../../support/app'
import {
  type Answer,
  ask,
  json,
  question,
  serve,
  type TestServer,
  until,
  withHeaders,
} from '../../support/http'

const MIA = { id: 1, email: 'mia@x.org', username: 'mia', role: 'admin', password: 'pm' }
const PATHS = { login: '/login', me: ['/user', 'PUT /user', 'PATCH /user', 'DELETE /user'] }
const REAL_WORLD = { meResponse: { user: { email: '$user.email', bio: '$user.bio', token: '$token' } } }

let server: TestServer
let token = ''
afterEach(() => server.close())

const data = () => ({
  users: [{ ...MIA }],
  posts: [
    { id: 1, userId: 1, title: 'a' },
    { id: 2, userId: 2, title: 'b' },
  ],
})

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: data(), ...PATHS, ...options })
  token = await logIn()
}

async function logIn(password = 'pm'): Promise<string> {
  const answer = await ask(
    server.url,
    question(`POST /auth/login {"email": "mia@x.org", "password": "${password}"}`),
  )
  const body = json(answer)
  return isRecord(body) ? String(body.access_token) : ''
}

function say(line: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), { Authorization: `Bearer ${token}`, ...headers }))
}

const stored = async () => json(await say('GET /users/1'))

test.each(['PUT', 'PATCH'])('%s of the own record merges, and responds as the GET does', async (method) => {
  await start(REAL_WORLD)
  const answer = await say(`${method} /user {"user": {"bio": "hi", "id": 2, "token": "x"}}`)
  expect(answer.status).toBe(200)
  expect(json(answer)).toEqual({ user: { email: 'mia@x.org', bio: 'hi', token } })
  expect(json(answer)).toEqual(json(await say('GET /user')))
  expect(await stored()).toEqual({ ...MIA, bio: 'hi', token: 'x' })
})

test('without me-response, it responds with all fields but the password', async () => {
  await start({ me: 'PATCH /user' })
  const { password: _, ...shown } = MIA
  expect(json(await say('PATCH /user {"bio": "hi"}'))).toEqual({
    ...shown,
    bio: 'hi',
    user: { ...shown, bio: 'hi' },
  })
})

test('me-response is that of a change alone, too, and one that names nothing is no 404', async () => {
  await start({ me: 'PUT /user', meResponse: '$user.nothing' })
  const answer = await say('PUT /user {"bio": "hi"}')
  expect([answer.status, json(answer)]).toEqual([200, null])
  await server.close()
  await start({ meResponse: '$user.nothing' })
  expect(json(await say('GET /user'))).toBeNull()
})

test.each(['PUT', 'PATCH'])('%s with an empty password keeps the one that there is', async (method) => {
  await start()
  for (const password of ['', null]) {
    const form = { user: { bio: 'hi', password, passwordConfirm: password } }
    expect((await say(`${method} /user ${JSON.stringify(form)}`)).status).toBe(200)
    expect(await stored()).toEqual({ ...MIA, bio: 'hi' })
  }
  expect((await say(`${method} /user {"password": "new"}`)).text).not.toContain('new')
  expect(await logIn('new')).not.toBe('undefined')
})

test('an empty password is one by the label that login-fields names, too', async () => {
  await start({ loginFields: { password: 'code' } })
  await say('PATCH /user {"code": "1234"}')
  expect((await say('PUT /user {"bio": "", "code": ""}')).status).toBe(200)
  expect(await stored()).toEqual({ ...MIA, bio: '', code: '1234' })
})

test('a list is refused, nothing and null change nothing, and after a DELETE there is no record', async () => {
  await start()
  expect((await say('PUT /user [1]')).status).toBe(400)
  for (const body of ['{}', '{"id": null}']) {
    expect((await say(`PUT /user ${body}`)).status).toBe(200)
    expect(await stored()).toEqual(MIA)
  }
  expect((await say('PUT /user {}', { Authorization: '' })).status).toBe(401)
  const removed = await say('DELETE /user')
  expect([removed.status, json(removed)]).toEqual([200, {}])
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await say(`${method} /user {}`)).status).toBe(404)
})

test('PUT /users/1 replaces, as json-server does', async () => {
  await start()
  await say('PUT /users/1 {"email": "mia@x.org"}')
  expect(await stored()).toEqual({ id: 1, email: 'mia@x.org', password: 'pm' })
})

test('a middleware sees the change of the record, and what it makes of the response is sent', async () => {
  const seen: string[] = []
  await start({
    ...REAL_WORLD,
    middlewares: [
      (request, response, next) => {
        seen.push(`${request.method} ${request.url}`)
        const { jsonp } = response
        response.jsonp = (value) => jsonp.call(response, { wrapped: value })
        next()
      },
    ],
  })
  const answer = await say('PUT /user {"bio": "hi"}')
  expect(seen).toContain('PATCH /users/1')
  expect(json(answer)).toEqual({ wrapped: { user: { email: 'mia@x.org', bio: 'hi', token } } })
})

test('the log and the journal have the method that was sent', async () => {
  const lines: string[] = []
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  try {
    server = await serve(createApp({ data: data(), ...PATHS, sandboxes: true }))
    const sandbox = { 'X-Sandbox': 'lab' }
    token = await logIn()
    await say('PUT /user {"bio": "hi"}', sandbox)
    await until(() => lines.some((line) => line.includes('/user ')))
    expect(lines.join('')).toMatch(/PUT \/user /)
    expect(json(await say('GET /__sandbox/requests?path=/user', sandbox))).toMatchObject([
      { method: 'PUT', path: '/user', status: 200 },
    ])
  } finally {
    spy.mockRestore()
  }
})

test('who am I has the records that its query asks for', async () => {
  await start({ me: '/user' })
  const posts = [{ id: 1, userId: 1, title: 'a' }]
  expect(json(await say('GET /user?_embed=posts'))).toMatchObject({
    email: 'mia@x.org',
    posts,
    user: { posts },
  })
  expect((await say('GET /user?_embed=posts')).text).not.toContain('"pm"')
  expect((await say('GET /user?_embed=posts', { Authorization: '' })).status).toBe(401)
  expect(json(await say('GET /user?other=posts'))).not.toHaveProperty('posts')
})

test('who am I by a POST says who it is, and the specified one is as specified, whatever their queries', async () => {
  await start({ me: ['/user', 'POST /userinfo'] })
  const answer = await say('POST /userinfo?_embed=posts')
  expect([answer.status, json(answer)]).toEqual([200, json(await say('POST /userinfo'))])
  expect((await say('GET /auth/me?_embed=posts')).text).toBe((await say('GET /users/1')).text)
})

test('who am I of a login that is no record says it, whatever its query', async () => {
  await start({ me: '/user', logins: [{ email: 'me@x.org', password: 'pm' }] })
  const answer = await ask(server.url, question('POST /auth/login {"email": "me@x.org", "password": "pm"}'))
  const body = json(answer)
  token = isRecord(body) ? String(body.access_token) : ''
  expect(json(await say('GET /user?_embed=posts'))).toMatchObject({ email: 'me@x.org' })
})

test.each([
  ['the default response, with a change in it', (me: object) => ({ ...me, username: 'new', bio: 'hi' })],
  [
    'one with a change in its object',
    (me: { user?: object }) => ({ ...me, user: { ...me.user, username: 'new', bio: 'hi' } }),
  ],
  ['an object, and a field beside it', () => ({ user: { username: 'new' }, bio: 'hi' })],
])('what is sent back is stored: %s', async (_name, change) => {
  for (const method of ['PUT', 'PATCH']) {
    await start()
    const me = json(await say('GET /user'))
    const answer = await say(`${method} /user ${JSON.stringify(change(isRecord(me) ? me : {}))}`)
    expect(json(answer)).toMatchObject({ username: 'new', bio: 'hi' })
    expect(await stored()).toEqual({ ...MIA, username: 'new', bio: 'hi' })
    await server.close()
  }
  await start()
})

test.each([
  ['the default response', {}],
  ['one of its own', { loginResponse: { jwt: '$token', again: '$refresh', user: '$user' } }],
  ['a flat one', { loginResponse: { '...': '$user', jwt: '$token' } }],
  ['the token in the user', { loginResponse: { user: { email: '$user.email', token: '$token' } } }],
])('a login response that is sent back stores no token: %s', async (_name, options) => {
  await start({ refresh: '/refresh', ...options })
  const login = json(await say('POST /login {"email": "mia@x.org", "password": "pm"}'))
  const body = JSON.stringify({ ...(isRecord(login) && login), bio: 'hi', username: 'new' })
  expect(body).toContain('eyJ')
  expect((await say(`PUT /user ${body}`)).status).toBe(200)
  expect(await stored()).toEqual({ ...MIA, bio: 'hi', username: 'new' })
})

test('a form beside the user of an earlier login is what its person has typed', async () => {
  await start()
  const { password: _, ...user } = MIA
  for (const bio of ['', 'hi']) {
    const body = JSON.stringify({ username: 'new', bio, user })
    expect(json(await say(`PUT /user ${body}`))).toMatchObject({ username: 'new', bio })
  }
  expect(await stored()).toEqual({ ...MIA, username: 'new', bio: 'hi' })
})

test('a field user of somebody else takes the object from nobody', async () => {
  await start()
  await say('POST /users {"email": "z@x.org", "user": "zed"}')
  expect(json(await say('PATCH /user {"user": {"bio": "hi"}}'))).toMatchObject({ bio: 'hi' })
})

test('who is known by a name alone saves a form with an empty email', async () => {
  server = await serveApp({ ...PATHS, data: { users: [{ id: 1, name: 'Bob', password: 'p' }] } })
  const login = json(await ask(server.url, question('POST /login {"name": "Bob", "password": "p"}')))
  token = isRecord(login) ? String(login.token) : ''
  expect((await say('PUT /user {"name": "Bob", "email": "", "bio": "hi"}')).status).toBe(200)
  expect((await say('PUT /user {"name": "", "email": ""}')).status).toBe(400)
})

test('a new password that is typed again is stored once, whoever changes it', async () => {
  await start()
  for (const path of ['/user', '/users/1']) {
    const again = { confirm: path, repeat: path, verify: path, passwordAgain: path }
    expect((await say(`PATCH ${path} ${JSON.stringify({ password: path, ...again })}`)).status).toBe(200)
    expect(await stored()).toEqual({ ...MIA, password: path })
  }
  expect((await say('PATCH /user {"password": "/users/1", "confirm": "/users/1"}')).status).toBe(200)
  for (const again of ['two', '']) {
    const other = await say(`PATCH /user {"password": "one", "confirmPassword": "${again}"}`)
    expect(other.status).toBe(400)
  }
  expect((await say('PATCH /user {"password": "", "confirmPassword": ""}')).status).toBe(200)
  expect(await stored()).toEqual({ ...MIA, password: '/users/1' })
})

test.each(['/login', '/auth/login'])(
  '%s: who has no id is said, and reaches no list of users',
  async (path) => {
    const users = [{ email: 'me@x.org', password: 'pm' }, MIA]
    server = await serveApp({ ...PATHS, data: { users, posts: [] } })
    const body = json(await ask(server.url, question(`POST ${path} {"email": "me@x.org", "password": "pm"}`)))
    token = isRecord(body) ? String(body.access_token) : ''
    for (const query of ['', '?_embed=posts', '?_expand=post'])
      expect(json(await say(`GET /user${query}`))).toMatchObject({ user: { email: 'me@x.org' } })
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await say(`${method} /user {"bio": "hi"}`)).status).toBe(404)
    expect(json(await say('GET /users'))).toEqual(users)
  },
)

test('a change by a login of --user, and by a user without an id, is a 404 that says another thing than "log in again"', async () => {
  const credentials = { email: 'me@x.org', password: 'pm' }
  const said = new Set<string>()
  for (const others of [{ logins: [credentials] }, { data: { users: [credentials] } }]) {
    server = await serveApp({ data: data(), ...PATHS, ...others })
    const body = json(await ask(server.url, question(`POST /auth/login ${JSON.stringify(credentials)}`)))
    token = isRecord(body) ? String(body.access_token) : ''
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await say(`${method} /user {"bio": "hi"}`)
      expect([answer.status, answer.text.includes('log in again')]).toEqual([404, false])
      said.add(answer.text)
    }
    if (said.size === 1) await server.close()
  }
  expect(said.size).toBe(2)
})

test.each([
  ['PATCH /user', 'a hash', 409],
  ['PUT /user', 'a hash', 409],
  ['PATCH /users/2', 'a hash', 409],
  ['PATCH /user', 'a text', 409],
  ['PUT /user', 'a text', 409],
  ['PATCH /users/2', 'a text', 200],
])('%s with the name of another, where passwords are each %s, is %d', async (line, stored, status) => {
  const [mia = '', noah = ''] = ['pm', 'rye'].map((text) => (stored === 'a hash' ? hashSync(text, 4) : text))
  const users = [
    { ...MIA, password: mia },
    { id: 2, email: 'noah@x.org', username: 'noah', password: noah },
  ]
  server = await serveApp({ data: { users }, ...PATHS, login: '/in' })
  const answer = await ask(server.url, question('POST /in {"email": "noah@x.org", "password": "rye"}'))
  const headers = { Authorization: `Bearer ${Object(json(answer)).token}` }
  const change = (body: object) =>
    ask(server.url, withHeaders(question(`${line} ${JSON.stringify(body)}`), headers))
  for (const body of [{ email: MIA.email }, { username: MIA.email }, { phone: 'mia' }])
    expect([body, (await change(body)).status]).toEqual([body, status])
  expect((await change({ email: 'noah@y.org', username: 'noah' })).status).toBe(200)
})

describe('a change of the own record that is no JSON', () => {
  const send = (method: string, body: FormData | string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/user`, { method, body, headers: { Authorization: `Bearer ${token}`, ...headers } })

  test.each([
    ['PUT', 'pm'],
    ['PATCH', 'pm'],
    ['PATCH', hashSync('pm', 4)],
  ])(
    '%s of multipart/form-data is stored, without an empty password in the place of %s',
    async (method, password) => {
      const mia = { ...MIA, password }
      await start({ data: { users: [mia] } })
      token = String(Object(json(await say('POST /login {"username": "mia", "password": "pm"}'))).token)
      const form = new FormData()
      form.set('username', 'new')
      form.set('password', '')
      expect((await send(method, form)).status).toBe(200)
      expect(await stored()).toEqual({ ...mia, username: 'new' })
    },
  )

  test('a password in multipart/form-data is the new one', async () => {
    await start()
    const form = new FormData()
    form.set('password', 'newer')
    expect((await send('PATCH', form)).status).toBe(200)
    expect(await logIn('newer')).not.toBe('')
  })

  test.each(['PUT', 'PATCH'])('%s of what nothing reads is 415, and changes nothing', async (method) => {
    await start()
    const form = new FormData()
    form.set('username', 'new')
    form.set('avatar', new Blob(['x']), 'avatar.png')
    const answers = [
      await send(method, form),
      await send(method, 'username=new', { 'Content-Type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([415, 415])
    expect(await stored()).toEqual(MIA)
  })
})
