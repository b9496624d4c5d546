import { compareSync, hashSync } from 'bcryptjs'
import { type AppOptions, MemoryData } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, logIn, question, type TestServer, withHeaders } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'

const ANA = { id: 1, email: 'ana@x.org', password: 'pa', name: 'Ana' }
const HASHED = { id: 2, email: 'bo@x.org', password: hashSync('pb', 4) }

quickHashes()
let server: TestServer
let source: MemoryData
let headers: Record<string, string>
afterEach(() => server.close())

async function start(options: Partial<AppOptions>, users: object[] = [ANA, HASHED]): Promise<void> {
  source = new MemoryData({ users, posts: [{ id: 1 }] })
  server = await serveApp({ data: source, ...options })
  headers = { Authorization: `Bearer ${await logIn(server.url, ANA)}` }
}

function say(line: string): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), headers))
}

/** A stored user. */
function userOf(id: number): Record<string, unknown> {
  return Object([source.state.users].flat().find((user) => Object(user).id === id))
}

test.each(['PATCH', 'PUT'])(
  '%s of a password is stored as a hash where the one before is',
  async (method) => {
    await start({ login: '/login' })
    const body = '{"email": "bo@x.org", "password": "new"}'
    expect((await say(`${method} /users/2 ${body}`)).status).toBe(200)
    expect(compareSync('new', String(userOf(2).password))).toBe(true)
    expect((await say(`POST /login ${body}`)).status).toBe(200)
    expect((await say(`${method} /USERS/1/ ${body}`)).status).toBe(200)
    expect(userOf(1).password).toBe('new')
  },
)

test('a change stores no second field with the password, and neither does a path through another record', async () => {
  await start({ login: '/login' })
  const twice = '{"password": "new", "confirmPassword": "new"}'
  expect((await say(`PATCH /users/2 ${twice}`)).status).toBe(200)
  expect(userOf(2)).not.toHaveProperty('confirmPassword')
  expect((await say('POST /posts/1/users {"email": "n@x.org", "password": "clear"}')).status).toBe(201)
  expect(compareSync('clear', String(userOf(3).password))).toBe(true)
  // It is a new user, whatever the password of the one in its path.
  expect((await say('POST /users/1/users {"email": "m@x.org", "password": "mine"}')).status).toBe(201)
  expect(compareSync('mine', String(userOf(4).password))).toBe(true)
})

test('a POST of a user is stored with a hash where users have hashes', async () => {
  await start({ login: '/login' })
  expect((await say('POST /users {"email": "n@x.org", "password": "n"}')).status).toBe(201)
  expect(compareSync('n', String(userOf(3).password))).toBe(true)
  const hash = hashSync('m', 4)
  expect((await say(`POST /users {"email": "m@x.org", "password": "${hash}"}`)).status).toBe(201)
  expect(userOf(4).password).toBe(hash)
})

test.each(['', ', "password": ""', ', "password": null'])(
  'a PUT of a person without a password%s keeps it',
  async (rest) => {
    await start({ login: '/login' })
    expect((await say(`PUT /users/1 {"email": "new@x.org"${rest}}`)).status).toBe(200)
    expect(userOf(1)).toEqual({ id: 1, email: 'new@x.org', password: 'pa' })
    expect((await say('POST /login {"email": "new@x.org", "password": "pa"}')).status).toBe(200)
  },
)

test('without a login of the application, and of any other collection, all is stored as it was sent', async () => {
  await start({})
  expect((await say('PATCH /users/2 {"password": "new"}')).status).toBe(200)
  expect(userOf(2).password).toBe('new')
  expect((await say('PUT /users/1 {"email": "x"}')).status).toBe(200)
  expect(userOf(1)).toEqual({ id: 1, email: 'x' })
  await server.close()
  await start({ login: '/login' })
  expect((await say('PATCH /posts/1 {"password": "new"}')).status).toBe(200)
  expect(source.state.posts).toEqual([{ id: 1, password: 'new' }])
})

/** All texts of a value, at any depth. */
function textsIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value]
}

