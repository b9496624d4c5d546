import { randomBytes } from 'node:crypto'
import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { MemoryData } from '../../../../lib/data/data-source'
import { SANDBOX_LIMITS } from '../../../../lib/options/sandboxes/sandboxes'
import { openSandbox } from '../../../../lib/testing'
import { type AppOptions, createApp } from '../../../../server'
import { ADA, sampleData, tempFolders } from '../../../support/data'
import { ask, json, logInTo, send, serve, type TestServer } from '../../../support/http'

const newFolder = tempFolders()
const SECRET = 'the signing secret of these tests only'

/** How a user's middleware uses `app.db`. */
interface Database {
  get(name: string): { push(record: object): { write(): unknown } }
}

let data: MemoryData
let server: TestServer
let token: string
async function start(options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(sampleData())
  server = await serve(createApp({ data, secret: SECRET, sandboxes: true, log: false, ...options }))
  token = await logInTo(server.url)
}
afterEach(() => server.close())

/** The title of the first blog, for everyone or in a sandbox. */
async function title(sandbox?: string): Promise<unknown> {
  const answer = await send(server.url, 'GET /blogs/1', { sandbox })
  return JSON.parse(answer.text).blog.title
}

function rename(sandbox: string | undefined, name: string) {
  return send(server.url, 'PATCH /blogs/1', { sandbox, token, body: { title: name } })
}

