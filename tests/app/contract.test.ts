import { MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { type AppOptions, createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, authorized, json, logIn, question, serve, type TestServer, withHeaders } from '../support/http'
import { Contract, expectDocumented } from './contract'

/** A request, and the status of its response. */
type Row = [line: string, status: number, headers?: Record<string, string>]

/** More than the server reads of a form, in bytes. */
const LARGE = 'x'.repeat(200_000)

let server: TestServer
let data: MemoryData
let contract: Contract
let headers: Record<string, string>

/** Serves the sample data with a document to the tests of a block. */
function useServer(options: Partial<AppOptions> = {}): void {
  beforeAll(async () => {
    data = new MemoryData(sampleData())
    server = await serve(createApp({ data, docs: true, log: false, ...options }))
    const { routes } = options
    contract = await Contract.of(server.url, typeof routes === 'function' ? routes() : routes)
    headers = authorized(await logIn(server.url))
  })
  beforeEach(() => data.replace(sampleData()))
  afterAll(() => server.close())
}

async function expectAnswer([line, status, further = {}]: Row, own: Record<string, string> = {}) {
  const asked = withHeaders(question(line.replace('{large}', LARGE)), { ...own, ...further })
  const answer = await ask(server.url, asked)
  expect(answer.status).toBe(status)
  expectDocumented(contract, asked, answer)
}

const ROUTES = { '/blog/:id': '/blogs/:id', '/api/*': '/$1', '/newest': '/posts?_limit=1' }

describe('each response is as documented', () => {
  useServer({ routes: ROUTES })

  test.each<Row>([
    ['POST /auth/login {"email": "ada@example.com", "password": "lovelace"}', 200],
    ['POST /auth/login email=ada%40example.com&password=lovelace', 200],
    ['POST /auth/login {"email": "ada@example.com", "password": "wrong"}', 401],
    ['POST /auth/login {', 400],
    ['POST /auth/login x={large}', 413],
    ['POST /auth/login {}', 415, { 'Content-Encoding': 'nonsense' }],
    ['GET /blogs', 200],
    ['GET /blogs', 304, { 'If-None-Match': '*' }],
    ['GET /blogs/1', 200],
    ['GET /blog/1', 200],
    ['GET /blogs/77', 404],
    ['GET /blogs/%E0%A4%A', 400],
    ['GET /api/users.php', 200],
    ['GET /api/users.php?id=1', 200],
    ['GET /api/users.php?id=x', 400],
    ['GET /api/users.php?id=77', 404],
    ['HEAD /blogs', 200],
    ['GET /api/blogs/2', 200],
    ['GET /users', 401],
    ['GET /users', 401, { 'Sec-Fetch-Mode': 'navigate' }],
    ['GET /users/1', 401, { 'Sec-Fetch-Mode': 'navigate' }],
    ['GET /auth/me', 401, { 'Sec-Fetch-Mode': 'navigate' }],
  ])('%s -> %i without a token', (...row) => expectAnswer(row))

  test.each<Row>([
    ['GET /users', 200],
    ['GET /users', 304, { 'If-None-Match': '*' }],
    ['GET /users?_page=1&_limit=1&_sort=name&_order=desc', 200],
    ['GET /posts?_embed=comments&views_gte=100', 200],
    ['GET /posts?title_like=[', 400],
    ['GET /comments?_expand=post', 200],
    ['GET /posts/1?_embed=comments', 200],
    ['GET /posts/1/comments?_limit=1', 200],
    ['GET /posts/77', 404],
    ['GET /newest', 200],
    ['GET /api/posts?_start=0&_end=1', 200],
    ['GET /db', 200],
    ['GET /profile', 200],
    ['POST /blogs {"title": "New"}', 201],
    ['POST /blogs {"id": 1}', 409],
    ['POST /blogs [1]', 400],
    ['POST /blogs text', 415, { 'Content-Type': 'text/plain' }],
    ['POST /blogs x={large}', 413],
    ['POST /posts/1/comments {"body": "Nested"}', 201],
    ['POST /profile {"name": "Posted"}', 201],
    ['PUT /profile {"name": "Put"}', 200],
    ['PATCH /profile {"name": "Patched"}', 200],
    ['PUT /blog/1 {"title": "Put"}', 200],
    ['PATCH /blogs/2 {"title": "Patched"}', 200],
    ['PATCH /blogs/77 {"title": "Nobody"}', 404],
    ['DELETE /blogs/3', 200],
    ['DELETE /blogs/77', 404],
  ])('%s -> %i with a token, 401 without', async (...[line, status, further]) => {
    await expectAnswer([line, 401, further])
    const { Authorization = '' } = headers
    await expectAnswer([line, status, further], { Authorization })
  })

  test('every documented operation without a token gets the response that it documents', async () => {
    const document = json(await ask(server.url, { path: '/openapi.json' }))
    const paths = isRecord(document) && isRecord(document.paths) ? document.paths : {}
    for (const [template, item] of Object.entries(paths)) {
      for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
        const operation = isRecord(item) ? item[method] : undefined
        if (operation === undefined) continue
        const asked = { method: method.toUpperCase(), path: template.replace(/\{\w+\}/g, '1') }
        const { status } = await ask(server.url, asked)
        const isPublic = isRecord(operation) && JSON.stringify(operation.security) === '[]'
        expect({ ...asked, unauthorized: status === 401 }).toEqual({
          ...asked,
          unauthorized: !isPublic || template.endsWith('/auth/login'),
        })
      }
    }
  })
})

describe.each<[title: string, options: Partial<AppOptions>, rows: Row[]]>([
  [
    'read-only',
    { readOnly: true },
    [
      ['GET /blogs', 200],
      ['GET /posts', 200],
      ['GET /profile', 200],
    ],
  ],
  [
    'open to some requests',
    { allow: ['GET /posts', 'POST /comments'] },
    [
      ['GET /posts?_limit=1', 200],
      ['POST /comments {"body": "New"}', 201],
      ['POST /comments [1]', 400],
    ],
  ],
  [
    'open to all',
    { allow: 'all' },
    [
      ['GET /blogs', 200],
      ['GET /users/1', 200],
      ['GET /users/77', 404],
      ['DELETE /tags/a1b2', 200],
    ],
  ],
  [
    'without a public collection',
    { publicCollection: false },
    [
      ['GET /blogs', 200],
      ['GET /blogs/1', 200],
      ['GET /auth/me', 200],
    ],
  ],
  [
    'live',
    { live: true },
    [
      ['POST /blogs {"title": "New"}', 201],
      ['GET /blogs', 200],
    ],
  ],
  [
    'with a refusal of another form',
    { tokenRefusal: { errors: ['$message'], code: '$status' } },
    [
      ['GET /users', 401, { Authorization: 'Bearer none' }],
      ['POST /auth/login {}', 401],
    ],
  ],
])('%s, each response is as documented', (_title, options, rows) => {
  useServer(options)

  test.each(rows)('%s -> %i', async (...row) => expectAnswer(row, headers))
})

describe('what the document does not say is noticed', () => {
  useServer()

  test.each([
    ['a request', 'GET /nothing', {}],
    ['a method', 'DELETE /auth/me', {}],
    ['a status', 'GET /posts', { status: 418 }],
    ['a body', 'GET /posts', { text: '{}', bytes: Buffer.from('{}') }],
  ])('%s', async (_title, line, change) => {
    const asked = withHeaders(question(line), headers)
    const answer = await ask(server.url, asked)
    expect(contract.problems(asked, { ...answer, ...change })).toHaveLength(1)
  })
})
