import type { LookupUser } from '../../lib/options/app-options'
import { userLookup } from '../../middlewares/user-lookup'
import { type Answer, ask, json, serveHandlers, type TestServer } from '../support/http'

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
  { why: 'without a query', query: '', users: USERS },
  { why: 'an empty query', query: '?', users: USERS },
  { why: 'another parameter', query: '?name=Yann', users: USERS },
  { why: 'a name in capitals', query: '?ID=1', users: USERS },
  { why: 'the first user', query: '?id=0', users: USERS[0] },
  { why: 'the second user', query: '?id=1', users: USERS[1] },
  { why: 'the last user', query: '?id=2', users: USERS[2] },
  { why: 'two zeros', query: '?id=00', users: USERS[0] },
  { why: 'thirty zeros before the digit', query: '?id=0000000000000000000000000000002', users: USERS[2] },
  { why: 'an encoded digit', query: '?id=%31', users: USERS[1] },
  { why: 'an encoded name', query: '?%69d=1', users: USERS[1] },
  { why: 'beside another parameter', query: '?name=x&id=1', users: USERS[1] },
])('$why: GET /api/users.php$query -> 200', async ({ query, users }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 200, { status: 'OK', users })
})

test.each([
  { why: 'behind the last user', query: '?id=3' },
  { why: 'an empty id', query: '?id=' },
  { why: 'an id without a value', query: '?id' },
  { why: 'thirty digits', query: '?id=999999999999999999999999999999' },
  { why: 'more than a number can count', query: '?id=9007199254740993' },
])('$why: GET /api/users.php$query -> 404', async ({ query }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 404, NOT_FOUND)
})

test.each([
  { why: 'a negative number', query: '?id=-1' },
  { why: 'minus zero', query: '?id=-0' },
  { why: 'a decimal number', query: '?id=1.0' },
  { why: 'a plus, which is a space in a form', query: '?id=+1' },
  { why: 'an encoded plus', query: '?id=%2B1' },
  { why: 'an exponent', query: '?id=1e0' },
  { why: 'a hexadecimal number', query: '?id=0x1' },
  { why: 'letters', query: '?id=abc' },
  { why: 'a digit and a letter', query: '?id=1a' },
  { why: 'a space before the digit', query: '?id=%201' },
  { why: 'a line end after the digit', query: '?id=1%0A' },
  { why: 'a zero byte after the digit', query: '?id=1%00' },
  { why: 'a property of the list', query: '?id=length' },
  { why: 'an Arabic digit', query: '?id=%D9%A1' },
  { why: 'a full-width digit', query: '?id=%EF%BC%91' },
  { why: 'bytes that are no UTF-8', query: '?id=%E0%A4%A' },
  { why: 'the last digit and a letter', query: '?id=9x' },
  { why: 'two ids', query: '?id=1&id=2' },
  { why: 'the same id twice', query: '?id=1&id=1' },
  { why: 'an array', query: '?id[]=1' },
  { why: 'an encoded array', query: '?id%5B%5D=1' },
  { why: 'an object', query: '?id[a]=1' },
  { why: 'a string and an array', query: '?id=1&id[]=2' },
])('$why: GET /api/users.php$query -> 400', async ({ query }) => {
  expectAnswer(await ask(server.url, { path: `/api/users.php${query}` }), 400, INVALID)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s /api/users.php -> 405', async (method) => {
  const answer = await ask(server.url, { method, path: '/api/users.php?id=1' })
  expectAnswer(answer, 405, { status: 'NG', message: 'Method not allowed' })
  expect(answer.headers.allow).toBe('GET, HEAD')
})

test.each([
  { why: 'all users', query: '', status: 200 },
  { why: 'one user', query: '?id=1', status: 200 },
  { why: 'an invalid id', query: '?id=x', status: 400 },
  { why: 'an unknown id', query: '?id=3', status: 404 },
])('$why: HEAD /api/users.php$query -> $status, with the headers of GET', async ({ query, status }) => {
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