describe('which data', () => {
  beforeEach(() => start())

  test('the header, the claim of the token, or neither', async () => {
    const lab = await logInTo(server.url, 'lab')
    await rename(undefined, 'Main')
    await rename('lab', 'Lab')
    expect(await title()).toBe('Main')
    expect(await title('lab')).toBe('Lab')
    expect(JSON.parse((await send(server.url, 'GET /blogs/1', { token: lab })).text).blog.title).toBe('Lab')
    expect((await send(server.url, 'GET /posts', { sandbox: 'lab', token: lab })).status).toBe(200)
    expect((await send(server.url, 'GET /posts', { sandbox: 'lab', token })).status).toBe(200)
  })

  test.each([
    'a',
    '0',
    '.',
    '..',
    '-',
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'x'.repeat(64),
    'A-Za-z0-9._-',
  ])('%s is a name like any other', async (name) => {
    expect((await send(server.url, 'GET /blogs/1', { sandbox: name })).headers['x-sandbox']).toBe(name)
    expect((await send(server.url, 'DELETE /__sandbox', { sandbox: name, token })).status).toBe(204)
    const own = await logInTo(server.url, name)
    expect(jwt.verify(own, SECRET)).toMatchObject({ sandbox: name })
    expect((await send(server.url, 'PATCH /blogs/1', { token: own, body: { title: 'Own' } })).status).toBe(
      200,
    )
    expect(await title(name)).toBe('Own')
    expect(await title()).toBe('One')
    expect((await send(server.url, 'DELETE /__sandbox', { token: own })).status).toBe(204)
    expect(await title(name)).toBe('One')
  })

  test.each([
    '',
    ' ',
    'a b',
    'a/b',
    '../x',
    'a,b',
    'a\tb',
    'ä',
    'a\u0080',
    '%61',
    'x'.repeat(65),
    'x'.repeat(10_000),
    'a;b',
    '*',
  ])('%j is not a name -> 400, with and without a token', async (name) => {
    for (const sender of [{ sandbox: name }, { sandbox: name, token }]) {
      for (const line of ['GET /blogs', 'GET /users', 'POST /auth/login', 'DELETE /__sandbox']) {
        const answer = await send(server.url, line, { ...sender, body: ADA })
        expect(answer.status).toBe(400)
        expect(json(answer)).toEqual({ error: expect.stringContaining('1 to 64') })
        expect(answer.headers).not.toHaveProperty('x-sandbox')
      }
    }
  })

  test('the user lookup reports every error in its own envelope', async () => {
    const lab = await logInTo(server.url, 'lab')
    await send(server.url, 'PUT /__sandbox/faults', { token: lab, body: [{ path: '/*', status: 503 }] })
    for (const { sender, status } of [
      { sender: { sandbox: 'a b' }, status: 400 },
      { sender: { token: lab }, status: 503 },
    ]) {
      const answer = await send(server.url, 'GET /api/users.php', sender)
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8')
      expect(answer.text).toMatch(/^{\n {4}"status": "NG",\n {4}"message": "[A-Z].+"\n}$/)
    }
  })

  test('two headers are not a name -> 400', async () => {
    const headers = { 'X-Sandbox': ['one', 'two'] }
    expect((await ask(server.url, { path: '/blogs', headers })).status).toBe(400)
  })

  test('a header of 64 kB is refused by Node, and begins nothing', async () => {
    const refused = await send(server.url, 'GET /blogs', { sandbox: 'x'.repeat(65_536) }).catch(
      () => undefined,
    )
    expect([431, undefined]).toContain(refused?.status)
    expect((await send(server.url, 'GET /blogs')).status).toBe(200)
  })

  test('the header wins over a claim that differs', async () => {
    const lab = await logInTo(server.url, 'lab')
    await rename('other', 'Other')
    const answer = await send(server.url, 'GET /blogs/1', { sandbox: 'other', token: lab })
    expect(answer.headers['x-sandbox']).toBe('other')
    expect(answer.text).toContain('Other')
    const body = { title: 'Changed' }
    await send(server.url, 'PATCH /blogs/1', { sandbox: 'other', token: lab, body })
    expect([await title('other'), await title('lab'), await title()]).toEqual(['Changed', 'One', 'One'])
  })

  test('a claim that is no name means the main data', async () => {
    await rename(undefined, 'Main')
    for (const sandbox of ['a b', '', 5, null, ['lab'], { name: 'lab' }]) {
      const signed = jwt.sign({ ...ADA, sandbox }, SECRET, { expiresIn: 60 })
      const answer = await send(server.url, 'GET /blogs/1', { token: signed })
      expect(answer.text).toContain('Main')
      expect(answer.headers).not.toHaveProperty('x-sandbox')
    }
  })

  test('every response in a sandbox names it, errors too; no other does', async () => {
    for (const line of [
      'GET /blogs',
      'GET /users',
      'GET /nothing',
      'GET /api/users.php?id=x',
      'POST /auth/login',
    ]) {
      expect((await send(server.url, line, { sandbox: 'lab' })).headers['x-sandbox']).toBe('lab')
      expect((await send(server.url, line, { sandbox: 'lab', token })).headers['x-sandbox']).toBe('lab')
      expect((await send(server.url, line, { token })).headers).not.toHaveProperty('x-sandbox')
    }
    const lab = await logInTo(server.url, 'lab')
    expect((await send(server.url, 'GET /users', { token: lab })).headers['x-sandbox']).toBe('lab')
  })

  test('a preflight allows the header', async () => {
    const answer = await ask(server.url, {
      method: 'OPTIONS',
      path: '/users',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,x-sandbox',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-headers']).toBe('authorization,x-sandbox')
  })

  test('the headers that a list exposes to pages of other origins stay as they are', async () => {
    const exposed = async (sandbox?: string) =>
      (await send(server.url, 'GET /posts?_page=1', { sandbox, token })).headers[
        'access-control-expose-headers'
      ]
    expect(await exposed('lab')).toBe(await exposed())
  })
})

