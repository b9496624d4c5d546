import { hashSync } from 'bcryptjs'
import { isRecord } from '../../../lib/is-record'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, type TestServer, withHeaders } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'

const ANA = { id: 1, email: 'ana@x.org', username: 'ana', password: 'pa' }
const BEN = { id: 2, email: 'ben@x.org', username: 'ben', password: 'pb' }
const PATHS = { login: '/login', signUp: '/register', me: ['PATCH /me', 'PUT /me'] }
const HASHED = [ANA, BEN].map((user) => ({ ...user, password: hashSync(user.password, 4) }))
const SAID = [expect.any(String)]
const LONG = 'L'.repeat(73)

quickHashes()
let server: TestServer
afterEach(() => server.close())

async function start(options: Partial<AppOptions> = {}, users: readonly object[] = [ANA, BEN]) {
  server = await serveApp({ data: { users }, ...PATHS, ...options })
}

function say(line: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), headers))
}

const signUp = (body: unknown) => say(`POST /register ${JSON.stringify(body)}`)

function bodyOf(answer: Answer): Record<string, unknown> {
  const value = json(answer)
  return isRecord(value) ? value : { value }
}

/** The fields that a response says something of. */
function fieldsOf(answer: Answer): string[] {
  const { errors } = bodyOf(answer)
  return isRecord(errors) ? Object.keys(errors) : []
}

/** Sends what somebody changes who has logged in. */
async function change(line: string, { email, password } = BEN): Promise<Answer> {
  const { token } = bodyOf(await say(`POST /login ${JSON.stringify({ email, password })}`))
  return say(line, { Authorization: `Bearer ${token}` })
}

describe('a sign-up without a name or a password', () => {
  test('is a 400 with a text for each field', async () => {
    await start()
    const answer = await signUp({})
    expect(answer.status).toBe(400)
    const message = expect.any(String)
    expect(bodyOf(answer)).toEqual({ message, error: message, errors: { email: SAID, password: SAID } })
  })

  test.each([
    [{ email: 'n@x.org' }, ['password']],
    [{ email: 'n@x.org', password: '' }, ['password']],
    [{ email: 'n@x.org', passwd: '' }, ['passwd']],
    [{ email: 'n@x.org', password: { a: 1 } }, ['password']],
    [{ email: 'n@x.org', password1: '', password2: '' }, ['password1']],
    [{ password: 'n' }, ['email']],
    [{ user_name: '', password: 'n' }, ['user_name']],
    [{ username: '', 'E-Mail': null, password: 'n' }, ['E-Mail']],
    [{ name: '', password: 'n' }, ['name']],
    [{ name: 'Ann', email: '', password: 'n' }, ['email']],
    [{ name: 'Ann', email: '', password: '' }, ['email', 'password']],
    [{ name: '', phone: '', password: 'n' }, ['phone']],
    [{ role: 'admin' }, ['email', 'password']],
    [{ user: { username: '', password: 'n' } }, ['username']],
    [{ username: '', password: '' }, ['username', 'password']],
  ])('%j names %j', async (body, fields) => {
    await start()
    const answer = await signUp(body)
    expect(answer.status).toBe(400)
    expect(fieldsOf(answer)).toEqual(fields)
  })

  test('as a form names the same fields', async () => {
    await start()
    expect(fieldsOf(await say('POST /register userName=&password='))).toEqual(['userName', 'password'])
  })

  test.each([
    ['email and password, whatever the users have', {}, ['email', 'password']],
    [
      'what login-fields has',
      { loginFields: { names: ['npp', 'email'], password: 'code' } },
      ['npp', 'code'],
    ],
    [
      'a name in an object, and the password where a sign-up has it',
      { loginFields: { names: ['account.mail'], password: 'account.code' } },
      ['account.mail', 'code'],
    ],
  ])('names %s, where nothing was sent', async (_name, options, fields) => {
    await start(options, [{ id: 1, userName: 'a', pwd: 'p' }])
    expect(fieldsOf(await signUp({}))).toEqual(fields)
  })

  test.each([
    ['what is no JSON', 400, '{'],
    ['a body that is too large', 413, JSON.stringify({ email: 'x'.repeat(100 * 1024) })],
    ['an id that is taken', 409, '{"id": 1, "email": "n@x.org", "password": "n"}'],
  ])('%s is a %i that says nothing of fields', async (_name, status, text) => {
    await start()
    const answer = await say(`POST /register ${text}`)
    expect([answer.status, bodyOf(answer)]).toEqual([status, { message: SAID[0], error: SAID[0] }])
  })
})

