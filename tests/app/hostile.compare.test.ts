import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { DataFile } from '../../lib/data/data-file'
import { createApp } from '../../server'
import { makeFolder, sampleData } from '../support/data'
import { type Answer, ask, authorized, json, logIn, serve, type TestServer } from '../support/http'
import { runs } from '../support/random'

/** The same inputs in every run; the number may be any. */
const SEED = 20261121

let file: string
let data: DataFile
let server: TestServer
let token: string

async function start(): Promise<void> {
  data = DataFile.open(file)
  server = await serve(createApp({ data, log: false, secret: 'the same before and after a restart' }))
  token = await logIn(server.url)
}

async function stop(): Promise<void> {
  await server.close()
  await data.close()
}

beforeAll(async () => {
  file = path.join(await makeFolder(), 'db.json')
  writeFileSync(file, JSON.stringify(sampleData()))
  await start()
})

// Whatever was sent, the collections must still work, and again after a restart.
afterEach(async () => {
  await expectWorking()
  await stop()
  await start()
  await expectWorking()
})

afterAll(async () => {
  await stop()
  await rm(path.dirname(file), { recursive: true })
})

async function expectWorking(): Promise<void> {
  const headers = authorized(token)
  for (const target of [
    '/posts',
    '/posts?_sort=title&_order=desc',
    '/posts?q=a',
    '/comments?_expand=post',
    '/db',
  ]) {
    expect((await ask(server.url, { path: target, headers })).status).toBe(200)
  }
  const added = await ask(server.url, {
    method: 'POST',
    path: '/posts',
    headers,
    body: '{"title":"still works"}',
  })
  expect(added.status).toBe(201)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(data.state)
}

/** A JSON response that is not a 5xx and shows nothing of the server's code. */
function expectClear(answer: Answer): void {
  expect(answer.status).toBeLessThan(500)
  if (answer.status === 204 || answer.status === 304 || answer.text === '') return
  expect(answer.headers['content-type']).toMatch(/^(application\/json|text\/javascript)/)
  expect(answer.text).not.toMatch(/node_modules|\n {4}at |<html/i)
  if (answer.headers['content-type']?.startsWith('application/json')) json(answer)
}

const name = fc.oneof(
  fc.constantFrom(
    'id',
    'title',
    'toString',
    '__proto__',
    'constructor',
    'length',
    'postId',
    'hasOwnProperty',
  ),
  fc.string(),
)
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.constantFrom(null, 9007199254740992, -0, '', true),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
  ),
})).any

const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'q',
      '_sort',
      '_order',
      '_page',
      '_limit',
      '_start',
      '_end',
      '_embed',
      '_expand',
      'callback',
    ),
    fc
      .tuple(name, fc.constantFrom('', '_like', '_ne', '_gte', '_lte', '[a]', '[]'))
      .map((parts) => parts.join('')),
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '1',
      '-1',
      'title',
      '[',
      '(a+)+$',
      '^(a|a)*$',
      'posts',
      '__proto__',
      'constructor',
      '%E0%A4%A',
    ),
    fc.string(),
  ),
)
const query = fc
  .array(parameter, { maxLength: 4 })
  .map((pairs) =>
    pairs.map(([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`).join('&'),
  )

const segment = fc.oneof(
  fc.constantFrom(
    'posts',
    'blogs',
    'users',
    'blog',
    'profile',
    'db',
    '1',
    '..',
    '.',
    '',
    '%2e%2e',
    '%00',
    '%E0%A4%A',
  ),
  fc.string().map(encodeURIComponent),
)
const target = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`)

const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')

test('random JSON bodies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        ['POST', '/posts'],
        ['PUT', '/posts/1'],
        ['PATCH', '/posts/1'],
        ['POST', '/posts/1/comments'],
      ),
      value,
      async ([verb = '', where = ''], body) => {
        const answer = await ask(server.url, {
          method: verb,
          path: where,
          headers: authorized(token),
          body: JSON.stringify(body),
        })
        expectClear(answer)
      },
    ),
    { ...runs(80), seed: SEED },
  )
})

test('random bytes as a body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const answer = await ask(server.url, {
        method: 'POST',
        path: '/posts',
        headers: authorized(token),
        body: Buffer.from(bytes),
      })
      expectClear(answer)
    }),
    { ...runs(30), seed: SEED },
  )
})

test('random queries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/posts', '/comments', '/posts/1', '/posts/1/comments', '/profile'),
      query,
      async (where, text) => {
        expectClear(await ask(server.url, { path: `${where}?${text}`, headers: authorized(token) }))
      },
    ),
    { ...runs(80), seed: SEED },
  )
})

test('random paths with a token', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH'), target, async (verb, where) => {
      const body = verb === 'PUT' || verb === 'PATCH' ? '{"title":"random"}' : undefined
      expectClear(await ask(server.url, { method: verb, path: where, headers: authorized(token), body }))
    }),
    { ...runs(60), seed: SEED },
  )
})

test('random requests without a token change nothing and show nothing', async () => {
  const before = readFileSync(file)
  const headerValue = fc.oneof(
    fc.constantFrom('Bearer', 'Bearer ', 'Basic YTpi', 'DELETE', 'PUT'),
    fc.base64String(),
  )
  const headers = fc.dictionary(
    fc.constantFrom(
      'Authorization',
      'X-HTTP-Method-Override',
      'Cookie',
      'X-Original-URL',
      'X-Forwarded-For',
      'Content-Type',
    ),
    headerValue,
  )
  await fc.assert(
    fc.asyncProperty(method, target, query, headers, async (verb, where, text, extra) => {
      const body = verb === 'POST' || verb === 'PUT' ? '{"title":"anonymous"}' : undefined
      const answer = await ask(server.url, { method: verb, path: `${where}?${text}`, headers: extra, body })
      expectClear(answer)
      expect(answer.text).not.toMatch(/lovelace|hopper|typicode/)
    }),
    { ...runs(100), seed: SEED },
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})