describe('when it has data of its own', () => {
  beforeEach(() => start())

  /** Whether it has data of its own, which it keeps when other data is loaded. */
  async function hasOwnData(name: string): Promise<boolean> {
    data.replace({ ...sampleData(), blogs: [{ id: 1, title: 'Reloaded' }] })
    return (await title(name)) === 'One'
  }

  test.each([
    { how: 'an anonymous read', ask: () => send(server.url, 'GET /blogs', { sandbox: 'lab' }) },
    { how: 'a login', ask: () => logInTo(server.url, 'lab') },
    {
      how: 'a login that fails',
      ask: () =>
        send(server.url, 'POST /auth/login', { sandbox: 'lab', body: { ...ADA, password: 'wrong' } }),
    },
    { how: 'a read with a token', ask: () => send(server.url, 'GET /posts', { sandbox: 'lab', token }) },
    {
      how: 'a change without a token',
      ask: () => send(server.url, 'POST /posts', { sandbox: 'lab', body: {} }),
    },
    {
      how: 'a method that a header makes a read',
      ask: () =>
        ask(server.url, {
          method: 'POST',
          path: '/posts',
          headers: {
            'X-Sandbox': 'lab',
            Authorization: `Bearer ${token}`,
            'X-HTTP-Method-Override': 'GET',
          },
        }),
    },
    {
      how: 'a change of nothing',
      ask: () => send(server.url, 'DELETE /posts/99', { sandbox: 'lab', token }),
    },
    {
      how: 'the list of its requests',
      ask: () => send(server.url, 'GET /__sandbox/requests', { sandbox: 'lab', token }),
    },
    {
      how: 'rules for faults',
      ask: () => send(server.url, 'PUT /__sandbox/faults', { sandbox: 'lab', token, body: [] }),
    },
    { how: 'a reset', ask: () => send(server.url, 'POST /__sandbox/reset', { sandbox: 'lab', token }) },
  ])('not by $how: it has the loaded data, whatever the main data is', async ({ ask: askServer }) => {
    await rename(undefined, 'Main')
    await askServer()
    expect(await title('lab')).toBe('One')
    expect(await hasOwnData('lab')).toBe(false)
  })

  test.each([
    { how: 'a change', line: 'PATCH /posts/1', body: { title: 'New' } },
    { how: 'a reset with a collection', line: 'POST /__sandbox/reset', body: { posts: [] } },
  ])('by $how', async ({ line, body }) => {
    await rename(undefined, 'Main')
    await send(server.url, line, { sandbox: 'lab', token, body })
    expect(await title('lab')).toBe('One')
    expect(await hasOwnData('lab')).toBe(true)
  })

  test('by a change that names it with the claim of its token alone', async () => {
    const own = await logInTo(server.url, 'lab')
    await send(server.url, 'PATCH /blogs/1', { token: own, body: { title: 'Lab' } })
    expect([await title('lab'), await title()]).toEqual(['Lab', 'One'])
  })

  test('the users of the loaded data can log in to it, whoever is a user of the main data', async () => {
    const [grace, eve] = [
      { email: 'grace@example.com', password: 'hopper' },
      { email: 'eve@example.com', password: 'apple' },
    ]
    await send(server.url, 'DELETE /users/2', { token })
    await send(server.url, 'POST /users', { token, body: eve })
    const statuses = []
    for (const sandbox of [undefined, 'lab', 'lab'])
      for (const body of [eve, grace])
        statuses.push((await send(server.url, 'POST /auth/login', { sandbox, body })).status)
    expect(statuses).toEqual([200, 401, 401, 200, 401, 200])
  })

  test('a login by a rewrite rule names it in the token, too', async () => {
    await server.close()
    await start({ routes: { '/sessions': '/auth/login' } })
    const answer = await send(server.url, 'POST /sessions', { sandbox: 'lab', body: ADA })
    expect(jwt.verify(JSON.parse(answer.text).access_token, SECRET)).toMatchObject({ sandbox: 'lab' })
  })

  test('changes at once, of which none has made it yet, all reach it', async () => {
    const changes = Array.from({ length: 20 }, (_, id) =>
      send(server.url, 'POST /tags', { sandbox: 'lab', token, body: { id: `${id}` } }),
    )
    for (const { status } of await Promise.all(changes)) expect(status).toBe(201)
    const tags = await send(server.url, 'GET /tags', { sandbox: 'lab', token })
    expect(json(tags)).toHaveLength(21)
  })

  test('requests at once, of which a middleware changes the data in each, all reach it', async () => {
    await server.close()
    const folder = await newFolder()
    const visits: RequestHandler = ({ app }, _response, next) => {
      const db: Database = Reflect.get(app, 'db')
      setImmediate(() => {
        db.get('tags')
          .push({ id: randomBytes(4).toString('hex') })
          .write()
        next()
      })
    }
    await start({ middlewares: [visits], static: folder })
    const reads = Array.from({ length: 20 }, () => send(server.url, 'GET /posts', { sandbox: 'lab', token }))
    await Promise.all(reads)
    expect(json(await send(server.url, 'GET /tags', { sandbox: 'lab', token }))).toHaveLength(22)
    expect(json(await send(server.url, 'GET /tags', { sandbox: 'other', token }))).toHaveLength(2)
  })

  test('new sandboxes and resets have reloaded data; others keep their data', async () => {
    await rename('old', 'Old')
    const reloaded = sampleData()
    reloaded.blogs = [{ id: 1, title: 'Reloaded' }]
    data.replace(reloaded)
    await rename(undefined, 'Main')
    expect(await title('old')).toBe('Old')
    expect(await title('new')).toBe('Reloaded')
    expect((await send(server.url, 'POST /__sandbox/reset', { sandbox: 'old', token })).status).toBe(204)
    expect(await title('old')).toBe('Reloaded')
  })

  test('sandboxes share no data with the main data, nor with each other', async () => {
    await Promise.all(['one', 'two'].map((name) => rename(name, name)))
    await send(server.url, 'POST /comments', { sandbox: 'one', token, body: { body: 'mine' } })
    await send(server.url, 'PATCH /profile', { sandbox: 'two', token, body: { name: 'changed' } })
    expect(data.state).toEqual(sampleData())
    await rename(undefined, 'Main')
    expect([await title('one'), await title('two'), await title()]).toEqual(['one', 'two', 'Main'])
  })
})

