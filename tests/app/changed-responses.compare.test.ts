import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler, Response } from 'express'
import { DataFile } from '../../lib/data/data-file'
import { MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { createApp } from '../../server'
import { frozen, makeFolder, sampleData } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  logIn,
  question,
  serve,
  type TestServer,
  withHeaders,
} from '../support/http'
import { servePlain } from '../support/json-server'

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

const LOOKS = [
  'GET /posts?_sort=views',
  'GET /comments?_sort=body&_order=desc',
  'GET /posts/1',
  'GET /profile',
  'GET /db',
]

test.each([
  'GET /db',
  'GET /DB/',
  'GET /posts',
  'GET /posts/1?callback=show',
  'GET /posts?_embed=comments',
  'GET /comments/1?_expand=post',
  'GET /profile',
])(
  'a change by a middleware to the response to %s is sent as by json-server, and not stored',
  async (line) => {
    const data = () => ({ ...sampleData(), blogs: [] })
    const plain = closed(await servePlain(data(), { middlewares: [change] }))
    const source = new MemoryData(data())
    const ours = closed(await serve(createApp({ data: source, middlewares: [change], log: false })))
    const headers = authorized(await logIn(ours.url))
    const own = await ask(ours.url, withHeaders(question(line), headers))
    expect(own.text).toBe((await ask(plain.url, question(line))).text)
    expect(source.state).toEqual(data())
    for (const asked of LOOKS) {
      const theirs = await servePlain(data(), { middlewares: [change] })
      const { text } = await ask(ours.url, withHeaders(question(asked), headers))
      expect({ asked, text }).toEqual({ asked, text: (await ask(theirs.url, question(asked))).text })
      await theirs.close()
    }
  },
)

/** A step that gets what is sent in a way of its own, and changes it. */
const ways: [way: string, step: RequestHandler][] = [
  [
    'a JSON replacer',
    ({ app }, _response, next) => {
      app.set('json replacer', (_key: string, value: unknown) => {
        if (isRecord(value) && 'title' in value) value.title = 'changed'
        return value
      })
      next()
    },
  ],
  [
    'an accessor in `response.locals`',
    (_request, { locals }, next) => {
      let data: unknown
      Object.defineProperty(locals, 'data', {
        get: () => data,
        set: (given: unknown) => {
          changeIn(given)
          data = given
        },
      })
      next()
    },
  ],
  [
    'what `response.locals` holds when the response is sent',
    (_request, response, next) => {
      const jsonp = response.jsonp.bind(response)
      response.jsonp = (body: unknown) => {
        changeIn(response.locals.data)
        return jsonp(body)
      }
      next()
    },
  ],
  [
    'another `response.send`, which gets a text',
    (_request, response, next) => {
      const send = response.send.bind(response)
      response.send = (body: unknown) =>
        send(typeof body === 'string' ? body.replaceAll('"id"', '"key"') : body)
      next()
    },
  ],
]

describe.each(ways)('a change by %s', (_way, step) => {
  test.each([
    'GET /posts',
    'GET /posts?_page=1',
    'GET /posts/1',
    'GET /comments/1?_expand=post',
    'GET /profile',
  ])('to the response to %s is sent as by json-server, and not stored', async (line) => {
    const data = frozen({ ...sampleData(), blogs: [] })
    const plain = closed(await servePlain(structuredClone(data), { middlewares: [step] }))
    const source = new MemoryData(data, { isOwn: true })
    const ours = closed(await serve(createApp({ data: source, middlewares: [step], log: false })))
    const headers = authorized(await logIn(ours.url))
    const own = await ask(ours.url, withHeaders(question(line), headers))
    expect([own.status, own.text]).toEqual([200, (await ask(plain.url, question(line))).text])
  })
})

test.each([
  ['a status', (response: Response) => response.status(204)],
  ['a content type', (response: Response) => response.type('application/hal+json')],
  ['an ETag', (response: Response) => response.set('ETag', '"mine"')],
  ['no ETag', ({ app }: Response) => app.disable('etag')],
  ['escaped JSON', ({ app }: Response) => app.enable('json escape')],
  ['other spaces', ({ app }: Response) => app.set('json spaces', 0)],
  ['another name of the callback', ({ app }: Response) => app.set('jsonp callback name', 'cb')],
])('a middleware that sets %s gets the response of json-server', async (_title, set) => {
  const step: RequestHandler = (_request, response, next) => {
    set(response)
    next()
  }
  const data = () => ({ ...sampleData(), posts: [{ id: 1, title: '<b>' }] })
  const plain = closed(await servePlain(data(), { middlewares: [step] }))
  const ours = closed(await serve(createApp({ data: data(), middlewares: [step], log: false })))
  const headers = authorized(await logIn(ours.url))
  for (const line of [
    'GET /posts',
    'GET /posts/1?cb=show',
    'GET /posts?callback=show',
    'PUT /profile {"a": "<"}',
  ]) {
    const [theirs, own] = [
      await ask(plain.url, question(line)),
      await ask(ours.url, withHeaders(question(line), headers)),
    ]
    const shown = ({ status, text, headers: sent }: Answer) => [
      line,
      status,
      text,
      sent['content-type'],
      sent.etag,
    ]
    expect(shown(own)).toEqual(shown(theirs))
  }
})

test('a middleware that changes what is sent changes nothing in the file', async () => {
  const file = path.join(await makeFolder(), 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const source = DataFile.open(file)
  closing.push(() => source.close())
  const ours = closed(await serve(createApp({ data: source, middlewares: [change], log: false })))
  const headers = authorized(await logIn(ours.url))
  await ask(ours.url, { path: '/db', headers })
  await ask(ours.url, { ...withHeaders(question('POST /tags {"label": "one"}'), headers) })
  const { tags, ...others } = JSON.parse(await readFile(file, 'utf8'))
  expect(tags).toContainEqual(expect.objectContaining({ label: 'one' }))
  expect(others).toEqual({ ...sampleData(), tags: undefined })
})

test.each<[string, RequestHandler[]]>([
  ['without middlewares', []],
  ['with one that changes no response', [(_request, _response, next) => next()]],
  ['with one that changes what is sent', [change]],
])('%s, no read slows the data down', async (_title, middlewares) => {
  const source = new MemoryData(sampleData())
  const ours = closed(await serve(createApp({ data: source, middlewares, log: false })))
  const headers = authorized(await logIn(ours.url))
  for (const asked of ['/db', '/posts?_embed=comments', '/posts', '/posts/1', '/profile'])
    await ask(ours.url, { path: asked, headers })
  expect(source.isShared).toBe(false)
})
