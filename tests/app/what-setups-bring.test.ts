import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { RequestHandler } from 'express'
import { loadMiddlewares } from '../../lib/cli/user-files'
import { DataFile } from '../../lib/data/data-file'
import type { Data } from '../../lib/data/valid-data'
import { type AppOptions, createApp } from '../../server'
import { serveApp } from '../support/app'
import { sampleData, tempFolders } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  json,
  logIn,
  question,
  serve,
  type TestServer,
  until,
  withHeaders,
} from '../support/http'
import { type ReferenceOptions, servePlain } from '../support/json-server'

/** Rules, middlewares and names that people bring from json-server. Each test is named after what they bring. */

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Send = (line: string, headers?: Record<string, string>) => Promise<Answer>

async function start(options: Partial<AppOptions> = {}, data: Data = sampleData()): Promise<Send> {
  const server = await serveApp({ data, allow: 'all', ...options })
  servers.push(server)
  return (line, headers = {}) => ask(server.url, withHeaders(question(line), headers))
}

async function startPlain(options: ReferenceOptions = {}, data: Data = sampleData()): Promise<Send> {
  const server = await servePlain(data, options)
  servers.push(server)
  return (line, headers = {}) => ask(server.url, withHeaders(question(line), headers))
}

describe('rules', () => {
  const WHERE = '/:list\\?where=%7B%22title%22%3A%22:title%22%7D&*'

  it.each([
    [{ [WHERE]: '/:list?title_like=:title' }, '/posts?where=%7B%22title%22%3A%22Hel%22%7D&x=1', 'Hello'],
    [{ '/*/*/*/*/*/*': '/$1' }, '/posts/2/3/4/5/6', 'Hello'],
    [{ '/*/*/x': '/$1/$2' }, '/posts/1/x', 'Hello'],
    [{ '/:a*/-/:b*': '/:a/:b' }, '/posts/-/1', 'Hello'],
    [{ '/:a(.*)-:b(.*)-z': '/:a/:b' }, '/posts-1-z', 'Hello'],
    [{ '/v1:rest*': '/:rest' }, '/v1posts', 'Hello'],
  ])('%j is taken, as there', async (routes, path, found) => {
    const [ours, plain] = [await start({ routes }), await startPlain({ routes })]
    const [answer, expected] = [await ours(`GET ${path}`), await plain(`GET ${path}`)]
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(expected.text)
    expect(answer.text).toContain(found)
  })

  it('a path that takes a rule long holds the process for a moment, and ends nothing', async () => {
    const send = await start({ routes: { '/v1:rest*': '/:rest' } })
    const long = Array.from({ length: 2 }, () => send(`GET /v1${'a'.repeat(5000)}//`))
    expect((await send('GET /posts/1')).status).toBe(200)
    for (const { status, text } of await Promise.all(long)) {
      expect(status).toBe(414)
      expect(text).toContain('/v1:rest*')
    }
    expect((await send('GET /v1posts')).status).toBe(200)
  })
})