/** The passwords that are hashes, and no clear text beside them. */
async function expectPassword(password: string, user: unknown): Promise<void> {
  const texts = textsIn(user).map(String)
  const hashes = texts.filter((text) => text.startsWith('$2'))
  expect(hashes.filter((hash) => compareSync(password, hash))).toHaveLength(1)
  expect(texts).not.toContain(password)
}

describe('by any path that leads to a person', () => {
  const rules = { '/people/*': '/users/$1' }
  test.each([
    'PATCH /users/2 {"password": "new"}',
    'PATCH /users//2 {"password": "new"}',
    'PATCH /users/2/ {"password": "new"}',
    'PATCH /USERS//2/ {"password": "new"}',
    'PATCH /users//%32?a=1 {"password": "new"}',
    'PATCH /%75sers/2 {"password": "new"}',
    'PATCH /people/2 {"password": "new"}',
    'PATCH /people//2 {"password": "new"}',
    'PUT /users//2 {"email": "bo@x.org", "password": "new"}',
    'PATCH /users/2 password=new&confirmPassword=new',
    'PATCH //users/2 {"password": "new"}',
    'PATCH /users/2// {"password": "new"}',
  ])('%s is stored as a hash, or not at all', async (line) => {
    await start({ login: '/login', routes: rules })
    const { status } = await say(line)
    const isStored = !/%75| \/\/users|\/2\/\/ /.test(line)
    expect(status).toBe(isStored ? 200 : 404)
    await expectPassword(isStored ? 'new' : 'pb', userOf(2))
  })

  test('a method that a header names is as any other', async () => {
    await start({ login: '/login' })
    const asked = question('POST /users//2 {"email": "bo@x.org", "password": "new"}')
    for (const method of ['PUT', 'PATCH']) {
      const override = { ...headers, 'X-HTTP-Method-Override': method }
      expect((await ask(server.url, withHeaders(asked, override))).status).toBe(200)
      await expectPassword('new', userOf(2))
    }
  })

  test.each([
    'POST /users/ {"email": "n@x.org", "password": "new"}',
    'POST /users// {"email": "n@x.org", "password": "new"}',
    'POST /posts/1/users {"email": "n@x.org", "password": "new"}',
    'POST /posts/1/users/ {"email": "n@x.org", "password": "new"}',
    'POST /posts/1/%75sers {"email": "n@x.org", "password": "new"}',
    'POST /posts/1/users%2F {"email": "n@x.org", "password": "new"}',
    'POST /posts/1/users%3Fa {"email": "n@x.org", "password": "new"}',
    'POST /people/ {"email": "n@x.org", "password": "new"}',
    'POST /users [{"email": "m@x.org"}, {"email": "n@x.org", "password": "new"}]',
  ])('%s', async (line) => {
    await start({ login: '/login', routes: rules })
    const answer = await say(line)
    const people = [source.state.users].flat()
    if (people.length === 2) return expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBe(201)
    expect(answer.text).not.toContain('"new"')
    await expectPassword('new', people.at(-1))
    expect((await say('POST /login {"email": "n@x.org", "password": "new"}')).status).toBe(200)
  })

  test.each(['/users/1', '/users//1', '/USERS/1/'])('PUT %s without a password keeps it', async (path) => {
    await start({ login: '/login' })
    expect((await say(`PUT ${path} {"email": "new@x.org"}`)).status).toBe(200)
    expect(userOf(1)).toEqual({ id: 1, email: 'new@x.org', password: 'pa' })
  })

  test.each(['/users/2', '/users//2'])('PATCH %s with the name of another is 409', async (path) => {
    await start({ login: '/login' })
    expect((await say(`PATCH ${path} {"username": "ana@x.org"}`)).status).toBe(409)
    expect(userOf(2)).toEqual(HASHED)
  })
})