describe('POST /__sandbox/reset', () => {
  beforeEach(() => start())
  const reset = (body?: unknown, sandbox: string | undefined = 'lab') =>
    send(server.url, 'POST /__sandbox/reset', { sandbox, token, body })

  test('204: back to the loaded data, without faults', async () => {
    await rename('lab', 'Changed')
    await send(server.url, 'PUT /__sandbox/faults', {
      sandbox: 'lab',
      token,
      body: [{ path: '/posts', status: 500 }],
    })
    const answer = await reset()
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
    expect(answer.headers['x-sandbox']).toBe('lab')
    expect(await title('lab')).toBe('One')
    expect((await send(server.url, 'GET /posts', { sandbox: 'lab', token })).status).toBe(200)
  })

  test('the collections of the body replace those of the loaded data', async () => {
    await rename('lab', 'Changed')
    const users = [{ id: 7, email: 'eve@example.com', password: 'apple' }]
    expect((await reset({ users, posts: [{ id: 1 }] })).status).toBe(204)
    expect(json(await send(server.url, 'GET /db', { sandbox: 'lab', token }))).toEqual({
      ...sampleData(),
      users,
      posts: [{ id: 1 }],
    })
    expect((await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: ADA })).status).toBe(401)
    expect((await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: users[0] })).status).toBe(200)
    expect((await send(server.url, 'POST /posts', { sandbox: 'lab', token, body: {} })).status).toBe(201)
    // The next reset goes back to the loaded data.
    await reset()
    expect(json(await send(server.url, 'GET /db', { sandbox: 'lab', token }))).toEqual(sampleData())
    expect(data.state).toEqual(sampleData())
  })

  test('an empty collection is possible', async () => {
    await reset({ blogs: [] })
    expect(json(await send(server.url, 'GET /blogs', { sandbox: 'lab' }))).toEqual({ blogs: [] })
  })

  test.each<{ title: string; body: unknown; says: string }>([
    { title: 'a list', body: [], says: 'object' },
    { title: 'a string', body: 'reset', says: 'object' },
    { title: 'null', body: null, says: 'object' },
    { title: 'a number as a collection', body: { users: 5 }, says: '"users"' },
    { title: 'null as a collection', body: { blogs: [], users: null }, says: '"users"' },
    {
      title: 'a misspelt name',
      body: { blgos: [] },
      says: '"blogs"',
    },
    { title: 'a name like no other', body: { invoices: [] }, says: '"invoices"' },
    {
      title: 'a record that is too deep',
      body: { blogs: [JSON.parse('['.repeat(200) + ']'.repeat(200))] },
      says: 'deep',
    },
    { title: 'a prototype', body: JSON.parse('{"blogs": [{"__proto__": {}}]}'), says: '__proto__' },
    { title: 'a prototype as a collection', body: JSON.parse('{"__proto__": []}'), says: '__proto__' },
  ])('$title -> 400 that says what, nothing changed', async ({ body, says }) => {
    await rename('lab', 'Changed')
    await send(server.url, 'PUT /__sandbox/faults', {
      sandbox: 'lab',
      token,
      body: [{ path: '/posts', status: 500 }],
    })
    const answer = await reset(body)
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: expect.stringContaining(says) })
    expect(await title('lab')).toBe('Changed')
    expect((await send(server.url, 'GET /posts', { sandbox: 'lab', token })).status).toBe(500)
    expect((await reset(body, 'other')).status).toBe(400)
    expect(await title('other')).toBe('One')
  })

  test.each([
    { title: 'malformed JSON', type: 'application/json', body: '{"users":', status: 400 },
    {
      title: 'JSON of 400,000 levels',
      type: 'application/json',
      body: `{"a":${'['.repeat(4e5)}${']'.repeat(4e5)}}`,
      status: 400,
    },
    { title: 'a form', type: 'application/x-www-form-urlencoded', body: 'users=1', status: 415 },
    { title: 'a body without a type', type: '', body: '{}', status: 415 },
    {
      title: 'more than 10 MB',
      type: 'application/json',
      body: ' '.repeat(10 * 1024 * 1024 + 1),
      status: 413,
    },
  ])('$title -> $status, nothing changed', async ({ type, body, status }) => {
    await rename('lab', 'Changed')
    const answer = await ask(server.url, {
      method: 'POST',
      path: '/__sandbox/reset',
      headers: {
        'X-Sandbox': 'lab',
        Authorization: `Bearer ${token}`,
        ...(type && { 'Content-Type': type }),
      },
      body,
    })
    expect(answer.status).toBe(status)
    const says = status === 415 ? 'Content-Type: application/json' : 'body'
    expect(json(answer)).toEqual({ error: expect.stringContaining(says) })
    expect(await title('lab')).toBe('Changed')
  })
})

