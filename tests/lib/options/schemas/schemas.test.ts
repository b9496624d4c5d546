import { readFile } from 'node:fs/promises'
import bcrypt, { hashSync } from 'bcryptjs'
import { compileSchemas } from '../../../../lib/options/schemas/compile'
import type { AppOptions } from '../../../../server'
import { testApps } from '../../../support/app'
import { ADA, tempFolders } from '../../../support/data'
import { type Answer, ask, authorized, logIn } from '../../../support/http'
import { KEPT, openKept } from '../../../support/kept-data'
import { quickHashes } from '../../../support/quick-hashes'

const { start } = testApps()
const newFolder = tempFolders()
quickHashes()

const schemas: NonNullable<AppOptions['schemas']> = {
  $defs: {
    address: {
      'x-order': 1,
      required: ['city'],
      properties: {
        city: { type: 'string', minLength: 1 },
        country: { type: 'string', default: 'FR' },
      },
    },
  },
  posts: {
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 3, unique: true },
      views: { type: 'integer', default: 0, maximum: 1000 },
      isPublic: { type: 'boolean' },
      state: { enum: ['draft', 'published'] },
      role: { type: 'string', default: 'user', readOnly: true },
      address: { $ref: '#/$defs/address' },
      author: { $ref: '#/$defs/users' },
      tags: { type: 'array', minItems: 3, items: { type: 'string' } },
      reviews: { type: 'array', items: { properties: { stars: { type: 'integer', maximum: 5 } } } },
    },
  },
  comments: { required: ['postId'], properties: { postId: { type: 'integer' } } },
  users: {
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email', unique: true, title: 'E-mail' },
      name: { type: 'string', minLength: 1 },
      password: { type: 'string', minLength: 6, maxLength: 20 },
      role: { enum: ['user', 'admin'], default: 'user', readOnly: true },
    },
  },
  shops: {
    required: ['id', 'city'],
    unique: [['city', 'number']],
    properties: { id: { type: 'string', format: 'uuid' }, city: { type: 'string', title: 'City' } },
  },
  profile: { required: ['name'], properties: { name: { type: 'string', minLength: 2 } } },
}

const data = {
  posts: [
    { id: 1, title: '', views: 'many', role: 'editor' },
    { id: 2, title: 'Second', views: 2 },
  ],
  comments: [{ id: 1, postId: 1, createdAt: 1_700_000_000_000 }],
  users: [{ id: 1, email: ADA.email, password: 'lovelace', name: 'Ada' }],
  shops: [],
  notes: [],
  profile: { name: 'typicode' },
}
const timeStamps = ['createdAt', 'updatedAt']

/** The application, and a client whose responses are parsed. */
async function startOne(options: Partial<AppOptions> = {}) {
  const { url, send } = await start({ data, schemas, logins: [ADA], ...options })
  const parsed = ({ status, text }: Answer) => ({ status, body: text === '' ? undefined : JSON.parse(text) })
  return {
    url,
    raw: send,
    async send(method: string, target: string, body?: unknown) {
      return parsed(await send(method, target, body))
    },
    async form(target: string, body: string) {
      const headers = {
        ...authorized(await logIn(url)),
        'Content-Type': 'application/x-www-form-urlencoded',
      }
      return parsed(await ask(url, { method: 'POST', path: target, headers, body }))
    },
    async open(method: string, target: string, body: unknown, headers: Record<string, string> = {}) {
      const sent = { 'Content-Type': 'application/json', ...headers }
      return parsed(await ask(url, { method, path: target, headers: sent, body: JSON.stringify(body) }))
    },
  }
}

/** What is said of a field: the sentences stand in sentences.test.ts. */
const SAID = [expect.any(String)]

/** A request, its status, and the fields that a refusal names, or what the response has. */
type Case = readonly [statement: string, line: string, body: unknown, status: number, expected: object]