describe('a password in an object of the record', () => {
  const DEEP = {
    id: 2,
    account: { email: 'bo@x.org', password: hashSync('pb', 4), plan: 'free' },
    role: 'user',
  }
  const loginFields = { names: ['account.email'], password: 'account.password' }
  let own: string

  async function startDeep(user: object = DEEP): Promise<void> {
    source = new MemoryData({ users: [ANA, user] })
    server = await serveApp({
      data: source,
      login: '/login',
      me: ['/me', 'PUT /me', 'PATCH /me'],
      signUp: '/join',
      loginFields,
    })
    const answer = await logInWith('pb')
    own = JSON.stringify(Object(JSON.parse(answer.text)).user)
    headers = { Authorization: `Bearer ${Object(JSON.parse(answer.text)).token}` }
  }

  function logInWith(password: string): Promise<Answer> {
    return ask(server.url, question(`POST /login {"email": "bo@x.org", "password": "${password}"}`))
  }

  test.each(['PUT /me', 'PATCH /me', 'PUT /users/2', 'PATCH /users/2', 'PUT /users//2'])(
    '%s with the user that the login gave keeps it',
    async (line) => {
      await startDeep()
      expect(own).not.toContain('$2')
      expect((await say(`${line} ${own}`)).status).toBe(200)
      expect(userOf(2)).toEqual(DEEP)
      expect((await logInWith('pb')).status).toBe(200)
    },
  )

  test.each([
    'PATCH /me {"password": "new"}',
    'PUT /me {"password": "new", "confirmPassword": "new"}',
    'PATCH /me {"account": {"email": "bo@x.org", "password": "new"}}',
    'PATCH /me {"account": {"email": "bo@x.org", "password": "new", "passwordConfirm": "new"}}',
    'PATCH /users/2 {"password": "new"}',
    'PUT /users/2 {"account": {"email": "bo@x.org"}, "password": "new"}',
    'PATCH /users/2/account {"password": "new"}',
    'PATCH /users//2 {"account": {"email": "bo@x.org", "password": "new"}}',
    'PUT /users/2/account {"email": "bo@x.org", "password": "new"}',
    'POST /users/2/account {"email": "bo@x.org", "password": "new"}',
    'PATCH /users/2/account/ {"password": "new"}',
    'PATCH /users/2/account {"Password": "new"}',
    'PATCH /users/2 {"PASSWORD": "new"}',
  ])('%s changes it', async (line) => {
    await startDeep()
    const answer = await say(line)
    expect(answer.status).toBeLessThan(202)
    expect(answer.text).not.toContain('"new"')
    await expectPassword('new', userOf(2))
    expect([(await logInWith('new')).status, (await logInWith('pb')).status]).toEqual([200, 401])
  })

  test.each([
    'PATCH /users/2/account {"plan": "pro"}',
    'PUT /users/2/account {"email": "bo@x.org", "plan": "pro"}',
    'POST /users/2/account {"email": "bo@x.org", "plan": "pro"}',
    'PATCH /me {"account": {"email": "bo@x.org", "plan": "pro", "password": ""}}',
    'PUT /users/2 {"account": {"email": "bo@x.org", "plan": "pro", "password": null}}',
  ])('%s keeps it', async (line) => {
    await startDeep()
    expect((await say(line)).status).toBeLessThan(202)
    expect(Object(userOf(2).account)).toMatchObject({ plan: 'pro', password: DEEP.account.password })
    expect((await logInWith('pb')).status).toBe(200)
  })

  test('one that is no hash is kept and replaced as well', async () => {
    const account = { email: 'bo@x.org', password: 'pb' }
    await startDeep({ id: 2, account })
    expect((await say('PUT /users/2 {"account": {"email": "bo@x.org"}}')).status).toBe(200)
    expect(userOf(2)).toEqual({ id: 2, account })
    expect((await say('PATCH /me {"password": "new"}')).status).toBe(200)
    expect(userOf(2)).toEqual({ id: 2, account: { ...account, password: 'new' } })
  })

  test('a path into the object gives nobody the name of another', async () => {
    await startDeep()
    const other = { id: 3, account: { email: 'cy@x.org', password: 'pc' } }
    source.replace({ users: [DEEP, other] })
    expect((await say('PATCH /users/2/account {"email": "cy@x.org"}')).status).toBe(409)
    expect(userOf(2)).toEqual(DEEP)
  })

  test('who signs up has a hash where others have', async () => {
    await startDeep()
    expect((await say('POST /join {"email": "n@x.org", "password": "new"}')).status).toBe(201)
    await expectPassword('new', userOf(3))
  })
})