describe('the routes of a sandbox', () => {
  beforeEach(() => start())

  test('DELETE /__sandbox -> 204: forgotten, and it has the loaded data again', async () => {
    await rename('lab', 'Changed')
    await rename(undefined, 'Main')
    const answer = await send(server.url, 'DELETE /__sandbox', { sandbox: 'lab', token })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
    expect(await title('lab')).toBe('One')
  })

  test('PUT /__sandbox/faults with a string says that the rules are an array', async () => {
    const answer = await send(server.url, 'PUT /__sandbox/faults', { sandbox: 'lab', token, body: 'none' })
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: expect.stringContaining('array') })
  })

  test('DELETE /__sandbox of one that nothing has changed -> 204', async () => {
    expect((await send(server.url, 'DELETE /__sandbox', { sandbox: 'lab', token })).status).toBe(204)
    expect(await title('lab')).toBe('One')
  })

  test.each(['POST /__sandbox/reset', 'DELETE /__sandbox', 'PUT /__sandbox/faults'])(
    '%s without a sandbox -> 400 that says how to name one',
    async (line) => {
      const answer = await send(server.url, line, { token, body: [] })
      expect(answer.status).toBe(400)
      expect(json(answer)).toEqual({ error: expect.stringContaining('X-Sandbox') })
    },
  )

  test.each([
    'GET /__sandbox',
    'POST /__sandbox',
    'GET /__sandbox/reset',
    'DELETE /__sandbox/faults',
    'POST /__SANDBOX/reset',
    'DELETE /__sandbox/',
  ])('%s is none of them -> 401, with a token 404', async (line) => {
    expect((await send(server.url, line, { sandbox: 'lab' })).status).toBe(401)
    expect((await send(server.url, line, { sandbox: 'lab', token })).status).toBe(404)
  })

  test('no rewrite rule shadows them', async () => {
    await server.close()
    await start({ routes: { '/__sandbox': '/posts', '/__sandbox/*': '/posts' } })
    await rename('lab', 'Changed')
    expect((await send(server.url, 'DELETE /__sandbox', { sandbox: 'lab', token })).status).toBe(204)
  })
})