describe('a rule without *, and a request with a query', () => {
  const routes = {
    '/newest': '/posts?_sort=id&_order=desc',
    '/articles': '/posts',
    '/articles/:id': '/posts/:id',
    '/one/:id/notes': '/comments?postId=:id',
    '/one/:id/comments': '/posts/:id',
    '/posts/special': '/comments',
    '/first': '/second',
    '/second': '/posts',
    '/same': '/same',
    '/auth/other': '/posts',
    '/auth/me': '/posts',
    '/db': '/posts',
    '/': '/posts',
  }

  it.each([
    ['/articles?title=World', '/posts?title=World'],
    ['/articles?_page=1&_limit=1', '/posts?_page=1&_limit=1'],
    ['/articles?id[]=1&x=a?b', '/posts?id[]=1&x=a?b'],
    ['/articles?', '/posts?'],
    ['/articles/1?_embed=comments', '/posts/1?_embed=comments'],
    ['/newest?_limit=1', '/posts?_sort=id&_order=desc&_limit=1'],
    ['/one/1/notes?id=2', '/comments?postId=1&id=2'],
    ['/first?title=World', '/posts?title=World'],
    ['/auth/other?title=World', '/posts?title=World'],
  ])('%s is %s', async (path, meant) => {
    const send = await start({ routes })
    const [answer, expected] = [await send(`GET ${path}`), await send(`GET ${meant}`)]
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(expected.text)
    expect(answer.headers.link).toBe(expected.headers.link)
  })

  it.each([
    '/same?x=1',
    '/nothing?x=1',
    '/posts/special?x=1',
    '/auth/me?x=1',
    '/db?x=1',
    '/one/1/comments?x=1',
    '/one/1/comments/?x=1',
    '/?x=1',
    '/articles/1/2?x=1',
  ])('%s is as there, because something else responds, or no rule matches', async (path) => {
    const rules = { ...routes, '/nothing/:x': '/posts' }
    const [ours, without] = [await start({ routes: rules }), await start()]
    const [answer, expected] = [await ours(`GET ${path}`), await without(`GET ${path}`)]
    expect(answer.status).toBe(expected.status)
    expect(answer.text).toBe(expected.text)
  })

  it('where middlewares may read the path, it is as there', async () => {
    const middlewares: AppOptions['middlewares'] = [(request, response) => response.send(request.url)]
    const [ours, plain] = [await start({ routes, middlewares }), await startPlain({ routes, middlewares })]
    for (const path of ['/articles?title=World', '/articles'])
      expect((await ours(`GET ${path}`)).text).toBe((await plain(`GET ${path}`)).text)
  })

  it('every check sees the new path', async () => {
    const server = await serveApp({
      data: sampleData(),
      routes,
      allow: ['GET /posts', 'GET /newest'],
      readOnly: true,
    })
    servers.push(server)
    const statusOf = async (method: string, path: string) => (await ask(server.url, { method, path })).status
    expect(await statusOf('GET', '/articles?title=World')).toBe(200)
    expect(await statusOf('GET', '/one/1/notes?id=1')).toBe(401)
    expect(await statusOf('POST', '/articles?x=1')).toBe(401)
    expect(await statusOf('GET', '/newest?_embed=comments')).toBe(401)
  })
})