test.each([
  ['a hash without a label', { id: 2, email: 'bo@x.org', digest: hashSync('pb', 4) }, 'digest'],
  [
    'a hash of another kind',
    { id: 2, email: 'bo@x.org', password: `$argon2id$v=19$${'x'.repeat(43)}` },
    'password',
  ],
])(
  'a password takes the place of %s as a hash, and a PUT without one keeps it',
  async (_what, user, field) => {
    await start({ login: '/login' }, [ANA, user])
    expect((await say('PUT /users/2 {"email": "bo@x.org"}')).status).toBe(200)
    expect(userOf(2)).toEqual(user)
    expect((await say(`PATCH /users/2 {"${field}": "new"}`)).status).toBe(200)
    await expectPassword('new', userOf(2))
  },
)

test('a password under another label, or of somebody who had none, is a hash where there are others', async () => {
  await start({ login: '/login' }, [ANA, HASHED, { id: 3, email: 'cy@x.org' }])
  expect((await say('PUT /users/2 {"email": "bo@x.org", "pwd": "new"}')).status).toBe(200)
  await expectPassword('new', userOf(2))
  expect((await say('PATCH /users/3 {"password": "new"}')).status).toBe(200)
  await expectPassword('new', userOf(3))
})

test.each(['PATCH', 'PUT'])(
  '%s of a password under a label that is less clear takes the place of the one before',
  async (method) => {
    await start({ login: '/login' })
    for (const name of ['pwd', 'pass', 'passwd', 'contraseña']) {
      const body = { email: 'bo@x.org', [name]: `new-${name}` }
      expect((await say(`${method} /users/2 ${JSON.stringify(body)}`)).status).toBe(200)
      expect(Object.keys(userOf(2)).sort()).toEqual(['email', 'id', 'password'])
      await expectPassword(`new-${name}`, userOf(2))
      expect((await say(`POST /login ${JSON.stringify(body)}`)).status).toBe(200)
    }
    expect(
      (await say(`${method} /users/2 {"email": "bo@x.org", "password": "n1", "passwd": "n2"}`)).status,
    ).toBe(200)
    expect(textsIn(userOf(2))).not.toContain('n2')
    await expectPassword('n1', userOf(2))
  },
)

test.each(['PATCH /users/2', 'PATCH /me'])(
  '%s of a password in another spelling is the new one',
  async (line) => {
    const { password, ...bo } = HASHED
    await start({ login: '/login', me: 'PATCH /me' }, [ANA, { ...bo, Pass_Word: password }])
    const answer = await ask(server.url, question('POST /login {"email": "bo@x.org", "password": "pb"}'))
    headers = { Authorization: `Bearer ${Object(JSON.parse(answer.text)).token}` }
    expect((await say(`${line} {"password": "new"}`)).status).toBe(200)
    expect(Object.keys(userOf(2)).sort()).toEqual(['Pass_Word', 'email', 'id'])
    expect((await say('POST /login {"email": "bo@x.org", "password": "new"}')).status).toBe(200)
  },
)

test('a field that a change does not bring stays as it is, whatever it is called', async () => {
  const own = { pass: 'gold', password1: 'memo', tags: [{ id: 1 }] }
  await start({ login: '/login' }, [ANA, { ...HASHED, ...own }])
  expect((await say('PATCH /users/2 {"city": "x"}')).status).toBe(200)
  expect((await say('PATCH /users/2/tags/1 {"text": "y"}')).status).toBe(200)
  expect(userOf(2)).toEqual({ ...HASHED, ...own, tags: [{ id: 1, text: 'y' }], city: 'x' })
})