test.each([
  ['the hash of a password', hashSync('x', 4)],
  ['a password that is too long for a hash', LONG],
])('%s is refused at its field, without its value', async (_name, password) => {
  await start({}, HASHED)
  const answer = await signUp({ email: 'n@x.org', passwd: password })
  expect(answer.status).toBe(400)
  expect(fieldsOf(answer)).toEqual(['passwd'])
  expect(answer.text).not.toContain(password)
})

test.each(['confirmPassword', 'password_confirmation', 'repeatPassword', 'passwordAgain'])(
  'a password that is not the same in %s is refused there, and stored nowhere',
  async (field) => {
    await start()
    for (const other of ['other secret', '', 5]) {
      const answer = await signUp({ email: 'n@x.org', password: 'n', [field]: other })
      expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]])
      expect(answer.text).not.toContain('other secret')
    }
    const same = { email: 'n@x.org', password: '5', [field]: 5, passwordConfirmedAt: null }
    expect((await signUp(same)).status).toBe(201)
    expect(bodyOf(await change('GET /users/3'))).not.toHaveProperty(field)
  },
)

test.each([
  ['PATCH /me {"email": "", "username": ""}', 'email'],
  ['PUT /me {"username": null, "email": ""}', 'email'],
  ['PATCH /me {"email": null, "username": null, "name": ""}', 'email'],
])('%s is refused, because nobody could log in by it, and changes nothing', async (line, field) => {
  await start({}, [ANA, { ...BEN, name: 'Ben' }])
  const answer = await change(line)
  expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]])
  expect(bodyOf(await change('GET /users/2'))).toEqual({ ...BEN, name: 'Ben' })
  // Whoever may change everybody may do this, as in json-server.
  expect((await change('PATCH /users/1 {"email": "", "username": ""}')).status).toBe(200)
})

test.each(['PATCH /me', 'PUT /me', 'PATCH /users/2'])('%s with too long a password says so', async (line) => {
  await start({}, HASHED)
  const answer = await change(`${line} {"password": "${LONG}"}`)
  expect([answer.status, fieldsOf(answer)]).toEqual([400, ['password']])
  expect(answer.text).not.toContain(LONG)
})

test('a password in an object is refused at its path', async () => {
  const users = HASHED.map(({ password, ...user }) => ({ ...user, account: { password } }))
  await start({ loginFields: { password: 'account.password' } }, users)
  const answer = await change(`PATCH /me {"account": {"password": "${LONG}"}}`)
  expect([answer.status, fieldsOf(answer)]).toEqual([400, ['account.password']])
})

describe('a name that is taken', () => {
  test.each([
    [{ email: 'ana@x.org', password: 'x' }, ['email']],
    [{ email: 'n@x.org', username: 'ana', password: 'x' }, ['username']],
    [{ email: 'ana@x.org', user_name: 'ben', password: 'x' }, ['email', 'user_name']],
    [{ login: 'ana@x.org', password: 'x' }, ['login']],
    [{ email: 'boss', name: 'ana', password: 'x' }, ['email', 'name']],
  ])('%j names %j', async (body, fields) => {
    await start({ logins: [{ email: 'boss', password: 'secret' }] })
    const answer = await signUp(body)
    expect(answer.status).toBe(409)
    const errors = Object.fromEntries(fields.map((field) => [field, SAID]))
    const message = expect.stringContaining('log in instead')
    expect(bodyOf(answer)).toEqual({ message, error: message, errors })
    expect(answer.text).not.toContain('"x"')
  })

  test('is named by its path where it is in an object', async () => {
    const loginFields = { names: ['account.mail'] }
    await start({ loginFields }, [{ id: 1, account: { mail: 'a@x.org' }, password: 'p' }])
    const answer = await signUp({ account: { mail: 'a@x.org' }, password: 'x' })
    expect([answer.status, fieldsOf(answer)]).toEqual([409, ['account.mail']])
    expect(fieldsOf(await signUp({ mail: 'a@x.org', password: 'x' }))).toEqual(['mail'])
  })

  test.each([
    ['PATCH /me {"email": "ana@x.org"}', ['email']],
    ['PUT /me {"email": "ana@x.org", "bio": "hi"}', ['email']],
    ['PUT /me {"user": {"userName": "ana", "email": "ben@x.org"}}', ['userName']],
    ['PATCH /me {"email": "ana@x.org", "username": "ana"}', ['email', 'username']],
    ['PATCH /users/2 {"username": "ana"}', ['username']],
    ['PUT /users/2 {"email": "ana@x.org", "username": "ben"}', ['email']],
  ])('%s names %j', async (line, fields) => {
    await start({}, HASHED)
    const answer = await change(line)
    expect(answer.status).toBe(409)
    const errors = Object.fromEntries(fields.map((field) => [field, SAID]))
    expect(bodyOf(answer)).toEqual({ message: SAID[0], error: SAID[0], errors })
  })
})