describe('a request', () => {
  test.each<Case>([
    [
      'POST without a required field: 422, `errors.title[0]` is "title is required"',
      'POST /posts',
      {},
      422,
      {
        errors: { title: SAID },
        message: 'title is required.',
        error: 'title is required.',
      },
    ],
    [
      'a POST that is wrong in six fields names all six at once',
      'POST /posts',
      { title: 'x', views: 1.5, state: 'gone', isPublic: 1, tags: ['a', 2], address: {} },
      422,
      {
        errors: {
          title: SAID,
          views: SAID,
          state: SAID,
          isPublic: SAID,
          tags: SAID,
          'tags.1': SAID,
          'address.city': SAID,
        },
      },
    ],
    [
      'PATCH of a field that becomes wrong: 422',
      'PATCH /posts/2',
      { title: 'x' },
      422,
      { errors: { title: SAID } },
    ],
    [
      'PATCH with the unique value that the record has: 200',
      'PATCH /posts/2',
      { title: 'Second', views: 3 },
      200,
      { views: 3 },
    ],
    [
      'PUT with the unique value that the record has: 200',
      'PUT /posts/2',
      { title: 'Second' },
      200,
      { id: 2, title: 'Second', views: 0 },
    ],
    [
      "PATCH with another's unique value: 422",
      'PATCH /posts/1',
      { title: 'Second' },
      422,
      { errors: { title: SAID } },
    ],
    ['PUT without what is required: 422', 'PUT /posts/2', { views: 1 }, 422, { errors: { title: SAID } }],
    ['PUT of a record that is not there: 404, whatever the body', 'PUT /posts/9', { views: 'x' }, 404, {}],
    [
      'PATCH of a record that is not there: 404, whatever the body',
      'PATCH /posts/9',
      { title: 'x' },
      404,
      {},
    ],
    [
      'PATCH of a record of the file that is wrong elsewhere: 200, and the wrong field stays as it is',
      'PATCH /posts/1',
      { state: 'draft' },
      200,
      { title: '', views: 'many', state: 'draft' },
    ],
    [
      'PATCH of the wrong field to another wrong value: 422',
      'PATCH /posts/1',
      { views: 'some' },
      422,
      { errors: { views: SAID } },
    ],
    [
      'a PUT of a wrong record as it stands: 422',
      'PUT /posts/1',
      { title: '', views: 'many' },
      422,
      { errors: { title: SAID, views: SAID } },
    ],
    ['DELETE of a wrong record: 200', 'DELETE /posts/1', undefined, 200, {}],
    [
      'JSON "12" is no integer',
      'POST /posts',
      { title: 'One', views: '12' },
      422,
      { errors: { views: SAID } },
    ],
    ['5000 is no text', 'POST /posts', { title: 5000 }, 422, { errors: { title: SAID } }],
    ['null is no number', 'POST /posts', { title: 'One', views: null }, 422, { errors: { views: SAID } }],
    [
      'a `readOnly` field that is sent: 201 without it',
      'POST /posts',
      { title: 'One', role: 'admin' },
      201,
      { role: 'user' },
    ],
    [
      'a `readOnly` field in a PUT: the stored one stays',
      'PUT /posts/1',
      { title: 'One', role: 'admin' },
      200,
      { role: 'editor' },
    ],
    [
      'a `readOnly` field in a PATCH: the stored one stays',
      'PATCH /posts/1',
      { title: 'One', role: 'admin' },
      200,
      { role: 'editor' },
    ],
    [
      '`$ref` to `$defs`, and to another collection',
      'POST /posts',
      { title: 'One', address: {}, author: { email: 'x' } },
      422,
      {
        errors: {
          'address.city': SAID,
          'author.email': SAID,
        },
      },
    ],
    [
      'a default within an object that is sent is filled in',
      'POST /posts',
      { title: 'One', address: { city: 'Paris' } },
      201,
      { address: { city: 'Paris', country: 'FR' } },
    ],
    ['a taken id: 409 as before', 'POST /posts', { id: 1 }, 409, { error: expect.any(String) }],
    [
      '`POST /posts/1/comments` stores postId 1, a number, where the schema says integer',
      'POST /posts/1/comments',
      { body: 'x' },
      201,
      { body: 'x', postId: 1 },
    ],
    [
      'a POST to `/comments` without the required postId: 422',
      'POST /comments',
      {},
      422,
      { errors: { postId: SAID } },
    ],
    [
      'a list inside a record: 422 with `reviews.0.stars`',
      'POST /posts',
      { title: 'One', reviews: [{ stars: 6 }] },
      422,
      { errors: { 'reviews.0.stars': SAID } },
    ],
    ['a singular resource: PUT', 'PUT /profile', { name: 'x' }, 422, { errors: { name: SAID } }],
    ['a singular resource: PATCH', 'PATCH /profile', { name: 1 }, 422, { errors: { name: SAID } }],
    ['a collection without a schema: stored as ever', 'POST /notes', { a: null }, 201, { id: 1, a: null }],
    [
      "an id with `format: uuid`: a client's `abc` is 422",
      'POST /shops',
      { id: 'abc', city: 'Nice' },
      422,
      { errors: { id: SAID } },
    ],
    ['`__proto__`: 400 as before', 'POST /posts', JSON.parse('{"title": "One", "__proto__": 1}'), 400, {}],
    [
      '`title` is what the sentence calls a field',
      'POST /users',
      { email: ADA.email },
      422,
      { errors: { email: SAID } },
    ],
  ])('%s', async (_statement, line, body, status, expected) => {
    const [method = '', target = ''] = line.split(' ')
    const { send } = await startOne()
    const answer = await send(method, target, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(expected)
    if ('errors' in expected) expect(answer.body.errors).toEqual(expected.errors)
  })
})

test.each(KEPT)(
  'after a refusal, %s has the same bytes, the list the same length, the next id is the next one',
  async (_case, keep) => {
    const kept = await keep(await newFolder(), data)
    const source = openKept(kept.source)
    const { file, text } = kept.fileOf('posts', data)
    const { send } = await startOne({ data: source })
    expect((await send('POST', '/posts', { title: 'x' })).status).toBe(422)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await send('GET', '/posts')).body).toHaveLength(2)
    expect((await send('POST', '/posts', { title: 'One' })).body.id).toBe(3)
    expect(kept.saved().posts).toHaveLength(3)
    await source.close()
  },
)

