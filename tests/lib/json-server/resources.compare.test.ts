import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { Access } from '../../../lib/auth/access'
import { randomSigningKey } from '../../../lib/auth/access-token'
import { Authentication } from '../../../lib/auth/authentication'
import { DataSource, MemoryData } from '../../../lib/data/data-source'
import type { Data } from '../../../lib/data/valid-data'
import { HttpError } from '../../../lib/errors'
import { isRecord } from '../../../lib/is-record'
import { missingHints } from '../../../lib/json-server/missing-hints'
import { queryHints } from '../../../lib/json-server/query-hints'
import { Resources } from '../../../lib/json-server/resources'
import { Routing } from '../../../lib/json-server/routing'
import { parseBody } from '../../../middlewares/parse-body'
import { testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, askJson, json, question, serveHandlers, type TestServer } from '../../support/http'
import { servePlain } from '../../support/json-server'

const app = testApps()

const small = (): Data => ({ posts: [{ id: 1, title: 'one' }], profile: { name: 'Ada' } })

const servers: TestServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

/** The resources alone, behind other handlers. */
async function start(
  write: () => Promise<void>,
  state: Data | DataSource = small(),
  ...ahead: RequestHandler[]
): Promise<string> {
  const access = new Access(
    new Authentication({ keys: { secret: randomSigningKey() }, clock: Date.now }),
    () => 'all',
  )
  const names = { idProperty: 'id', foreignKeySuffix: 'Id' }
  const missingHint = missingHints({ ...names, accountRoutes: [] })
  const queryHint = queryHints({ ...names, hasMiddlewares: false })
  const { handle } = new Resources({
    data: state instanceof DataSource ? state : new DataSource(state, { save: write }),
    ...names,
    cascade: true,
    sessionCheck: { refusalOf: () => undefined },
    access,
    routing: new Routing({ ...names, access, nested: true, severalAtOnce: true, missingHint, queryHint }),
  })
  const server = await serveHandlers(...ahead, parseBody(), handle)
  servers.push(server)
  return server.url
}

it.each([
  { method: 'POST', path: '/posts', body: { title: 'two' }, status: 201 },
  { method: 'PUT', path: '/posts/1', body: { title: 'two' }, status: 200 },
  { method: 'PATCH', path: '/posts/1', body: { title: 'two' }, status: 200 },
  { method: 'DELETE', path: '/posts/1', body: {}, status: 200 },
  { method: 'POST', path: '/profile', body: { name: 'Bob' }, status: 201 },
  { method: 'PUT', path: '/profile', body: { name: 'Bob' }, status: 200 },
  { method: 'PATCH', path: '/profile', body: { name: 'Bob' }, status: 200 },
])('$method $path waits for its write', async ({ method, path, body, status }) => {
  const order: string[] = []
  const url = await start(async () => {
    // A whole request fits into the write.
    await ask(url, { path: '/db' })
    order.push('written')
  })
  const answer = await askJson(url, { method, path, body })
  order.push('answered')
  expect([answer.status, ...order]).toEqual([status, 'written', 'answered'])
})

it.each(['PUT', 'PATCH', 'DELETE'])('%s of a missing record writes nothing', async (method) => {
  const write = jest.fn(async () => {})
  const url = await start(write)
  expect((await askJson(url, { method, path: '/posts/9', body: {} })).status).toBe(404)
  expect(write).not.toHaveBeenCalled()
})

it('the response reports the change as it was made, in the form that JSON gives it', async () => {
  const post = { id: 1, title: 'one', at: { toJSON: () => 'a moment' } }
  const posts = [post]
  const write = async () => {
    posts.push(post)
    Object.assign(Object(posts[0]), { title: 'three' })
  }
  const answer = await askJson(await start(write, { posts }), {
    method: 'PATCH',
    path: '/posts/1',
    body: { title: 'two' },
  })
  expect(json(answer)).toEqual({ id: 1, title: 'two', at: 'a moment' })
})