describe('names such as x+y, a:b, näme, my list', () => {
  const NAMES = ['x+y', 'a:b', 'näme', 'my list', '日本', 'faq?', '50%', 'a#b', 'a(b)', "it's"]

  it.each(NAMES)('%s is found, encoded by every client in its way', async (name) => {
    const data = { [name]: [{ id: 1, userId: 1 }], users: [{ id: 1 }] }
    const send = await start({}, data)
    const encoded = encodeURIComponent(name)
    const spellings = [
      encoded,
      encoded.toLowerCase(),
      new URL(`http://localhost/${encoded}`).pathname.slice(1),
    ]
    for (const spelling of spellings) {
      expect(json(await send(`GET /${spelling}`))).toEqual([{ id: 1, userId: 1 }])
      expect(json(await send(`GET /${spelling}/1`))).toEqual({ id: 1, userId: 1 })
      expect(json(await send(`GET /${spelling}?_page=1&_expand=user`))).toEqual([
        { id: 1, userId: 1, user: { id: 1 } },
      ])
    }
    const created = await send(`POST /${encoded} {"userId": 2}`)
    expect([created.status, created.headers.location]).toEqual([201, expect.stringMatching(/\/2$/)])
    expect((await send(`GET ${new URL(created.headers.location ?? '').pathname}`)).status).toBe(200)
    expect((await send(`PATCH /${encoded}/2 {"userId": 1}`)).status).toBe(200)
    expect((await send(`DELETE /${encoded}/2`)).status).toBe(200)
  })

  it('is found as it is, where a request can hold it', async () => {
    const send = await start({}, { 'a:b': [{ id: 1 }], 'x+y': [{ id: 2 }] })
    expect(json(await send('GET /a:b/1'))).toEqual({ id: 1 })
    expect(json(await send('GET /x+y'))).toEqual([{ id: 2 }])
  })

  it('is found through a record', async () => {
    const send = await start(
      {},
      { users: [{ id: 1 }], näme: [{ id: 1, userId: 1 }], 'x+y': [{ id: 2, userId: 1 }] },
    )
    expect(json(await send('GET /users/1/n%C3%A4me'))).toEqual([{ id: 1, userId: 1 }])
    expect(json(await send('GET /users/1/x%2By'))).toEqual([{ id: 2, userId: 1 }])
  })

  it('an ordinary name is found by no other spelling, as there', async () => {
    const [ours, plain] = [await start(), await startPlain()]
    for (const path of ['/p%6Fsts', '/%70osts/1', '/posts%20', '/%E0%A4%A', '/nope%2By'])
      expect([path, (await ours(`GET ${path}`)).status]).toEqual([
        path,
        (await plain(`GET ${path}`)).status === 404 ? 404 : 400,
      ])
  })

  it('a rule of --allow opens no other spelling', async () => {
    const data = { ...sampleData(), 'my list': [{ id: 1 }] }
    const server = await serveApp({ data, allow: ['GET /posts', 'GET /my'] })
    servers.push(server)
    for (const path of ['/my%20list', '/my%20list/1', '/p%6Fsts'])
      expect((await ask(server.url, { path })).status).toBe(401)
    const headers = authorized(await logIn(server.url))
    expect((await ask(server.url, { path: '/my%20list', headers })).status).toBe(200)
  })
})

