import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { DataFile } from '../../lib/data/data-file'
import { MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { createApp } from '../../server'
import { servePlain } from '../support/app'
import { makeFolder, sampleData } from '../support/data'
import { ask, authorized, json, logIn, question, serve, type TestServer, withHeaders } from '../support/http'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function closed(server: TestServer): TestServer {
  closing.push(() => server.close())
  return server
}

/** Changes every post, comment and profile in what is sent, as one that hides passwords does. */
const change: RequestHandler = (_request, response, next) => {
  const jsonp = response.jsonp.bind(response)
  response.jsonp = (body: unknown) => {
    changeIn(body)
    return jsonp(body)
  }
  next()
}

function changeIn(value: unknown): void {
  if (Array.isArray(value)) value.forEach(changeIn)
  else if (isRecord(value)) {
    Object.values(value).forEach(changeIn)
    if ('views' in value) value.views = 1000 - Number(value.views)
    if ('body' in value) Object.assign(value, { mark: `of ${value.body}` })
    if (value.name === 'typicode') value.name = 'changed'
  }
}

const FILLS_CACHES = [
  'GET /posts?_sort=views',
  'GET /comments?mark=x',
  'GET /comments?_sort=body&_order=desc',
  'GET /posts/1',
]
const LOOKS = [
  'GET /posts?_sort=views',
  'GET /comments?mark=of%20nice',
  'GET /comments?_sort=mark&_order=desc',
  'GET /profile',
  'GET /db',
]

test.each([
  'GET /db',
  'GET /DB/',
  'GET /posts?_embed=comments',
  'GET /comments/1?_expand=post',
  'GET /profile',
])('a change by a middleware to the response to %s has the same effects as in json-server', async (line) => {
  const data = () => ({ ...sampleData(), blogs: [] })
  const plain = closed(await servePlain(data(), { middlewares: [change] }))
  const source = new MemoryData(data(), { isShared: false })
  const ours = closed(await serve(createApp({ data: source, middlewares: [change], log: false })))
  const headers = authorized(await logIn(ours.url))
  for (const asked of [...FILLS_CACHES, line, ...LOOKS]) {
    const theirs = await ask(plain.url, question(asked))
    const own = await ask(ours.url, withHeaders(question(asked), headers))
    expect({ asked, body: json(own) }).toEqual({ asked, body: json(theirs) })
  }
})

test('a change by a middleware is saved with the next change', async () => {
  const file = path.join(await makeFolder(), 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const source = DataFile.open(file)
  closing.push(() => source.close())
  const ours = closed(await serve(createApp({ data: source, middlewares: [change], log: false })))
  const headers = authorized(await logIn(ours.url))
  // The text of all records is known then.
  await ask(ours.url, { ...withHeaders(question('POST /tags {"label": "one"}'), headers) })
  await ask(ours.url, { path: '/db', headers })
  await ask(ours.url, { ...withHeaders(question('POST /tags {"label": "two"}'), headers) })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    posts: [{ views: 900 }, { views: 800 }],
    comments: [{ mark: 'of nice' }, { mark: 'of great' }, { mark: 'of meh' }],
    profile: { name: 'changed' },
  })
})

test.each<[string, RequestHandler[]]>([
  ['without middlewares', []],
  ['with one that changes no response', [(_request, _response, next) => next()]],
])('%s, GET /db does not slow the data down', async (_title, middlewares) => {
  const source = new MemoryData(sampleData(), { isShared: false })
  const ours = closed(await serve(createApp({ data: source, middlewares, log: false })))
  const headers = authorized(await logIn(ours.url))
  for (const asked of ['/db', '/posts?_embed=comments']) await ask(ours.url, { path: asked, headers })
  expect(source.isShared).toBe(false)
})

test('neither does a middleware that sees only copies', async () => {
  const source = new MemoryData(sampleData(), { isShared: false })
  const ours = closed(await serve(createApp({ data: source, middlewares: [change], log: false })))
  const headers = authorized(await logIn(ours.url))
  for (const asked of ['/posts', '/posts/1', '/posts?_sort=views', '/profile'])
    await ask(ours.url, { path: asked, headers })
  expect(source.isShared).toBe(false)
})