test('a good POST has its defaults, id, createdAt = updatedAt', async () => {
  const { send } = await startOne({ timeStamps, clock: () => 1_700_000_000_000 })
  const time = '2023-11-14T22:13:20.000Z'
  expect((await send('POST', '/posts', { title: 'One' })).body).toEqual({
    title: 'One',
    views: 0,
    role: 'user',
    id: 3,
    createdAt: time,
    updatedAt: time,
  })
})

test('of 40 POSTs at once with one title, one is stored', async () => {
  const { send } = await startOne()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => send('POST', '/posts', { title: 'One' })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(39)
})

test('a value is free again when its record has another one, or is gone', async () => {
  const { send } = await startOne()
  const statuses = []
  for (const [method, target, title] of [
    ['POST', '/posts', 'One'],
    ['PATCH', '/posts/3', 'Two'],
    ['POST', '/posts', 'One'],
    ['POST', '/posts', 'Two'],
    ['DELETE', '/posts/3', undefined],
    ['POST', '/posts', 'Two'],
  ] as const)
    statuses.push((await send(method, target, { title })).status)
  expect(statuses).toEqual([201, 200, 201, 422, 200, 201])
})

test('PATCH of one field: createdAt stays, updatedAt is later', async () => {
  let now = 0
  const { send } = await startOne({ timeStamps, clock: () => 1_700_000_000_000 + now })
  const { body } = await send('POST', '/posts', { title: 'One' })
  now = 1000
  const changed = (await send('PATCH', '/posts/3', { views: 1, createdAt: 'never' })).body
  expect(changed.createdAt).toBe(body.createdAt)
  expect(Date.parse(changed.updatedAt) - Date.parse(body.updatedAt)).toBe(1000)
})

test('a record of the file gets no createdAt by a PATCH or a PUT', async () => {
  const { send } = await startOne({ timeStamps })
  for (const method of ['PATCH', 'PUT']) {
    const { body } = await send(method, '/posts/2', { title: 'Other', createdAt: '2020-01-01T00:00:00Z' })
    expect(Object.keys(body)).not.toContain('createdAt')
    expect(Object.keys(body)).toContain('updatedAt')
  }
})