class User {
  id = 1
  name = 'Ada'
  password = 'lovelace'
  toJSON() {
    return { id: this.id, name: this.name }
  }
}

it('PATCH keeps the class of a singular resource, which may leave out a field', async () => {
  const url = await start(async () => {}, { me: new User() })
  const body = { name: 'Bob', password: 'marley' }
  expect(json(await askJson(url, { method: 'PATCH', path: '/me', body }))).toEqual({ id: 1, name: 'Bob' })
})

it.each(['PATCH', 'PUT'])('%s keeps the class of a record, which may leave out a field', async (method) => {
  const url = await start(async () => {}, { users: [new User()] })
  const body = { name: 'Bob', password: 'marley' }
  const shown = { id: 1, name: 'Bob' }
  expect(json(await askJson(url, { method, path: '/users/1', body }))).toEqual(shown)
  expect(json(await ask(url, { path: '/users' }))).toEqual([shown])
})

it('a write that fails makes the request fail', async () => {
  const url = await start(() => Promise.reject(new HttpError({ status: 503, message: 'Later.' })))
  const { status, headers, text } = await askJson(url, { method: 'POST', path: '/posts', body: {} })
  expect({ status, location: headers.location, body: JSON.parse(text) }).toEqual({
    status: 503,
    location: undefined,
    body: { error: 'Later.' },
  })
})

it.each([
  ['fails', () => Promise.reject(new HttpError({ status: 500, message: 'It was not saved.' }))],
  ['succeeds', () => Promise.resolve()],
])('a write that %s after a middleware has responded does not end the process', async (_title, end) => {
  const responses: ServerResponse[] = []
  const write = () => {
    for (const response of responses) response.end('too late')
    return end()
  }
  const url = await start(write, small(), (_request, response, next) => {
    responses.push(response)
    next()
  })
  const headers = { Connection: 'close' }
  await askJson(url, { method: 'POST', path: '/posts', body: {}, headers }).catch(() => {})
  responses.length = 0
  expect((await ask(url, { path: '/db' })).status).toBe(200)
})

describe('a read whose response cannot be written is 400', () => {
  const tooLarge = { error: expect.stringContaining('too large') }

  it('where a record is nested deeper than the stack', async () => {
    const nested = JSON.parse(`${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`)
    // Without spaces, Node 26 writes any depth.
    const url = await start(
      async () => {},
      { ...small(), nested },
      ({ app }, _response, next) => {
        app.set('json spaces', 2)
        next()
      },
    )
    const answer = await ask(url, { path: '/nested' })
    expect([answer.status, json(answer)]).toEqual([400, tooLarge])
    expect((await ask(url, { path: '/posts' })).status).toBe(200)
  })
})

describe('a change that cannot be answered changes nothing', () => {
  const tooLong = 'x'.repeat(2 ** 20)

  it.each([
    'POST /posts {"title": "new"}',
    'PATCH /posts/1 {"title": "new"}',
    'PUT /profile {"title": "new"}',
    'PATCH /profile {"title": "new"}',
  ])('%s, with a response longer than a string', async (line) => {
    const { stringify } = JSON
    jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      return isRecord(value) && value.title === 'new' ? tooLong.repeat(1000) : stringify(value)
    })
    const state = small()
    const write = jest.fn(async () => {})
    const answer = await ask(await start(write, state), question(line))
    jest.restoreAllMocks()
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: expect.stringContaining('too large') })
    expect(state).toEqual(small())
    expect(write).not.toHaveBeenCalled()
  })

  it('with values that JSON cannot hold', async () => {
    jest.spyOn(console, 'error').mockImplementation()
    const record = { id: 1, views: 1n }
    const state = { posts: [record] }
    const url = await start(async () => {}, state)
    expect((await askJson(url, { method: 'PATCH', path: '/posts/1', body: { a: 1 } })).status).toBe(500)
    expect(state.posts[0]).toBe(record)
    expect(record).toEqual({ id: 1, views: 1n })
    jest.restoreAllMocks()
  })

  it('in the second of two collections whose names differ in case', async () => {
    const state = (): Data => ({ posts: [{ id: 1 }], Posts: [{ id: 5 }] })
    const ours = state()
    const url = await start(async () => {}, ours)
    expect((await askJson(url, { method: 'POST', path: '/posts', body: { id: 5 } })).status).toBe(409)
    expect(ours).toEqual(state())
  })
})