describe('over the limit', () => {
  const limits = { ...SANDBOX_LIMITS }
  beforeEach(() => {
    Object.assign(SANDBOX_LIMITS, { count: 2 })
    return start({ allow: ['POST /tags'] })
  })
  afterEach(() => {
    Object.assign(SANDBOX_LIMITS, limits)
  })

  test('a request with a token always makes room, and a name that was pushed out starts anew', async () => {
    for (const name of ['one', 'two', 'three', 'four']) expect((await rename(name, name)).status).toBe(200)
    expect([await title('three'), await title('four')]).toEqual(['three', 'four'])
    const answer = await send(server.url, 'GET /blogs/1', { sandbox: 'one', token })
    expect([answer.status, answer.headers['x-sandbox']]).toEqual([200, 'one'])
    expect(answer.text).toContain('One')
    expect(await title('four')).toBe('four')
  })

  test('a request that is refused makes no room', async () => {
    for (const name of ['one', 'two']) await rename(name, name)
    for (const [line, body] of [
      ['PUT /__sandbox/clock', { advance: 'soon' }],
      ['PUT /__sandbox/clock', { advance: '366d' }],
      ['PUT /__sandbox/faults', { path: 1 }],
      ['PUT /__sandbox/sessions', { refreshOnce: 1 }],
      ['POST /__sandbox/reset', { nothing: [] }],
      ['GET /__sandbox/requests?path=a&path=b', undefined],
    ] as const)
      expect((await send(server.url, line, { sandbox: 'three', token, body })).status).toBe(400)
    expect([await title('one'), await title('two')]).toEqual(['one', 'two'])
  })

  test('one without a token pushes out none that has changes: 503, and nothing is changed', async () => {
    for (const name of ['one', 'two']) await rename(name, name)
    for (const line of ['POST /tags', 'GET /blogs', 'POST /auth/login']) {
      const refused = await send(server.url, line, { sandbox: 'three', body: { ...ADA, id: 'x' } })
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toMatch(/^\d+$/)
      expect(json(refused)).toEqual({ error: expect.stringContaining('DELETE /__sandbox') })
    }
    expect([await title('one'), await title('two')]).toEqual(['one', 'two'])
    expect(json(await send(server.url, 'GET /tags', { token }))).toHaveLength(1)
    await send(server.url, 'DELETE /__sandbox', { sandbox: 'one', token })
    expect((await send(server.url, 'POST /tags', { sandbox: 'three', body: { id: 'x' } })).status).toBe(201)
  })

  test("a test's sandbox without a change keeps its journal, whatever names requests without a token send", async () => {
    for (const line of ['GET /blogs/1', 'GET /blogs', 'GET /tags'])
      await send(server.url, line, { sandbox: 'test', token })
    for (let flood = 0; flood < 10; flood += 1)
      expect((await send(server.url, 'GET /blogs', { sandbox: `flood-${flood}` })).status).toBe(200)
    const journal = await send(server.url, 'GET /__sandbox/requests', { sandbox: 'test', token })
    expect(json(journal)).toHaveLength(3)
  })

  test('`openSandbox` finds room where all have changes', async () => {
    for (const name of ['one', 'two']) await rename(name, name)
    const mock = await openSandbox({ url: server.url, name: 'three', user: ADA })
    await send(server.url, 'POST /tags', { token: mock.token, body: { id: 'x' } })
    expect(await mock.requests()).toMatchObject([{ path: '/tags', status: 201 }])
  })
})