describe('a body of the application', () => {
  const schemas = { users: { properties: { username: { type: 'string', minLength: 2 } } } }

  test('that does not name the errors has what it had', async () => {
    const signUpRefusal = { status: 422, body: { code: '$status', why: '$message' } }
    const loginRefusal = { status: 403, body: { errors: { body: ['$message'] } } }
    await start({ signUpRefusal, loginRefusal, schemas })
    expect(bodyOf(await signUp({}))).toEqual({ code: 400, why: SAID[0] })
    expect(bodyOf(await signUp(ANA))).toEqual({ code: 422, why: SAID[0] })
    const taken = await change('PATCH /me {"email": "ana@x.org"}')
    expect([taken.status, bodyOf(taken)]).toEqual([409, { errors: { body: SAID } }])
    // What does not fit a schema is said as before, too.
    expect(fieldsOf(await change('PATCH /me {"username": "x"}'))).toEqual(['username'])
  })

  test('for a sign-up can name them', async () => {
    const signUpRefusal = { body: { errors: '$errors', first: '$first', texts: '$texts', list: '$list' } }
    await start({ signUpRefusal })
    for (const sent of [{ email: 'n@x.org' }, { ...ANA, username: 'new' }]) {
      const answer = await signUp(sent)
      const field = answer.status === 400 ? 'password' : 'email'
      expect(bodyOf(answer)).toEqual({
        errors: { [field]: SAID },
        first: { [field]: SAID[0] },
        texts: SAID,
        list: [{ field, path: field, param: field, message: SAID[0], msg: SAID[0] }],
      })
    }
  })

  test('of schema-refusal is that of all that is said of fields, but not of their statuses', async () => {
    const schemaRefusal = { status: 418, body: { code: '$status', fields: '$first' } }
    await start({ schemas, schemaRefusal }, HASHED)
    for (const [answer, status, field] of [
      [await signUp({ email: 'n@x.org' }), 400, 'password'],
      [await signUp({ email: 'ana@x.org', password: 'x' }), 409, 'email'],
      [await signUp({ username: 'x', password: 'x' }), 418, 'username'],
      [await change('PATCH /me {"username": "ana"}'), 409, 'username'],
      [await change('PATCH /me {"username": "x"}'), 418, 'username'],
      [await change('PATCH /users/2 {"username": "ana"}'), 409, 'username'],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(bodyOf(answer)).toEqual({ code: status, fields: { [field]: SAID[0] } })
    }
  })
})

describe('the document of', () => {
  async function refusalsOf(options: Partial<AppOptions>) {
    await start({ docs: true, ...options })
    const { paths } = JSON.parse((await say('GET /openapi.json')).text)
    const operations = [paths['/register'].post, paths['/me'].patch, paths['/me'].put]
    return operations.map(({ responses }) => responses.default.content['application/json'].schema)
  }
  const errors = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }
  const usual = expect.objectContaining({ properties: expect.objectContaining({ errors }) })

  test.each<[string, Partial<AppOptions>, unknown[]]>([
    ['no body of the application', {}, [usual, usual, usual]],
    ['other statuses', { signUpRefusal: 400, loginRefusal: 403 }, [usual, usual, usual]],
    ['a body for a sign-up', { signUpRefusal: { body: '$first' } }, [{}, usual, usual]],
    ['a body for a login', { loginRefusal: { body: '$message' } }, [usual, {}, {}]],
    ['a body for schemas', { schemas: {}, schemaRefusal: { body: '$first' } }, [{}, {}, {}]],
  ])('%s describes the errors where their form is the usual', async (_name, options, schemas) => {
    expect(await refusalsOf(options)).toEqual(schemas)
  })
})

test('the specified login says nothing of fields', async () => {
  await start()
  for (const body of ['{}', '{"email": "ana@x.org"}', '{"email": "", "password": ""}'])
    expect(json(await say(`POST /auth/login ${body}`))).toBe('Unauthorized')
})
