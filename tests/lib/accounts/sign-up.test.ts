import { hashSync } from 'bcryptjs'
import type { RequestHandler } from 'express'
import { MemoryData } from '../../../lib/data/data-source'
import { HttpError } from '../../../lib/errors'
import { isRecord } from '../../../lib/is-record'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, type TestServer, withHeaders } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'

const ANA = { id: 1, email: 'ana@x.org', username: 'ana', password: 'pa', name: 'Ana', role: 'admin' }

quickHashes()
let server: TestServer
let source: MemoryData
afterEach(() => server.close())

async function start(options: Partial<AppOptions> = {}, users: unknown[] = [ANA]): Promise<void> {
  source = new MemoryData({ users: structuredClone(users), items: [{ id: 1 }] })
  server = await serveApp({ data: source, login: '/login', signUp: '/register', me: '/me', ...options })
}

function say(line: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), headers))
}

const signUp = (body: unknown, headers = {}) => say(`POST /register ${JSON.stringify(body)}`, headers)

function users(): unknown[] {
  const { users: stored } = source.state
  return Array.isArray(stored) ? stored : []
}

function bodyOf(answer: Answer): Record<string, unknown> {
  const value = json(answer)
  return isRecord(value) ? value : { value }
}

test('somebody signs up, is logged in, and can log in', async () => {
  await start()
  const repeated = { confirmPassword: 'n', confirm: 'n', matchPassword: 'n' }
  const answer = await signUp({ email: 'n@x.org', password: 'n', ...repeated, age: 5, tags: ['a'] })
  expect(answer.status).toBe(201)
  expect(answer.headers.location).toBeUndefined()
  const { token, user, id } = bodyOf(answer)
  expect(user).toEqual({ email: 'n@x.org', age: 5, tags: ['a'], id: 2 })
  expect(id).toBe(2)
  expect(users()[1]).toEqual({ email: 'n@x.org', password: 'n', age: 5, tags: ['a'], id: 2 })
  expect((await say('GET /items', { Authorization: `Bearer ${token}` })).status).toBe(200)
  expect((await say('POST /login {"email": "n@x.org", "password": "n"}')).status).toBe(200)
  expect((await say('POST /register email=f@x.org&password=f')).status).toBe(201)
})

test.each([
  { email: 'ana@x.org', password: 'x' },
  { email: 'other@x.org', username: 'ana', password: 'x' },
  { name: 'Ana', password: 'x' },
])('%j is taken', async (body) => {
  await start()
  const answer = await signUp(body)
  expect(answer.status).toBe(409)
  expect(bodyOf(answer)).toMatchObject({ message: expect.any(String), error: expect.any(String) })
  expect(users()).toHaveLength(1)
})

test('fields in one object inside the body are those of the user, as what stands beside it, and a middleware sees them where it looks', async () => {
  const seen: unknown[] = []
  const middleware: RequestHandler = (request, _response, next) => {
    seen.push(request.body)
    next()
  }
  await start({ middlewares: [middleware] }, [])
  const user = { email: 'n@x.org', password: 'n', role: 'admin' }
  const beside = { firstName: 'Zoe', agree: true, role: 'user' }
  expect((await signUp({ ...beside, user })).status).toBe(201)
  expect(seen).toEqual([{ ...beside, ...user }])
  expect(users()).toEqual([{ ...beside, ...user, id: 1 }])
})

test('names and a password in objects of the records stay there, with all that stands beside them', async () => {
  const loginFields = { names: ['account.email'], password: 'account.password' }
  await start({ loginFields }, [])
  for (const [index, beside] of [{ newsletter: true }, { profile: { age: 3 } }].entries()) {
    const user = { ...beside, account: { email: `n${index}@x.org`, password: 'n' } }
    expect((await signUp({ ...user, confirmPassword: 'n' })).status).toBe(201)
    expect(users()).toContainEqual({ ...user, id: index + 1 })
  }
  expect((await say('POST /login {"email": "n0@x.org", "password": "n"}')).status).toBe(200)
})

test('an email is taken as a username, too: somebody logs in with it', async () => {
  await start({}, [{ id: 1, email: 'mia@x.org', password: 'pa' }])
  expect((await say('POST /login {"username": "mia@x.org", "password": "pa"}')).status).toBe(200)
  expect((await signUp({ username: 'mia@x.org', password: 'z' })).status).toBe(409)
})