describe('all other options work as in the main data', () => {
  test('read-only: the data cannot be changed, but the sandbox can be controlled', async () => {
    await start({ readOnly: true })
    expect((await rename('lab', 'x')).status).toBe(403)
    expect(
      (await send(server.url, 'POST /__sandbox/reset', { sandbox: 'lab', token, body: { blogs: [] } }))
        .status,
    ).toBe(204)
    expect(json(await send(server.url, 'GET /blogs', { sandbox: 'lab' }))).toEqual({ blogs: [] })
    expect((await send(server.url, 'DELETE /__sandbox', { sandbox: 'lab', token })).status).toBe(204)
  })

  test('the public list is current, with and without live', async () => {
    const titles = async (sandbox?: string) =>
      JSON.parse((await send(server.url, 'GET /blogs', { sandbox })).text).blogs.map(
        (blog: { title: string }) => blog.title,
      )
    for (const live of [false, true]) {
      await server?.close()
      await start({ live })
      await rename('lab', 'Changed')
      expect(await titles('lab')).toEqual(['Changed', 'Two', 'Three'])
      await rename(undefined, 'Main')
      expect(await titles()).toEqual([live ? 'Main' : 'One', 'Two', 'Three'])
    }
  })

  test('rules, the public collection and the names of ids', async () => {
    const routes = { '/api/*': '/$1' }
    await start({
      routes,
      publicCollection: 'posts',
      idProperty: 'key',
      data: { ...sampleData(), posts: [{ key: 'a', title: 'A' }] },
    })
    await send(server.url, 'PATCH /api/posts/a', { sandbox: 'lab', token, body: { title: 'B' } })
    expect(json(await send(server.url, 'GET /api/posts/a', { sandbox: 'lab' }))).toEqual({
      post: { key: 'a', title: 'B' },
    })
    expect(json(await send(server.url, 'GET /__rules', { sandbox: 'lab', token }))).toEqual(routes)
    expect((await send(server.url, 'GET /blogs', { sandbox: 'lab' })).status).toBe(401)
  })

  test("a user's middleware has the database of the sandbox", async () => {
    const visits: RequestHandler = ({ app }, _response, next) => {
      const db: Database = Reflect.get(app, 'db')
      db.get('tags')
        .push({ id: randomBytes(4).toString('hex') })
        .write()
      next()
    }
    await start({ middlewares: [visits] })
    const tags = async (sandbox?: string) =>
      JSON.parse((await send(server.url, 'GET /tags', { sandbox, token })).text).length
    expect([await tags('lab'), await tags('lab'), await tags(), await tags('other')]).toEqual([2, 3, 2, 2])
  })

  test('the page of the documentation is the same for all', async () => {
    await start({ docs: true })
    await send(server.url, 'POST /__sandbox/reset', { sandbox: 'lab', token, body: { baskets: [{ id: 1 }] } })
    const [main, lab] = [
      await send(server.url, 'GET /openapi.json'),
      await send(server.url, 'GET /openapi.json', { sandbox: 'lab' }),
    ]
    expect(lab.text).toBe(main.text)
    expect((await send(server.url, 'GET /docs', { sandbox: 'lab' })).status).toBe(200)
  })

  test('without a given secret, tokens work in it as in the main data', async () => {
    await start({ secret: undefined })
    const lab = await logInTo(server.url, 'lab')
    expect((await send(server.url, 'GET /users', { token: lab })).status).toBe(200)
    expect((await send(server.url, 'GET /users', { sandbox: 'other', token })).status).toBe(200)
  })
})