describe('a middleware that streams: res.write(...); res.flush()', () => {
  /** What the types of Express do not know of a response that may be compressed. */
  function flush(response: object): void {
    Reflect.apply(Reflect.get(response, 'flush'), response, [])
  }

  const middlewares: AppOptions['middlewares'] = [
    (request, response, next) => {
      if (request.path !== '/stream') return next()
      response.type('text/plain').write('one ')
      flush(response)
      setTimeout(() => {
        response.write('two')
        flush(response)
        response.end()
      })
    },
  ]

  it.each<Record<string, string>>([{}, { 'Accept-Encoding': 'identity' }])(
    'is there with the headers %j, in a timer, too',
    async (headers) => {
      const [ours, plain] = [await start({ middlewares }), await startPlain({ middlewares })]
      const [answer, expected] = [await ours('GET /stream', headers), await plain('GET /stream', headers)]
      expect(answer).toMatchObject({ status: 200, text: 'one two' })
      expect(answer.text).toBe(expected.text)
      expect(answer.headers.vary).toContain('Accept-Encoding')
    },
  )

  it('is that of the library where the response is compressed', async () => {
    const ours = await start({ middlewares })
    const { headers, bytes } = await ours('GET /stream', { 'Accept-Encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(bytes).toString()).toBe('one two')
  })
})

/** The database that a middleware has. */
interface GivenDatabase {
  _: { mixin(functions: object): void; createId: unknown }
  write: unknown
  getState(): Data
  get(name: string): { push(record: object): { write(): unknown } }
}

function databaseOf(owner: object): GivenDatabase {
  return Reflect.get(owner, 'db')
}

/** A middleware that does something once with the database. */
function onceWith(act: (database: GivenDatabase) => void): AppOptions['middlewares'] {
  let isDone = false
  return [
    ({ app }, _response, next) => {
      if (!isDone) act(databaseOf(app))
      isDone = true
      next()
    },
  ]
}

describe('createId', () => {
  /** Makes other ids than json-server. */
  function numbered(): () => string {
    let last = 0
    return () => `id-${++last}`
  }

  it.each([
    [
      "req.app.db._.mixin({ createId: () => 'id-1' })",
      ({ _ }: GivenDatabase) => _.mixin({ createId: numbered() }),
    ],
    ['_.createId = ...', ({ _ }: GivenDatabase) => Object.assign(_, { createId: numbered() })],
  ])('%s is used, as there', async (_what, act) => {
    const [ours, plain] = [
      await start({ middlewares: onceWith(act) }),
      await startPlain({ middlewares: onceWith(act) }),
    ]
    for (const line of [
      'POST /posts {"title": "a"}',
      'POST /comments {}',
      'POST /posts/1/comments {}',
      'POST /posts {"id": 9}',
      'GET /db',
    ])
      expect((await ours(line)).text).toBe((await plain(line)).text)
  })

  it('is given the collection and the record, and the copy of lodash as its `this`', async () => {
    const given: unknown[] = []
    function createId(this: GivenDatabase['_'], ...parameters: unknown[]): string {
      given.push(this.createId === createId, ...structuredClone(parameters))
      return 'made'
    }
    const send = await start(
      { middlewares: onceWith(({ _ }) => _.mixin({ createId })) },
      { tags: [{ id: 'a' }] },
    )
    expect(json(await send('POST /tags {"label": "x"}'))).toEqual({ label: 'x', id: 'made' })
    expect(given).toEqual([true, [{ id: 'a' }], { label: 'x' }])
  })

  it.each([
    [() => 'a', 409],
    [() => ({}), 400],
    [() => undefined, 201],
    [() => Promise.resolve('b'), 400],
  ])('what %s makes gets %i, and the data stays whole', async (createId, status) => {
    const send = await start(
      { middlewares: onceWith(({ _ }) => _.mixin({ createId })) },
      { tags: [{ id: 'a' }] },
    )
    expect((await send('POST /tags {}')).status).toBe(status)
    expect((await send('GET /tags/a')).status).toBe(200)
  })
})

describe('req.app.db.write = () => Promise.resolve()', () => {
  const newFolder = tempFolders()
  const closing: DataFile[] = []
  afterEach(async () => {
    for (const data of closing.splice(0)) await data.close()
  })

  async function open(act: (database: GivenDatabase) => void) {
    const file = path.join(await newFolder(), 'db.json')
    await writeFile(file, JSON.stringify(sampleData()))
    const data = DataFile.open(file)
    closing.push(data)
    const server = await serveApp({ data, allow: 'all', middlewares: onceWith(act) })
    servers.push(server)
    const send: Send = (line) => ask(server.url, question(line))
    return { send, data, saved: () => JSON.parse(readFileSync(file, 'utf8')) }
  }

  it('is used, so that nothing is saved', async () => {
    const { send, data, saved } = await open((database) =>
      Object.assign(database, { write: () => Promise.resolve() }),
    )
    expect((await send('POST /posts {"title": "new"}')).status).toBe(201)
    expect((await send('PATCH /posts/1 {"title": "changed"}')).status).toBe(200)
    expect((await send('DELETE /posts/2')).status).toBe(200)
    expect(json(await send('GET /posts'))).toEqual([
      expect.objectContaining({ id: 1, title: 'changed' }),
      { title: 'new', id: 3 },
    ])
    await data.close()
    expect(saved()).toEqual(sampleData())
  })

  it('one that calls the other saves as before', async () => {
    const calls: unknown[] = []
    const { send, saved } = await open((database) => {
      const { write } = database
      const logged = (...parameters: unknown[]) => {
        calls.push(parameters)
        return typeof write === 'function' ? Reflect.apply(write, database, parameters) : undefined
      }
      Object.assign(database, { write: logged })
    })
    expect((await send('POST /posts {"title": "new"}')).status).toBe(201)
    expect(calls).toEqual([[]])
    expect(saved().posts).toContainEqual({ title: 'new', id: 3 })
  })

  it('one that fails is an error, and ends nothing', async () => {
    const console = jest.spyOn(globalThis.console, 'error').mockImplementation(() => {})
    const fail = () => {
      throw new Error('no disk')
    }
    const { send } = await open((database) => Object.assign(database, { write: fail }))
    expect((await send('POST /posts {}')).status).toBe(500)
    expect((await send('GET /posts/1')).status).toBe(200)
    expect(console).toHaveBeenCalled()
    console.mockRestore()
  })
})

describe("a middleware that sets req.headers['x-http-method-override']", () => {
  /** Some clients can only send GET and POST, and say the method in their own way. */
  const middlewares: AppOptions['middlewares'] = [
    (request, _response, next) => {
      if (typeof request.query._method === 'string')
        request.headers['x-http-method-override'] = request.query._method
      if (typeof request.query._is === 'string') request.method = request.query._is
      next()
    },
  ]

  it('is followed, as there', async () => {
    const [ours, plain] = [await start({ middlewares }), await startPlain({ middlewares })]
    for (const line of [
      'POST /posts/1?_method=PATCH {"title": "changed"}',
      'POST /posts/2?_method=put {"title": "replaced"}',
      'POST /comments/1?_method=DELETE',
      'POST /posts?_method=GET',
      'POST /posts?_method=BREW {"title": "added"}',
      'GET /posts/1?_method=DELETE',
      'PUT /posts/1?_method=DELETE {"title": "put"}',
      'GET /db',
    ]) {
      const [answer, expected] = [await ours(line), await plain(line)]
      expect({ line, status: answer.status, text: answer.text }).toEqual({
        line,
        status: expected.status,
        text: expected.text,
      })
      expect(answer.headers.vary?.includes('X-HTTP-Method-Override')).toBe(
        expected.headers.vary?.includes('X-HTTP-Method-Override'),
      )
    }
  })

  it('--read-only looks at the method that runs', async () => {
    const send = await start({ middlewares, readOnly: true })
    for (const line of ['POST /posts/1?_method=DELETE', 'GET /posts/1?_is=DELETE', 'POST /posts?_method=GET'])
      expect([line, (await send(line)).status]).toEqual([line, 403])
    expect((await send('GET /posts/1?_method=DELETE')).status).toBe(200)
  })

  it('the access check looks at the method that runs', async () => {
    const allow = ['POST /posts', 'POST /posts/:id', 'GET /posts/:id']
    const server = await serveApp({ data: sampleData(), middlewares, allow })
    servers.push(server)
    const statusOf = async (line: string) => (await ask(server.url, question(line))).status
    expect(await statusOf('POST /posts/1?_method=DELETE')).toBe(401)
    expect(await statusOf('POST /posts/1?_method=PATCH {}')).toBe(401)
    expect(await statusOf('GET /posts/1?_is=DELETE')).toBe(401)
    expect(await statusOf('POST /posts {}')).toBe(201)
    expect(await statusOf('GET /posts/1')).toBe(200)
  })
})

describe('an error middleware (four arguments), and a malformed body', () => {
  const newFolder = tempFolders()

  /** Servers with a file of middlewares, as the command line loads it. */
  async function withFile(
    text: string,
    options: Partial<AppOptions> = {},
  ): Promise<{ ours: Send; plain: Send }> {
    const file = path.join(await newFolder(), 'middlewares.cjs')
    await writeFile(file, text)
    const own = Object.assign({ ...options }, { middlewares: loadMiddlewares([file]) })
    return {
      ours: await start(own),
      plain: await startPlain({ middlewares: [require(file)].flat(), bodyParser: true }),
    }
  }

  const TAKES = `module.exports = (error, req, res, next) =>
    res.status(error.status).json({ type: error.type, status: error.status })`

  it.each<{ what: string; line: string; headers?: Record<string, string> }>([
    { what: 'JSON that ends too early', line: 'POST /posts {' },
    { what: 'a text', line: 'POST /posts "text"' },
    { what: 'a PUT', line: 'PUT /posts/1 {' },
    {
      what: 'another charset',
      line: 'POST /posts {"a": 1}',
      headers: { 'Content-Type': 'application/json; charset=latin1' },
    },
    { what: 'another encoding', line: 'POST /posts {"a": 1}', headers: { 'Content-Encoding': 'br2' } },
    { what: 'JSON over 10 MB', line: `POST /posts {}${' '.repeat(11_000_000)}` },
    { what: 'a form over 100 kB', line: `POST /posts a=${'x'.repeat(110_000)}` },
    {
      what: 'a form of too many fields',
      line: `POST /posts ${Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&')}`,
    },
  ])('it gets the error first, with type and status, as there: $what', async ({ line, headers }) => {
    const { ours, plain } = await withFile(TAKES)
    const [answer, expected] = [await ours(line, headers), await plain(line, headers)]
    expect(json(answer)).toEqual(json(expected))
    expect(json(answer)).toMatchObject({ type: expect.any(String), status: expect.any(Number) })
    expect(answer.status).toBe(expected.status)
    expect((await ours('GET /posts/1')).status).toBe(200)
  })

  it('what nobody takes is answered as without one', async () => {
    const { ours: without } = await withFile('module.exports = []')
    for (const text of [
      'module.exports = (req, res, next) => next()',
      'module.exports = (error, req, res, next) => next(error)',
      '// The middlewares before it do not see the request.\n' +
        'module.exports = [(req, res) => res.send("no"), (error, req, res, next) => next(error)]',
    ]) {
      const { ours } = await withFile(text)
      const [answer, expected] = [await ours('POST /posts {'), await without('POST /posts {')]
      expect(answer.status).toBe(400)
      expect(answer.text).toBe(expected.text)
    }
  })

  it('it gets no other error of ours', async () => {
    const { ours } = await withFile(TAKES, { allow: ['GET /posts'], readOnly: true })
    expect((await ours('GET /users')).text).toBe('"Unauthorized"')
    expect((await ours('GET /posts')).status).toBe(200)
    expect(json(await ours('GET /posts?q[a]=b'))).toEqual({ error: expect.any(String) })
  })
})

describe('application/merge-patch+json, application/vnd.api+json', () => {
  it.each(['application/merge-patch+json', 'application/vnd.api+json; charset=utf-8'])(
    '%s is read as JSON',
    async (type) => {
      const send = await start()
      const headers = { 'Content-Type': type }
      const patched = await send('PATCH /posts/1 {"title": null}', headers)
      // json-server knows nothing of formats: a null is stored, and no record is unwrapped.
      expect([patched.status, json(patched)]).toEqual([
        200,
        expect.objectContaining({ id: 1, title: null, views: 100 }),
      ])
      const added = await send('POST /posts {"data": {"type": "posts"}}', headers)
      expect([added.status, json(added)]).toEqual([201, { data: { type: 'posts' }, id: 3 }])
      expect((await send('POST /posts {', headers)).status).toBe(400)
    },
  )

  it.each(['application/xml', 'application/json-patch+json', 'application/jsonp'])(
    '%s is still refused',
    async (type) => {
      const send = await start()
      expect((await send('POST /posts {}', { 'Content-Type': type })).status).toBe(415)
    },
  )
})

describe('?views_gt=3, _lt', () => {
  const data = { posts: [1, 2, 3, 4, '10', null].map((views, index) => ({ id: index + 1, views })) }
  const idsOf = async (send: Send, query: string) => {
    const { text } = await send(`GET /posts?${query}`)
    return Array.from(text.matchAll(/"id": (\d+)/g), ([, id]) => Number(id))
  }

  it.each([
    ['views_gt=3', 'views_gte=3', '3'],
    ['views_lt=3', 'views_lte=3', '3'],
    ['views_gt=1', 'views_gte=1', '1'],
    ['views_lt=4', 'views_lte=4', '4'],
  ])('%s finds what there %s finds, but the value itself', async (query, inclusive, value) => {
    const [ours, plain] = [await start({}, data), await startPlain({}, structuredClone(data))]
    const equal = await idsOf(plain, `views=${value}`)
    const expected = (await idsOf(plain, inclusive)).filter((id) => !equal.includes(id))
    expect(await idsOf(ours, query)).toEqual(expected)
  })

  it('is an ordinary field where a record has it', async () => {
    const odd = {
      posts: [
        { id: 1, views: 1, views_gt: 5 },
        { id: 2, views: 9 },
      ],
    }
    const [ours, plain] = [await start({}, odd), await startPlain({}, structuredClone(odd))]
    for (const query of ['views_gt=5', 'views_gt=3', 'views_gt_gte=5'])
      expect(await idsOf(ours, query)).toEqual(await idsOf(plain, query))
  })

  it('?d_is=null&d_is=set: both must hold', async () => {
    expect(await idsOf(await start({}, data), 'views_is=null&views_is=set')).toEqual([])
    expect(await idsOf(await start({}, data), 'views_is=null&views_is=null')).toEqual([6])
  })
})

describe('?author[name]=x, ?id[0]=1 on a list', () => {
  // docs/json-server.md says what json-server gives, which finds no record.
  it('there: 200 with [], here: 400, and a list of values is one', async () => {
    const [ours, plain] = [await start(), await startPlain()]
    expect(json(await plain('GET /posts?author[name]=typicode'))).toEqual([])
    expect((await ours('GET /posts?author[name]=typicode')).status).toBe(400)
    for (const query of ['id[0]=1', 'id[]=1&id[]=2'])
      expect((await ours(`GET /posts?${query}`)).text).toBe((await plain(`GET /posts?${query}`)).text)
  })
})

describe('?tags=b over lists, of which one is ["b"]', () => {
  it('is as there, and the log names tags_has=b also where something was found', async () => {
    const data = {
      posts: [
        { id: 1, tags: ['a', 'b'] },
        { id: 2, tags: ['b'] },
      ],
    }
    const lines: string[] = []
    const write = jest
      .spyOn(process.stdout, 'write')
      .mockImplementation((line) => lines.push(String(line)) > 0)
    const [ours, plain] = [await start({ log: true }, data), await startPlain({}, structuredClone(data))]
    expect((await ours('GET /posts?tags=b')).text).toBe((await plain('GET /posts?tags=b')).text)
    await until(() => lines.length > 0)
    write.mockRestore()
    expect(lines.join('')).toContain('tags_has=')
  })
})

describe('the program changes `data` after `createApp({ data })`; a timer of a middleware changes a record in place', () => {
  // docs/json-server.md says so.
  it('the object that was given is not looked at again', async () => {
    const data = sampleData()
    const server = await serve(createApp({ data, allow: 'all', log: false }))
    servers.push(server)
    Object(data.posts).push({ id: 'pushed' })
    expect((await ask(server.url, { path: '/posts/pushed' })).status).toBe(404)
  })

  it('a record that a middleware keeps is the stored one until a request changes it', async () => {
    let kept: Record<string, unknown> | undefined
    const keep: RequestHandler = ({ app }, _response, next) => {
      kept ??= Object(databaseOf(app).getState().posts)[0]
      next()
    }
    const send = await start({ middlewares: [keep] })
    await send('GET /posts')
    Object.assign(kept ?? {}, { title: 'by hand' })
    expect(json(await send('GET /posts/1'))).toMatchObject({ title: 'by hand' })
    await send('PATCH /posts/1 {"views": 0}')
    Object.assign(kept ?? {}, { title: 'not seen' })
    expect(json(await send('GET /posts/1'))).toMatchObject({ title: 'by hand', views: 0 })
  })
})