test('a password under a clearer label stays where it was sent, and a schema sees it there', async () => {
  const { password, ...bo } = HASHED
  await start(
    {
      login: '/login',
      schemas: { users: { required: ['password'], properties: { password: { minLength: 8 } } } },
    },
    [ANA, { ...bo, pwd: password }],
  )
  expect((await say('PATCH /users/2 {"password": "a"}')).status).toBe(422)
  expect((await say('PUT /users/2 {"email": "bo@x.org", "password": "longenough"}')).status).toBe(200)
  await expectPassword('longenough', userOf(2))
  expect((await say('POST /login {"email": "bo@x.org", "password": "longenough"}')).status).toBe(200)
})

test.each([
  ['an empty field beside the hash', { ...HASHED, pwd: '' }],
  ['an empty field in its place', { id: 2, email: 'bo@x.org', password: '' }],
  ['no text in its place', { id: 2, email: 'bo@x.org', password: null }],
])('a password under a label that had %s is the new one', async (_what, user) => {
  await start({ login: '/login' }, [ANA, user, { ...HASHED, id: 3, email: 'cy@x.org' }])
  expect((await say('PATCH /users/2 {"pwd": "new"}')).status).toBe(200)
  await expectPassword('new', userOf(2))
  expect((await say('POST /login {"email": "bo@x.org", "password": "new"}')).status).toBe(200)
})

test('the journal shows no new password, whatever its field is called', async () => {
  const kode = hashSync('pb', 4)
  const loginFields = { names: ['account.email'], password: 'account.kode' }
  const account = { email: 'bo@x.org', kode }
  await start({ login: '/login', loginFields, sandboxes: true }, [ANA, { id: 2, account }])
  headers = { ...headers, 'X-Sandbox': 'lab' }
  for (const body of [
    { account, kode: 'topsecret1' },
    { account: { kode1: 'topsecret2' } },
    { kode: '', kode2: 'topsecret3' },
  ])
    expect((await say(`PATCH /users/2 ${JSON.stringify(body)}`)).status).toBe(200)
  const journal = await say('GET /__sandbox/requests')
  expect(journal.text).toContain('/users/2')
  expect(journal.text).not.toContain('topsecret')
})

test('a hash with a line break behind it is one as well', async () => {
  await start({ login: '/login' }, [ANA, { ...HASHED, password: `${HASHED.password}\n` }])
  expect((await say('PATCH /users/2 {"password": "new"}')).status).toBe(200)
  await expectPassword('new', userOf(2))
})

test('whoever has the only name of a kind may share another, which is no 409, and nobody has that of --user', async () => {
  const people = [ANA, HASHED, { id: 3, email: 'cy@x.org', name: 'Cy', password: 'pc' }]
  await start({ login: '/login', me: 'PATCH /me', logins: [{ email: 'root@x.org', password: 'r' }] }, people)
  for (const line of [
    'PATCH /me {"name": "Cy"}',
    'PATCH /users/2 {"name": "Cy"}',
    'PATCH /me {"email": "ana@x.org", "name": "Cy"}',
  ])
    expect([line, (await say(line)).status]).toEqual([line, 200])
  for (const line of [
    'PATCH /me {"email": "cy@x.org"}',
    'PATCH /me {"email": "root@x.org"}',
    'PATCH /users/2 {"username": "root@x.org"}',
  ])
    expect([line, (await say(line)).status]).toEqual([line, 409])
})

test('two people with one password have two hashes', async () => {
  await start({ login: '/login' })
  const people = ['n', 'm'].map((name) => ({ email: `${name}@x.org`, password: 'same' }))
  expect((await say(`POST /users ${JSON.stringify(people)}`)).status).toBe(201)
  expect(userOf(3).password).not.toBe(userOf(4).password)
  for (const id of [3, 4]) await expectPassword('same', userOf(id))
})

test('1,000 new people are stored as of any other collection, beside a hash or not', async () => {
  await start({ login: '/login' }, [ANA])
  const people = Array.from({ length: 1000 }, (_, index) => ({ email: `u${index}@x.org` }))
  expect((await say(`POST /users ${JSON.stringify(people)}`)).status).toBe(201)
  expect(source.state.users).toHaveLength(1001)
})