test('GET, then PUT of the same JSON with one change (id and stamps in it): 200', async () => {
  const own = { posts: { additionalProperties: false, properties: { title: { type: 'string' } } } }
  const { send } = await startOne({ timeStamps, schemas: own, data: { ...data, posts: [] } })
  const { body } = await send('POST', '/posts', { title: 'One' })
  const changed = await send('PUT', '/posts/1', { ...body, title: 'Two' })
  expect(changed).toEqual({ status: 200, body: { ...body, title: 'Two', updatedAt: expect.any(String) } })
})

test('a form: "12" is 12, "true" is true', async () => {
  const { form } = await startOne()
  const { status, body } = await form('/posts', 'title=123&views=12&isPublic=true')
  expect(status).toBe(201)
  expect(body).toMatchObject({ title: '123', views: 12, isPublic: true })
})

test('two fields together: "City and number are taken already", said of the first', async () => {
  const { send } = await startOne()
  expect((await send('POST', '/shops', { city: 'Nice', number: 1 })).status).toBe(201)
  expect((await send('POST', '/shops', { city: 'Nice', number: 2 })).status).toBe(201)
  expect((await send('POST', '/shops', { number: 1, city: 'Nice' })).body.errors).toEqual({
    city: SAID,
  })
})

test('an id with `format: uuid`: the server makes one, also where `id` is required', async () => {
  const { raw } = await startOne()
  const { status, text, headers } = await raw('POST', '/shops', { city: 'Nice' })
  const { id } = JSON.parse(text)
  expect(status).toBe(201)
  expect(id).toMatch(/^[\da-f-]{36}$/)
  expect(headers.location).toMatch(new RegExp(`/shops/${id}$`))
})

test('`--ids uuid` in an empty list, `Location` leads to it; `--time-stamps created_at` alone', async () => {
  const { raw } = await startOne({ schemas: undefined, ids: 'uuid', timeStamps: ['created_at'] })
  const { text, headers } = await raw('POST', '/notes', { a: 1 })
  expect(JSON.parse(text)).toEqual({
    a: 1,
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    created_at: expect.any(String),
  })
  expect((await raw('GET', new URL(String(headers.location)).pathname)).text).toBe(text)
})

test('numbers as stamps where the list has numbers; a stamp and an id that a POST sends are kept', async () => {
  const { send } = await startOne({ timeStamps, clock: () => 1_700_000_000_001 })
  const { body } = await send('POST', '/comments', { postId: 1 })
  expect(body.createdAt).toBe(1_700_000_000_001)
  const old = { id: 'mine', postId: 1, createdAt: 5 }
  expect((await send('POST', '/comments', old)).body).toMatchObject(old)
})

const EVIL = {
  posts: {
    properties: {
      a: { type: 'string', pattern: '^(a+)+$' },
      b: { type: 'array', items: { pattern: '^(a+)+$', type: 'string' } },
    },
  },
}

describe('patterns', () => {
  test('a pattern that takes too long: 422 with the field, whatever text it is', async () => {
    const { send } = await startOne({ schemas: EVIL })
    const { status, body } = await send('POST', '/posts', { a: `${'a'.repeat(8800)}b` })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['a'])
  })

  test('200 texts against ^(a+)+$ stop nobody', async () => {
    const { send } = await startOne({ schemas: EVIL })
    const { status, body } = await send('POST', '/posts', {
      b: Array.from({ length: 200 }, (_, index) => `${'a'.repeat(22)}${index}`),
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)[0]).toMatch(/^b\.\d+$/)
  })

  test('have a time limit where one could be slow, and not where that is so of another collection', () => {
    const schemas = compileSchemas(
      { ...EVIL, notes: { $ref: '#/$defs/note' }, $defs: { note: {} } },
      () => [],
    )
    expect([schemas.get('posts')?.isSlow, schemas.get('notes')?.isSlow]).toEqual([true, false])
  })

  test('an honest list of 3,000 texts fits a pattern that is not plainly quick', async () => {
    const own = { posts: { properties: { b: { items: { pattern: '^[a-z]+(-[a-z]+)*$', type: 'string' } } } } }
    const { send } = await startOne({ schemas: own })
    expect((await send('POST', '/posts', { b: Array.from({ length: 3000 }, () => 'one-two') })).status).toBe(
      201,
    )
  })

  test('two patterns are two patterns, and one below `not` that takes too long lets nothing pass', async () => {
    const own = {
      posts: {
        properties: {
          a: { type: 'string', pattern: '^(a)+$' },
          b: { type: 'string', pattern: '^(b)+$' },
          c: { not: { type: 'string', pattern: '^(a+)+$' } },
        },
      },
    }
    const { send } = await startOne({ schemas: own })
    expect((await send('POST', '/posts', { a: 'a', b: 'b', c: 'c' })).status).toBe(201)
    expect((await send('POST', '/posts', { a: 'b', b: 'b' })).body.errors).toEqual({
      a: SAID,
    })
    expect((await send('POST', '/posts', { c: `${'a'.repeat(50)}b` })).status).toBe(422)
  })
})