test('a name alone is not taken where an email says who it is', async () => {
  await start({}, [{ id: 1, email: 'ana@x.org', password: 'x', name: 'Ana' }])
  expect((await signUp({ email: 'a@x.org', name: 'Ana', password: 'x' })).status).toBe(201)
  expect((await signUp({ name: 'Ana', password: 'x' })).status).toBe(409)
})

test('a name is taken under whatever label, and in whatever spelling of that', async () => {
  await start({}, [{ id: 1, userName: 'mia', password: 'y' }])
  expect((await signUp({ userName: 'mia', name: 'Eve', password: 'x' })).status).toBe(409)
  expect((await signUp({ user_name: 'mia', password: 'x' })).status).toBe(409)
  expect((await signUp({ email: 'mia', password: 'x' })).status).toBe(409)
  expect((await say('POST /login {"userName": "mia", "password": "y"}')).status).toBe(200)
})

test('nobody takes the only name of somebody by giving it beside an email', async () => {
  await start({}, [{ id: 1, name: 'Onlyname', password: 'on' }])
  expect((await signUp({ email: 'e2@x.org', name: 'Onlyname', password: 'x' })).status).toBe(409)
  expect((await say('POST /login {"name": "Onlyname", "password": "on"}')).status).toBe(200)
})

test('the name and the password may stand after however many texts', async () => {
  await start({}, [])
  const texts = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'x']))
  expect((await signUp({ ...texts, email: 'n@x.org', password: 'n' })).status).toBe(201)
})

test('a password that is typed twice is stored once, whatever its two fields are called', async () => {
  await start({}, [{ ...ANA, password: hashSync('pa', 4) }])
  for (const [number, fields] of [
    { password1: 'x', password2: 'x' },
    { password: 'x', pwd: 'x' },
    { password2: 'x', password: 'x' },
  ].entries()) {
    expect((await signUp({ email: `n${number}@x.org`, ...fields })).status).toBe(201)
    expect(Object.values(users().at(-1) ?? {})).not.toContain('x')
  }
})

test('a password over the 72 bytes of bcrypt is refused where users have hashes', async () => {
  await start({}, [{ ...ANA, password: hashSync('pa', 4) }])
  expect((await signUp({ email: 'n@x.org', password: 'L'.repeat(73) })).status).toBe(400)
  expect(users()).toHaveLength(1)
})

test('a login of --user cannot be signed up', async () => {
  await start({ logins: [{ email: 'boss', password: 'secret' }] }, [])
  for (const label of ['email', 'username', 'name'])
    expect((await signUp({ [label]: 'boss', password: 'x' })).status).toBe(409)
  expect(users()).toEqual([])
})

test('all of a body is stored but a password that is typed twice', async () => {
  await start({}, [])
  const kept = {
    username: 'secret',
    password: 'secret',
    passportVerified: true,
    passengers2: 2,
    pass: 'other',
    again: 'other',
    note: 'secret',
    passwordHint: 'my dog',
  }
  const repeated = { confirm: 'secret', password2: 'secret', rePassword: 'secret', repeat_it: 'secret' }
  expect((await signUp({ ...kept, ...repeated })).status).toBe(201)
  expect(users()).toEqual([{ ...kept, id: 1 }])
})

test('the refusal of a sign-up is its own', async () => {
  const body = { errors: ['$message'] }
  await start({ loginRefusal: { status: 418, body: 'no' }, signUpRefusal: { status: 422, body } })
  expect((await say('POST /login {"email": "ana@x.org", "password": "no"}')).status).toBe(418)
  const taken = await signUp({ email: 'ana@x.org', password: 'x' })
  expect([taken.status, bodyOf(taken)]).toEqual([422, { errors: [expect.any(String)] }])
  const incomplete = await signUp({})
  expect([incomplete.status, bodyOf(incomplete)]).toEqual([400, { errors: [expect.any(String)] }])
})

test.each([
  '{}',
  '[]',
  '{"email": "n@x.org"}',
  '{"password": "n"}',
  '{"email": {"a": 1}, "password": "n"}',
  '{"email": "n@x.org", "password": {"a": 1}}',
  '{"email": "", "password": "n"}',
  '{"role": "admin", "password": "n"}',
  '{',
  '"x"',
  `{"email": "n@x.org", "password": "${hashSync('x', 4)}"}`,
  `{"email": "n@x.org", "password": "$2b$31$${'x'.repeat(53)}"}`,
  `{"email": "n@x.org", "password": "n", ${Array.from({ length: 200 }, (_, at) => `"f${at}": 1`)}}`,
  '{"usuario": "n@x.org", "password": "n"}',
  '{"email": "n@x.org", "password": "n", "__proto__": {"role": "admin"}}',
  '{"email": "n@x.org", "password": "n", "id": {"a": 1}}',
])('%s is refused, and nothing is stored', async (text) => {
  await start()
  const answer = await say(`POST /register ${text}`)
  expect(answer.status).toBe(400)
  expect(bodyOf(answer)).toMatchObject({ message: expect.any(String), error: expect.any(String) })
  expect(users()).toEqual([ANA])
})