describe('names', () => {
  it('that differ only in case are all changed, as in json-server', async () => {
    const state = (): Data => ({ posts: [{ id: 1 }], Posts: [{ id: 5 }], comments: [{ id: 1, postId: 1 }] })
    const [theirs, ours] = [state(), new MemoryData(state())]
    const plain = await servePlain(theirs)
    servers.push(plain)
    const url = await start(async () => {}, ours)
    for (const line of [
      'POST /POSTS {"a": 1}',
      'PATCH /posts/5 {"b": 1}',
      'PUT /Posts/1 {}',
      'POST /posts/1/Posts {}',
    ]) {
      const [expected, found] = [await ask(plain.url, question(line)), await ask(url, question(line))]
      expect([found.status, json(found)]).toEqual([expected.status, json(expected)])
    }
    expect(ours.state).toEqual(theirs)
  })

  it.each(['id=1', 'id=5', 'id=1&_page=1', 'q=nothing'])(
    'that differ only in case are all read with the query ?%s, as in json-server',
    async (query) => {
      const state = (): Data => ({ posts: [{ id: 1 }], Posts: [{ id: 5 }] })
      const plain = await servePlain(state())
      servers.push(plain)
      const url = await start(async () => {}, state())
      const path = `/posts?${query}`
      expect(json(await ask(url, { path }))).toEqual(json(await ask(plain.url, { path })))
    },
  )

  it('that differ only in case respond once to OPTIONS', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation()
    const url = await start(async () => {}, { posts: [], Posts: [] })
    const { status, text } = await ask(url, { method: 'OPTIONS', path: '/posts' })
    expect([status, text]).toEqual([200, 'GET,POST,HEAD'])
    expect((await ask(url, { path: '/posts' })).status).toBe(200)
    expect(printed).not.toHaveBeenCalled()
    jest.restoreAllMocks()
  })

  it.each(['faq?', 'a(b', 'x*', ':id', 'a|b', '(x)+'])('like "%s" are names to the letter', async (name) => {
    const { send } = await app.start({ data: { ...sampleData(), [name]: [{ id: 1, a: 'b' }] } })
    // A question mark begins the query.
    const path = `/${name.replace('?', '%3F')}`
    expect((await send('GET', `${path}/1`)).status).toBe(200)
    expect((await send('GET', '/fa')).status).toBe(404)
    expect((await send('GET', '/anything/1')).status).toBe(404)
    expect((await send('GET', '/posts/1')).status).toBe(200)
  })

  it('follow the data', async () => {
    const data = new MemoryData(sampleData())
    const { send } = await app.start({ data })
    expect((await send('GET', '/fresh/1')).status).toBe(404)
    data.replace({ ...sampleData(), fresh: [{ id: 1 }], posts: { title: 'singular' } })
    expect((await send('GET', '/fresh/1')).status).toBe(200)
    expect(json(await send('GET', '/posts'))).toEqual({ title: 'singular' })
    expect((await send('GET', '/posts/1')).status).toBe(404)
  })

  it('follow a collection that other code makes a singular resource, in place', async () => {
    const data = new MemoryData(sampleData())
    const { send } = await app.start({ data })
    expect((await send('GET', '/posts/1')).status).toBe(200)
    data.share()
    Object.assign(data.state, { posts: { title: 'singular' } })
    expect(json(await send('GET', '/posts'))).toEqual({ title: 'singular' })
    expect((await send('GET', '/posts/1')).status).toBe(404)
  })
})