test('a middleware that makes the query a getter, or the ids, is called as without a hash', async () => {
  const made: unknown[] = []
  await start({
    login: '/login',
    middlewares: [
      (request, _response, next) => {
        const { query } = request
        Object.defineProperty(request, 'query', { get: () => query })
        next()
      },
      (request, _response, next) => {
        Object.assign(request.app.db._, { createId: () => made.push(made.length) + 100 })
        next()
      },
    ],
  })
  const answer = await say('POST /users {"email": "n@x.org", "password": "clear"}')
  expect([answer.status, made]).toEqual([201, [0]])
  expect(Object(JSON.parse(answer.text)).id).toBe(101)
})

test('a hash that is sent, or sent back, stays as it is', async () => {
  await start({ login: '/login' })
  const password = hashSync('other', 4)
  expect((await say(`PATCH /users/2 {"password": "${password}"}`)).status).toBe(200)
  expect((await say(`PUT /users/2 ${JSON.stringify(userOf(2))}`)).status).toBe(200)
  expect(userOf(2)).toEqual({ ...HASHED, password })
})

test('an empty password keeps the one that there is', async () => {
  await start({ login: '/login' })
  for (const password of ['', null]) {
    expect((await say(`PATCH /users/2 ${JSON.stringify({ password, role: 'a' })}`)).status).toBe(200)
    expect(userOf(2)).toEqual({ ...HASHED, role: 'a' })
  }
})

test('an empty field with the label of a password takes nobody the only hash', async () => {
  const user = { id: 2, email: 'bo@x.org', digest: hashSync('pb', 4) }
  await start({ login: '/login' }, [ANA, user])
  for (const line of ['PATCH /users/2', 'PUT /users/2']) {
    expect((await say(`${line} {"email": "bo@x.org", "password": ""}`)).status).toBe(200)
    expect(userOf(2)).toEqual(user)
  }
})

test('of several fields with the same text, the one that counts has the hash', async () => {
  await start({ login: '/login' }, [ANA, { id: 2, email: 'bo@x.org', digest: hashSync('pb', 4) }])
  expect((await say('PATCH /users/2 {"digest": "new", "password": "new", "pwd": "other"}')).status).toBe(200)
  for (const field of ['digest', 'password']) expect(compareSync('new', String(userOf(2)[field]))).toBe(true)
  expect((await say('POST /login {"email": "bo@x.org", "password": "new"}')).status).toBe(200)
})

test('with --openid alone, passwords are stored and kept as with a login of the application', async () => {
  await start({ openid: true })
  expect((await say('PATCH /users/2 {"password": "new"}')).status).toBe(200)
  await expectPassword('new', userOf(2))
  const { password } = userOf(2)
  expect((await say('PUT /users/2 {"email": "bo@x.org"}')).status).toBe(200)
  expect(userOf(2)).toEqual({ id: 2, email: 'bo@x.org', password })
})

test('two changes of one record at once are both stored, and of two new ones with one id, one is', async () => {
  await start({ login: '/login' })
  const answers = await Promise.all([
    say('PATCH /users/2 {"password": "new"}'),
    say('PATCH /users/2 {"role": "admin"}'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(userOf(2).role).toBe('admin')
  await expectPassword('new', userOf(2))
  const one = 'POST /users {"id": 7, "email": "n@x.org", "password": "n"}'
  const both = await Promise.all([say(one), say(one)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('of several new people at once, each gets an id and a hash, whoever comes between', async () => {
  await start({ login: '/login' })
  const people = ['n', 'm'].map((name) => ({ email: `${name}@x.org`, password: name }))
  const [several, one] = await Promise.all([
    say(`POST /posts/1/users ${JSON.stringify(people)}`),
    say('POST /users {"email": "o@x.org"}'),
  ])
  expect([several?.status, one?.status]).toEqual([201, 201])
  const ids = [source.state.users].flat().map((user) => Object(user).id)
  expect(ids).toEqual([1, 2, 3, 4, 5])
  for (const { email, password } of people) {
    const user = [source.state.users].flat().find((person) => Object(person).email === email)
    expect(user).toMatchObject({ postId: '1' })
    await expectPassword(password, user)
  }
})