describe('long bodies', () => {
  test.each(['email', 'url', 'uri', 'hostname', 'date-time'])(
    'a text of 1 MB is no %s, and keeps nobody waiting',
    async (format) => {
      const { send } = await startOne({
        schemas: { posts: { properties: { a: { type: 'string', format } } } },
      })
      const { status } = await send('POST', '/posts', {
        a: `http://${' '.repeat(500_000)}${'1'.repeat(500_000)}`,
      })
      expect(status).toBe(422)
    },
  )

  test('60 kB of them: 100 errors at most, 10 kB', async () => {
    const { raw } = await startOne()
    const { status, text } = await raw('POST', '/posts', { title: 'One', tags: Array(30_000).fill(1) })
    expect(status).toBe(422)
    expect(Object.keys(JSON.parse(text).errors)).toHaveLength(100)
    expect(text.length).toBeLessThan(15_000)
  })

  test('a long record is not stored because its first error is that of a field of the server', async () => {
    const own = { posts: { additionalProperties: false, properties: { a: { type: 'integer' } } } }
    const { send } = await startOne({ schemas: own, timeStamps })
    expect((await send('POST', '/posts', { a: 'x'.repeat(200_000) })).status).toBe(422)
    expect((await send('POST', '/posts', { [`b${'x'.repeat(200_000)}`]: 1 })).status).toBe(422)
  })

  test('`uniqueItems` on 100 kB is linear, and finds what is there twice, whatever the order of its fields', async () => {
    const own = { posts: { properties: { list: { type: 'array', uniqueItems: true } } } }
    const { send } = await startOne({ schemas: own })
    const list: object[] = Array.from({ length: 9000 }, (_, a) => ({ a, b: 1 }))
    expect((await send('POST', '/posts', { list })).status).toBe(201)
    expect((await send('POST', '/posts', { list: [...list, { b: 1, a: 0 }] })).body.errors).toEqual({
      list: SAID,
    })
  })
})