describe('as Express finds it', () => {
  const lines = [
    ...[
      '/posts//1',
      '/posts//',
      '/posts///',
      '/posts//1/',
      '/posts///1',
      '/posts/1//',
      '/posts/1/',
      '//posts',
    ],
    ...[
      '/POSTS/%31',
      '/p%6Fsts/1',
      '/posts/1.0',
      '/profile//',
      '/profile/',
      '/profile/1',
      '/',
      '/nope',
      '/nope/1',
    ],
    ...[
      '/posts/1/posts',
      '/Posts/1/POSTS/',
      '/posts/1//posts',
      '/nope/1/posts',
      '/posts/1/posts%2F1',
      '/posts/1/profile',
    ],
    ...[
      '/db',
      '/DB/',
      '/db/1',
      '/db//',
      '/posts/1/db',
      '/posts/1/2/3',
      '/$schema',
      '/__proto__',
      '/constructor/1',
    ],
  ].flatMap((path) => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path })))

  it('each path leads to the same as in json-server, by each method', async () => {
    const state = () => ({ ...small(), db: [{ id: 1 }], users: sampleData().users })
    const plain = await servePlain(state())
    servers.push(plain)
    const { send } = await app.start({ data: state(), publicCollection: false })
    for (const { method, path } of lines) {
      const [theirs, ours] = [await ask(plain.url, { method, path }), await send(method, path)]
      const found = { method, path, status: ours.status, text: ours.text }
      expect(found).toEqual({ method, path, status: theirs.status, text: theirs.text })
    }
  })

  it.each([
    ['/posts', 'GET,POST,HEAD'],
    ['/posts/1', 'GET,PUT,PATCH,DELETE,HEAD'],
    ['/profile', 'GET,POST,PUT,PATCH,HEAD'],
    ['/nope/1/posts', 'GET,HEAD,POST'],
    ['/profile/1', ''],
    ['/nope', ''],
  ])('OPTIONS %s allows %j', async (path, allowed) => {
    const { status, headers, text } = await ask(await start(async () => {}), { method: 'OPTIONS', path })
    expect([status, headers.allow, text]).toEqual(allowed ? [200, allowed, allowed] : [404, undefined, '{}'])
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s of a malformed id is 400',
    async (method) => {
      const url = await start(async () => {})
      for (const [path, status] of [
        ['/posts/%ZZ', 400],
        ['/a/b/%ZZ', 400],
        ['/nope/%ZZ', 404],
        ['/profile/%ZZ', 404],
      ] as const)
        expect([path, (await ask(url, { method, path })).status]).toEqual([path, status])
    },
  )
})

test('/db leaves out what other code has put into the data and JSON cannot hold', async () => {
  const data = new MemoryData(sampleData())
  const { send } = await app.start({ data })
  data.share()
  Object.assign(data.state, { nothing: undefined })
  expect((await send('GET', '/db')).text).toBe(JSON.stringify(sampleData(), null, 2))
})

describe('a resource that a middleware has added to the response of /db', () => {
  const add: RequestHandler = (_request, response, next) => {
    const jsonp = response.jsonp.bind(response)
    response.jsonp = (body: unknown) => {
      if (isRecord(body) && 'posts' in body) body.generatedAt = 5
      return jsonp(body)
    }
    next()
  }

  it('is sent, and does not become one', async () => {
    const { send } = await app.start({ data: sampleData(), middlewares: [add] })
    for (let round = 0; round < 2; round += 1) {
      expect(json(await send('GET', '/db'))).toMatchObject({ generatedAt: 5, posts: [{ id: 1 }, { id: 2 }] })
      expect((await send('GET', '/posts')).status).toBe(200)
      expect((await send('POST', '/comments', {})).status).toBe(201)
      expect((await send('GET', '/generatedAt')).status).toBe(404)
    }
  })
})
