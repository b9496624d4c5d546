import type { Data } from '../../lib/data/valid-data'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  json,
  logIn,
  question,
  type TestServer,
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
    const long = Array.from({ length: 5 }, () => send(`GET /v1${'a'.repeat(5000)}//`))
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
    '/one/:id/comments': '/comments?postId=:id',
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
    ['/one/1/comments?id=2', '/comments?postId=1&id=2'],
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
    expect(await statusOf('GET', '/one/1/comments?id=1')).toBe(401)
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