describe('those who log in', () => {
  const logins = { login: '/login', signUp: '/register', me: 'PATCH /me' }
  const hashed = { ...data, users: [{ ...data.users[0], password: hashSync(ADA.password, 4) }] }
  const good = { email: 'new@example.com', password: 'secret1', name: 'New' }

  test('sign-up: 422 with `errors` for a short password and an empty name', async () => {
    const { open } = await startOne(logins)
    const { status, body } = await open('POST', '/register', { ...good, password: 'abc', name: '' })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      password: SAID,
      name: SAID,
    })
  })

  test('sign-up with `"role": "admin"`: the stored role is `user`', async () => {
    const { open, send } = await startOne(logins)
    expect((await open('POST', '/register', { ...good, role: 'admin' })).body.role).toBe('user')
    expect((await send('GET', '/users/2')).body.role).toBe('user')
  })

  test('sign-up with a taken email: 409 as before', async () => {
    const { open } = await startOne(logins)
    expect((await open('POST', '/register', { ...good, email: ADA.email })).status).toBe(409)
  })

  test('`--me "PATCH /me"`: 422; role ignored', async () => {
    const { url } = await startOne(logins)
    const headers = authorized(await logIn(url))
    const refused = await ask(url, { method: 'PATCH', path: '/me', headers, body: '{"name": ""}' })
    expect(refused.status).toBe(422)
    expect(JSON.parse(refused.text).errors).toEqual({ name: SAID })
    const changed = await ask(url, {
      method: 'PATCH',
      path: '/me',
      headers,
      body: '{"name": "A", "role": "admin"}',
    })
    expect(changed.status).toBe(200)
    expect(JSON.parse(changed.text).role).not.toBe('admin')
  })

  test.each([
    ['sign-up', 'POST', '/register'],
    ['POST', 'POST', '/users'],
    ['PATCH', 'PATCH', '/users/1'],
    ['PUT', 'PUT', '/users/1'],
  ])(
    'users with bcrypt hashes: %s with a short password is 422, a good one is stored as a hash',
    async (_name, method, target) => {
      const { send } = await startOne({ ...logins, data: hashed })
      const refused = await send(method, target, { ...good, password: 'abc' })
      expect(refused.status).toBe(422)
      expect(refused.body.errors).toEqual({ password: SAID })
      // Whoever is refused costs no hash.
      expect(bcrypt.hashSync).not.toHaveBeenCalled()
      expect((await send(method, target, good)).status).toBeLessThan(202)
      const { body } = await send('GET', method === 'POST' ? '/users/2' : '/users/1')
      expect(body.password).toMatch(/^\$2b\$/)
    },
  )

  test('a PUT without a password keeps the hash that is there, which is longer than a password may be', async () => {
    const { send } = await startOne({ ...logins, data: hashed })
    const { password: _, ...rest } = good
    expect((await send('PUT', '/users/1', rest)).status).toBe(200)
    expect((await send('GET', '/users/1')).body.password).toBe(hashed.users[0]?.password)
  })

  test('the same where the hash is in an object', async () => {
    const [user] = data.users
    const account = { password: hashed.users[0]?.password, plan: 'free' }
    const deep = { ...data, users: [{ ...user, account }] }
    const password = { type: 'string', maxLength: 20 }
    const own = { users: { properties: { account: { properties: { password } } } } }
    const loginFields = { password: 'account.password' }
    const { send } = await startOne({ ...logins, data: deep, schemas: own, loginFields })
    expect((await send('PUT', '/users/1', { email: ADA.email, account: { plan: 'pro' } })).status).toBe(200)
    expect((await send('GET', '/users/1')).body.account).toEqual({ ...account, plan: 'pro' })
    expect((await send('PATCH', '/users/1/account', { password: 'x'.repeat(30) })).status).toBe(422)
  })

  test("`sign-up-refusal` of one's own gets the sentence and `$first`", async () => {
    const signUpRefusal = { status: 400, body: { why: '$message', fields: '$first' } }
    const { open } = await startOne({ ...logins, signUpRefusal })
    const { status, body } = await open('POST', '/register', { ...good, name: '' })
    expect(status).toBe(422)
    expect(body).toEqual({ why: 'name must not be empty.', fields: { name: 'name must not be empty' } })
  })
})

test('a sandbox: the same, stamped by its clock', async () => {
  const now = 1_700_000_000_000
  const { open } = await startOne({ sandboxes: true, allow: 'all', timeStamps, clock: () => now })
  const headers = { 'X-Sandbox': 'a', Host: 'localhost' }
  await open('PUT', '/__sandbox/clock', { advance: '1h' }, headers)
  expect((await open('POST', '/posts', {}, headers)).status).toBe(422)
  const { body } = await open('POST', '/posts', { title: 'One' }, headers)
  expect(Date.parse(body.createdAt)).toBeGreaterThanOrEqual(now + 3_600_000)
})

test('`constructor`, `hasOwnProperty` are fields that are not known, and no others appear', async () => {
  const own = { posts: { additionalProperties: false, properties: { a: {} } } }
  const { send } = await startOne({ schemas: own })
  const { body } = await send('POST', '/posts', { constructor: 1, hasOwnProperty: 2 })
  expect(Object.keys(body.errors)).toEqual(['constructor', 'hasOwnProperty'])
})

