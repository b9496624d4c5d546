import fc from 'fast-check'
import { type LookupUser, userLookup } from '../../middlewares/user-lookup'
import { type Answer, ask, json, serveHandlers, type TestServer } from '../support/http'
import { runs } from '../support/random'

// The same inputs in every run; the number may be any.
const SEED = 20261121

const USERS: readonly LookupUser[] = [
  { name: 'Zoë', age: 30 },
  { name: 'Yann', age: 40 },
  { name: 'Xia', age: 50 },
]
const INVALID = { status: 'NG', message: 'Invalid parameter' }
const NOT_FOUND = { status: 'NG', message: 'User not found' }

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(userLookup({ users: USERS }))
})
afterAll(() => server.close())

function expectAnswer(answer: Answer, status: number, body: unknown): void {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8')
  expect(answer.text).toBe(JSON.stringify(body, null, 4))
}

test.each([
  { query: '', users: USERS },
  { query: '?', users: USERS },
  { query: '?name=Yann', users: USERS },
  { query: '?ID=1', users: USERS },
  { query: '?id=0', users: USERS[0] },
  { query: '?id=1', users: USERS[1] },
  { query: '?id=2', users: USERS[2] },
  { query: '?id=00', users: USERS[0] },
  { query: '?id=0000000000000000000000000000002', users: USERS[2] },
  { query: '?id=%31', users: USERS[1] },
  { query: '?%69d=1', users: USERS[1] },
  { query: '?name=x&id=1', users: USERS[1] },
])('GET /api/users.php$query -> 200', async ({ query, users }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 200, { status: 'OK', users })
})

test.each([
  { query: '?id=3' },
  { query: '?id=' },
  { query: '?id' },
  { query: '?id=999999999999999999999999999999' },
  { query: '?id=9007199254740993' },
])('GET /api/users.php$query -> 404', async ({ query }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 404, NOT_FOUND)
})

test.each([
  { query: '?id=-1' },
  { query: '?id=-0' },
  { query: '?id=1.0' },
  { query: '?id=+1' },
  { query: '?id=%2B1' },
  { query: '?id=1e0' },
  { query: '?id=0x1' },
  { query: '?id=abc' },
  { query: '?id=1a' },
  { query: '?id=%201' },
  { query: '?id=1%0A' },
  { query: '?id=1%00' },
  { query: '?id=length' },
  { query: '?id=%D9%A1' },
  { query: '?id=%EF%BC%91' },
  { query: '?id=%E0%A4%A' },
  { query: '?id=9x' },
  { query: '?id=1&id=2' },
  { query: '?id=1&id=1' },
  { query: '?id[]=1' },
  { query: '?id%5B%5D=1' },
  { query: '?id[a]=1' },
  { query: '?id=1&id[]=2' },
])('GET /api/users.php$query -> 400', async ({ query }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 400, INVALID)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s /api/users.php -> 405', async (method) => {
  const answer = await ask(server.url, { method, path: '/api/users.php?id=1' })
  expectAnswer(answer, 405, { status: 'NG', message: 'Method not allowed' })
  expect(answer.headers.allow).toBe('GET, HEAD')
})

test.each([
  { query: '', status: 200 },
  { query: '?id=1', status: 200 },
  { query: '?id=x', status: 400 },
  { query: '?id=3', status: 404 },
])('HEAD /api/users.php$query -> $status, with the headers of GET', async ({ query, status }) => {
  const path = `/api/users.php${query}`
  const get = await ask(server.url, { path })
  const head = await ask(server.url, { method: 'HEAD', path })
  expect(head.status).toBe(status)
  expect(head.text).toBe('')
  expect(head.headers['content-type']).toBe('application/json; charset=UTF-8')
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})

test.each(['/api/users.php/', '/API/users.php', '//api/users.php', '/api/users', '/api/users.php/1'])(
  'GET %s is passed on',
  async (path) => {
    const behind = await serveHandlers(userLookup(), (_request, response) => {
      response.status(418).end()
    })
    expect((await ask(behind.url, { path })).status).toBe(418)
    await behind.close()
  },
)

test.each(['', '?id=1'])(
  'GET /api/users.php%s -> 500 with the text of an unexpected failure',
  async (query) => {
    const users = new Proxy(USERS, {
      get() {
        throw new Error('The list has been lost.')
      },
    })
    const failing = await serveHandlers(userLookup({ users }))
    const answer = await ask(failing.url, { path: `/api/users.php${query}` })
    expectAnswer(answer, 500, { status: 'NG', message: 'The list has been lost.' })
    await failing.close()
  },
)

test('GET /api/users.php?id=x -> 400 even when the list cannot be read: validity comes first', async () => {
  const users = new Proxy(USERS, {
    get() {
      throw new Error('The list has been lost.')
    },
  })
  const failing = await serveHandlers(userLookup({ users }))
  expectAnswer(await ask(failing.url, { path: '/api/users.php?id=x' }), 400, INVALID)
  await failing.close()
})

test.each([{ options: undefined }, { options: {} }, { options: { users: undefined } }])(
  'the default list holds three records of a name and an age: $options',
  async ({ options }) => {
    const standard = await serveHandlers(userLookup(options))
    const record = { name: expect.any(String), age: expect.any(Number) }
    expect(json(await ask(standard.url, { path: '/api/users.php' }))).toEqual({
      status: 'OK',
      users: [record, record, record],
    })
    await standard.close()
  },
)

test('any id: digits are a position, everything else is invalid', async () => {
  const ids = fc.oneof(
    fc.stringMatching(/^0{0,3}[0-9]$/),
    fc.stringMatching(/^[0-9]{0,40}$/),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-+ ]?[0-9]{1,3}[.eE]?[0-9]{0,2}$/),
  )
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      const answer = await ask(server.url, { path: `/api/users.php?id=${encodeURIComponent(id)}` })
      if (!/^[0-9]*$/.test(id)) return expectAnswer(answer, 400, INVALID)
      const user = id !== '' && BigInt(id) < 3n ? USERS[Number(id)] : undefined
      if (user === undefined) expectAnswer(answer, 404, NOT_FOUND)
      else expectAnswer(answer, 200, { status: 'OK', users: user })
    }),
    { ...runs({ fast: 40, slow: 300 }), seed: SEED },
  )
})

test('any query string: a response of the service, never a failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.webQueryParameters(), async (query) => {
      const answer = await ask(server.url, { path: `/api/users.php?id${query}` })
      expect([200, 400, 404]).toContain(answer.status)
      expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8')
    }),
    { ...runs({ fast: 40, slow: 200 }), seed: SEED },
  )
})