test('an id that is taken is 409, and reserved names forge nothing', async () => {
  await start()
  expect((await signUp({ id: 1, email: 'n@x.org', password: 'n' })).status).toBe(409)
  const answer = await signUp({
    email: 'n@x.org',
    password: 'n',
    sub: '1',
    exp: 9e9,
    constructor: 'x',
    sandbox: 'y',
    sid: 1,
  })
  const { token } = bodyOf(answer)
  const me = bodyOf(await say('GET /me', { Authorization: `Bearer ${token}` }))
  expect(me).toMatchObject({ id: 2, email: 'n@x.org' })
})

test('where users have hashes, a hash is stored', async () => {
  await start({}, [{ ...ANA, password: hashSync('pa', 4) }])
  expect((await signUp({ email: 'n@x.org', password: 'n' })).status).toBe(201)
  expect(users()[1]).toMatchObject({ password: expect.stringMatching(/^\$2[aby]\$\d\d\$/) })
  expect((await say('POST /login {"email": "n@x.org", "password": "n"}')).status).toBe(200)
})

test('of two who sign up with one name at once, one does', async () => {
  await start({}, [{ ...ANA, password: hashSync('pa', 4) }])
  const answers = await Promise.all([1, 2, 3].map(() => signUp({ email: 'n@x.org', password: 'n' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(users()).toHaveLength(2)
})

test('a sign-up that fails does not keep the next from its turn', async () => {
  await start()
  jest.spyOn(source, 'commit').mockRejectedValueOnce(new HttpError({ status: 503, message: 'Full.' }))
  const [failed, done] = await Promise.all([
    signUp({ email: 'n@x.org', password: 'n' }),
    signUp({ email: 'm@x.org', password: 'm' }),
  ])
  expect([failed.status, done.status]).toEqual([503, 201])
})

test('a sign-up is judged by the newest data, which another server may have changed', async () => {
  await start()
  const refresh = jest.spyOn(source, 'refresh')
  const taken = { id: 9, email: 'n@x.org', password: 'other' }
  refresh.mockImplementationOnce(async () => source.replace({ ...source.state, users: [taken] }))
  expect((await signUp({ email: 'n@x.org', password: 'n' })).status).toBe(409)
  expect(users()).toEqual([taken])
  refresh.mockImplementationOnce(async () => source.replace({ posts: [] }))
  expect((await signUp({ email: 'm@x.org', password: 'm' })).status).toBe(404)
  expect(source.state).toEqual({ posts: [] })
})

test('a sign-up is refused where the server is read-only, or has no such collection', async () => {
  await start({ readOnly: true })
  const refused = await signUp({ email: 'n@x.org', password: 'n' })
  expect(refused.status).toBe(403)
  expect(bodyOf(refused)).toHaveProperty('message')
  expect(users()).toEqual([ANA])
  await server.close()
  await start({ readOnly: true, signUp: 'PUT /register' })
  expect((await say('PUT /register {"email": "n@x.org", "password": "n"}')).status).toBe(403)
  expect(users()).toEqual([ANA])
  await server.close()
  await start({ loginUsers: 'nobody' })
  expect((await signUp({ email: 'n@x.org', password: 'n' })).status).toBe(404)
})

test.each(['my users', 'my#users', 'my?users', 'my.users'])(
  'somebody signs up where no path leads to the collection %j',
  async (loginUsers) => {
    const data = { [loginUsers]: [{ ...ANA }] }
    server = await serveApp({ data, login: '/login', signUp: '/register', loginUsers })
    expect((await signUp({ email: 'n@x.org', password: 'n' })).status).toBe(201)
    expect((await say('POST /login {"email": "n@x.org", "password": "n"}')).status).toBe(200)
  },
)

describe('fields are taken out of an object once', () => {
  const NEW = { email: 'n@x.org', password: 'n', role: 'admin' }
  let seen: unknown
  const look: RequestHandler = ({ method, path, body }, _response, next) => {
    if (method === 'POST' && path === '/register') seen = structuredClone(body)
    next()
  }

  test.each([
    [{ a: { confirmPassword: NEW } }, 400],
    [{ a: { b: { c: NEW } } }, 400],
    [{ user: { user: NEW } }, 400],
    [{ user: NEW }, 201],
    [{ user: { ...NEW, address: { email: 'o@x.org', password: 'o' } } }, 201],
    [{ ...NEW, confirmPassword: { email: 'o@x.org' } }, 201],
  ])('%j: %i, and what a middleware has seen is what is stored', async (body, status) => {
    await start({ middlewares: [look] })
    expect((await signUp(body)).status).toBe(status)
    expect(users().slice(1)).toEqual(status === 201 ? [{ ...Object(seen), id: 2 }] : [])
  })

  test('what a middleware puts into an object stays there', async () => {
    await start({
      middlewares: [
        (request, _response, next) => {
          if (request.path === '/register') request.body = { user: request.body }
          next()
        },
      ],
    })
    expect((await signUp(NEW)).status).toBe(400)
    expect(users()).toEqual([ANA])
  })
})

test('a middleware of the user sees a sign-up, may refuse a field, and leads it nowhere else', async () => {
  const middleware: RequestHandler = (request, response, next) => {
    if (request.path !== '/register') return next()
    if ('role' in request.body) return void response.status(400).json({ message: 'no role' })
    request.body.createdAt = 'now'
    if (request.body.away) request.url = '/users'
    if (request.body.list) Object.assign(request, { url: '/users', method: 'GET' })
    next()
  }
  await start({ middlewares: [middleware] })
  expect((await signUp({ email: 'n@x.org', password: 'n', role: 'admin' })).status).toBe(400)
  // A spelling that Express takes for the same does not lead around the middleware.
  expect((await say('POST /REGISTER/?x=1 {"email": "n@x.org", "password": "n", "role": "a"}')).status).toBe(
    400,
  )
  const { user } = bodyOf(await signUp({ email: 'n@x.org', password: 'n' }))
  expect(user).toMatchObject({ createdAt: 'now' })
  expect((await signUp({ email: 'm@x.org', password: 'm', away: true })).status).toBe(201)
  // Whatever the address has become, it stays a sign-up.
  expect(bodyOf(await signUp({ email: 'o@x.org', password: 'm', list: true }))).toHaveProperty(
    'user.email',
    'o@x.org',
  )
})

test('a sign-up needs no token, and one that is refused does not matter', async () => {
  await start()
  expect((await signUp({ email: 'n@x.org', password: 'n' }, { Authorization: 'Bearer stale' })).status).toBe(
    201,
  )
})

test('a sign-up stays in the sandbox that it names', async () => {
  await start({ sandboxes: true })
  const sandbox = { 'X-Sandbox': 'one' }
  const { token } = bodyOf(await signUp({ email: 'n@x.org', password: 'n' }, sandbox))
  expect(users()).toEqual([ANA])
  expect(bodyOf(await say('GET /me', { Authorization: `Bearer ${token}` }))).toMatchObject({
    email: 'n@x.org',
  })
  expect((await say('POST /login {"email": "n@x.org", "password": "n"}', sandbox)).status).toBe(200)
  expect((await say('POST /login {"email": "n@x.org", "password": "n"}')).status).toBe(401)
  expect(
    (await say('POST /login {"username": "ana", "password": "pa"}', { 'X-Sandbox': 'two' })).status,
  ).toBe(200)
})

test('a body of more than 100 kB is refused with the reason, and stored nowhere', async () => {
  await start()
  const photo = (bytes: number) => ({ email: 'n@x.org', password: 'n', photo: 'x'.repeat(bytes) })
  const refused = await signUp(photo(100 * 1024))
  expect([refused.status, bodyOf(refused)]).toEqual([
    413,
    { message: expect.stringContaining('100 kB'), error: expect.any(String) },
  ])
  expect(users()).toEqual([ANA])
  expect((await signUp(photo(99 * 1024))).status).toBe(201)
})

test('a sign-up as multipart/form-data is stored, and one with a file is 415', async () => {
  await start()
  const send = (form: FormData) => fetch(`${server.url}/register`, { method: 'POST', body: form })
  const form = new FormData()
  form.set('email', 'n@x.org')
  form.set('password', 'n')
  expect((await send(form)).status).toBe(201)
  expect(users()[1]).toEqual({ id: 2, email: 'n@x.org', password: 'n' })
  form.set('email', 'other@x.org')
  form.set('photo', new Blob(['x']), 'x.png')
  expect((await send(form)).status).toBe(415)
  expect(users()).toHaveLength(2)
})