describe('schema-refusal', () => {
  const message = 'title is required.'
  const text = 'title is required'
  const entry = { field: 'title', path: 'title', param: 'title', message: text, msg: text }
  test.each([
    [
      'Laravel',
      { body: { message: '$message', errors: '$errors' } },
      422,
      { message, errors: { title: [text] } },
    ],
    ['DRF', { status: 400, body: '$errors' }, 400, { title: [text] }],
    ['express-validator', { status: 400, body: { errors: '$list' } }, 400, { errors: [entry] }],
    [
      'NestJS',
      { status: 400, body: { statusCode: '$status', message: '$texts', error: 'Bad Request' } },
      400,
      { statusCode: 400, message: [text], error: 'Bad Request' },
    ],
    ['Rails', { body: { errors: '$texts' } }, 422, { errors: [text] }],
    ['a map of texts', { body: '$first' }, 422, { title: text }],
    ['`400` alone', 400, 400, { message, error: message, errors: { title: [text] } }],
  ])('the shape of %s', async (_name, schemaRefusal, status, body) => {
    const { send } = await startOne({ schemaRefusal })
    expect(await send('POST', '/posts', {})).toEqual({ status, body })
  })

  test('a template with `$error` ends the start', async () => {
    await expect(startOne({ schemaRefusal: { body: '$error' } })).rejects.toThrow('$message')
  })
})

describe('what needs a token', () => {
  test('without a token 401, with --read-only 403, before any schema', async () => {
    const { open } = await startOne()
    expect((await open('POST', '/posts', {})).status).toBe(401)
    const { send } = await startOne({ readOnly: true })
    expect((await send('POST', '/posts', {})).status).toBe(403)
  })
})

test('`app.db` of a middleware is not checked; what it makes of the body is', async () => {
  const own: AppOptions['middlewares'] = [
    (request, _response, next) => {
      Reflect.get(request.app, 'db').get('posts').push({ id: 7, title: '' }).write()
      if (request.method === 'POST') request.body.title = 'x'
      next()
    },
  ]
  const { send } = await startOne({ middlewares: own })
  expect((await send('POST', '/posts', { title: 'One' })).status).toBe(422)
  expect((await send('GET', '/posts/7')).body).toEqual({ id: 7, title: '' })
})

describe('behind `$ref` or `allOf`', () => {
  const base = {
    required: ['id', 'role'],
    properties: {
      id: { format: 'uuid' },
      role: { $ref: '#/$defs/role' },
      email: { allOf: [{ type: 'string' }, { unique: true }] },
    },
  }
  const role = { enum: ['user', 'admin'], default: 'user', readOnly: true }
  test.each([
    ['$ref', { $ref: '#/$defs/base' }],
    ['allOf', { allOf: [{ $ref: '#/$defs/base' }, { properties: { more: {} } }] }],
  ])('`readOnly`, `default`, `unique`, `format` of the id behind %s act', async (_name, notes) => {
    const { send } = await startOne({ schemas: { $defs: { base, role }, notes } })
    const { status, body } = await send('POST', '/notes', { email: 'a', role: 'admin' })
    expect(status).toBe(201)
    expect(body).toEqual({ email: 'a', role: 'user', id: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect((await send('POST', '/notes', { email: 'a' })).body.errors).toEqual({
      email: SAID,
    })
  })

  test.each([
    ['anyOf', { anyOf: [{ properties: { role } }] }],
    ['anyOf', { anyOf: [{ $ref: '#/$defs/base' }] }],
    ['anyOf', { properties: { role: { anyOf: [{ $ref: '#/$defs/role' }] } } }],
    ['anyOf', { properties: { a: { $ref: '#/$defs/role' }, role: { anyOf: [{ $ref: '#/$defs/role' }] } } }],
    ['oneOf', { oneOf: [{ properties: { role } }] }],
    ['if', { if: { properties: { role } }, else: {} }],
    ['patternProperties', { patternProperties: { '^r': role } }],
  ])('below `%s` they end the start, with the place', async (keyword, notes) => {
    await expect(startOne({ schemas: { $defs: { base, role }, notes } })).rejects.toThrow(`/${keyword}`)
  })
})

test('an object that may be null can be that of another schema, with defaults of its own', async () => {
  const address = { properties: { country: { type: 'string', default: 'FR' } } }
  const notes = { properties: { address: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] } } }
  const { send } = await startOne({ schemas: { $defs: { address }, notes } })
  expect((await send('POST', '/notes', { address: null })).status).toBe(201)
})

test.each([
  ['a type misspelt', { properties: { a: { type: 'strin' } } }],
  ['a format misspelt', { properties: { a: { type: 'string', format: 'emial' } } }],
  ['`required: true`', { properties: { a: { required: true } } }],
  ['a `$ref` to nothing', { properties: { a: { $ref: '#/$defs/none' } } }],
  ['a wrong pattern', { properties: { a: { type: 'string', pattern: '(' } } }],
  ['`unique: true` at the top', { unique: true }],
  ['`unique` of what is nested', { properties: { a: { properties: { b: { unique: true } } } } }],
  ['a list', []],
  ['`readOnly` in a list', { properties: { a: { items: { properties: { b: { readOnly: true } } } } } }],
  ['a `default` that does not fit', { properties: { a: { type: 'integer', default: 'x' } } }],
])('%s ends the start with one sentence', async (_name, posts) => {
  await expect(startOne({ schemas: { posts } })).rejects.toThrow(
    /^The schema of "posts" cannot be used: .+[^.][.?]$/,
  )
})

test.each(['$id', '$anchor'])(
  '%s says nothing, wherever it stands: references are pointers',
  async (keyword) => {
    const text = { type: 'string', [keyword]: 'text' }
    const note = { properties: { [keyword]: text, of: { $ref: '#/$defs/posts' } }, [keyword]: 'note' }
    const posts = {
      properties: { note: { $ref: '#/$defs/note' } },
      $id: 'https://example.com/posts',
    }
    const { send } = await startOne({ schemas: { $defs: { note }, posts, notes: note } })
    expect((await send('POST', '/posts', { note: { [keyword]: 'a', of: {} } })).status).toBe(201)
    for (const [path, body] of [
      ['/posts', { note: { [keyword]: 1 } }],
      ['/notes', { of: { note: { [keyword]: 1 } } }],
    ] as const)
      expect((await send('POST', path, body)).status).toBe(422)
  },
)

test('an element of a list may be that of another collection, with what is read-only in it', async () => {
  const own = { ...schemas, posts: { properties: { authors: { items: { $ref: '#/$defs/users' } } } } }
  const { send } = await startOne({ schemas: own })
  const authors = [{ email: 'a@example.com', role: 'admin' }]
  expect((await send('POST', '/posts', { authors })).status).toBe(201)
})

test('a `default` of `$defs` that does not fit ends the start, with its place', async () => {
  const $defs = { 'a/b c': { properties: { x: { enum: ['a'], default: 'b' } } } }
  const posts = { properties: { k: { $ref: '#/$defs/a~1b%20c' } } }
  await expect(startOne({ schemas: { $defs, posts } })).rejects.toThrow('/$defs/a~1b c/properties/x')
})

test('what is wrong in `$defs` ends the start, too', async () => {
  const $defs = { address: { required: true, 'x-own': 1 } }
  await expect(startOne({ schemas: { $defs, posts: {} } })).rejects.toThrow('/$defs/address/required')
})

test('`minLenght`: with the one that was meant, and the place', async () => {
  await expect(startOne({ schemas: { posts: { properties: { title: { minLenght: 3 } } } } })).rejects.toThrow(
    'there is no keyword "minLenght", in /properties/title: did you mean "minLength"?',
  )
})

test('a changed schema acts', async () => {
  let current: Record<string, object> = {}
  const { send } = await startOne({ schemas: () => current })
  expect((await send('POST', '/posts', {})).status).toBe(201)
  current = { posts: { required: ['title'] } }
  expect((await send('POST', '/posts', {})).status).toBe(422)
})

test('a form of what is nested in a record changes no other text of it', async () => {
  const posts = [{ id: 1, title: 'One', views: '5', parts: [{ id: 1 }] }]
  const { form, send } = await startOne({ data: { ...data, posts } })
  expect((await form('/posts/1/parts', 'a=1')).status).toBe(201)
  expect((await send('GET', '/posts/1')).body).toEqual({ ...posts[0], parts: [{ id: 1 }, { a: '1', id: 2 }] })
})

test.each([
  ['required', { required: ['constructor'] }, 422],
  ['of a type', { properties: { valueOf: { type: 'string' }, a: {} } }, 201],
])('a name that every object has, %s, is a field of the record alone', async (_what, schema, status) => {
  const { send } = await start({ data: { items: [] }, schemas: { items: schema }, logins: [ADA] })
  const answer = await send('POST', '/items', { a: 1 })
  expect(answer.status).toBe(status)
})
