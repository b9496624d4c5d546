import { MemoryData } from '../../lib/data/data-source'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { type Answer, ask, authorized, json, logIn, type TestServer } from '../support/http'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A path, and the statuses in the order of METHODS: without a token, and with one. */
const TABLE: readonly [path: string, anonymous: string, authorized: string][] = [
  ['/', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/db', '401 401 401 401 401 401 204', '200 200 404 404 404 404 204'],
  ['/__rules', '401 401 401 401 401 401 204', '200 200 404 404 404 404 204'],
  ['/nothing', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/nothing/1/at/all', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/index.html', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/favicon.ico', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/__proto__', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/users', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/users/1', '401 401 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/users/9', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/profile', '401 401 401 401 401 401 204', '200 200 201 200 200 404 204'],
  ['//users', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/%75sers', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/blogs', '200 200 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/blogs?_expand=user', '200 200 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/blogs/1', '200 200 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/blogs/%31', '200 200 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/blogs/9', '404 404 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/blogs/%2e%2e%2fusers', '404 404 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/blogs/%E0%A4%A', '400 400 401 401 401 401 204', '400 400 400 400 400 400 204'],
  ['/blog/1', '200 200 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/blog', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/BLOGS', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/BLOGS/1', '401 401 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/blogs/', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/blogs/1/', '401 401 401 401 401 401 204', '200 200 404 200 200 200 204'],
  ['/blogs;x=1', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/blogs/1/users', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/blogs/../users', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/auth/login', '401 401 401 401 401 401 204', '404 404 401 404 404 404 204'],
  ['/auth/login/', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/auth/login/users', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['/AUTH/login', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/api/users.php', '200 200 405 405 405 405 204', '200 200 405 405 405 405 204'],
  ['/api/users.php?id=9', '404 404 405 405 405 405 204', '404 404 405 405 405 405 204'],
  ['/api/users.php/', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['/API/users.php', '401 401 401 401 401 401 204', '404 404 404 404 404 404 204'],
  ['http://other.example/users', '401 401 401 401 401 401 204', '200 200 201 404 404 404 204'],
  ['http://other.example/blogs', '200 200 401 401 401 401 204', '200 200 201 404 404 404 204'],
]

const tables = {
  anonymous: TABLE.map(([path, statuses]) => ({ path, statuses })),
  authorized: TABLE.map(([path, , statuses]) => ({ path, statuses })),
}

let data: MemoryData
let server: TestServer
let token: string

beforeAll(async () => {
  data = new MemoryData(sampleData())
  server = await serveApp({ data, routes: { '/blog/:id': '/blogs/:id' } })
  token = await logIn(server.url)
})
beforeEach(() => data.replace(sampleData()))
afterAll(() => server.close())

const stored = () => JSON.stringify(data.state)

function send(
  { method, path }: { method: string; path: string },
  headers: Record<string, string>,
): Promise<Answer> {
  const body = method === 'GET' || method === 'HEAD' ? undefined : '{"title":"changed"}'
  return ask(server.url, { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body })
}

function expectNoSecrets({ text, headers }: Answer): void {
  const everything = text + JSON.stringify(headers)
  for (const secret of ['lovelace', 'hopper', 'access_token']) expect(everything).not.toContain(secret)
}

describe('without a token', () => {
  test.each(tables.anonymous)('$path by each method: $statuses', async ({ path, statuses }) => {
    const before = stored()
    const got: number[] = []
    for (const method of METHODS) {
      const answer = await send({ method, path }, {})
      got.push(answer.status)
      expectNoSecrets(answer)
      if (answer.status === 401) {
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        if (method !== 'HEAD') expect(answer.text).toBe('"Unauthorized"')
      }
    }
    expect(got.join(' ')).toBe(statuses)
    expect(stored()).toBe(before)
  })

  test.each([
    { override: 'GET', path: '/users', status: 401 },
    { override: 'HEAD', path: '/users', status: 401 },
    { override: 'OPTIONS', path: '/users', status: 401 },
    { override: 'PUT', path: '/users/1', status: 401 },
    { override: 'PATCH', path: '/users/1', status: 401 },
    { override: 'DELETE', path: '/users/1', status: 401 },
    { override: 'delete', path: '/users/1', status: 401 },
    { override: 'PUT', path: '/blogs/1', status: 401 },
    { override: 'PATCH', path: '/blog/1', status: 401 },
    { override: 'DELETE', path: '/blogs/1', status: 401 },
    { override: 'DELETE', path: '/auth/login', status: 401 },
    { override: 'GET', path: '/db', status: 401 },
    { override: 'DELETE', path: '/api/users.php', status: 405 },
    { override: 'GET', path: '/blogs', status: 200 },
    { override: 'HEAD', path: '/blogs/1', status: 401 },
  ])('POST $path with the override $override -> $status', async ({ override, path, status }) => {
    const before = stored()
    const answer = await send({ method: 'POST', path }, { 'X-HTTP-Method-Override': override })
    expect(answer.status).toBe(status)
    expectNoSecrets(answer)
    expect(stored()).toBe(before)
  })
})

describe('with a token', () => {
  test.each(tables.authorized)('$path by each method: $statuses', async ({ path, statuses }) => {
    const got: number[] = []
    for (const method of METHODS) {
      data.replace(sampleData())
      const before = stored()
      const { status } = await send({ method, path }, { Authorization: `Bearer ${token}` })
      got.push(status)
      const changes = (status === 200 || status === 201) && !['GET', 'HEAD', 'OPTIONS'].includes(method)
      expect({ method, changed: stored() !== before }).toEqual({ method, changed: changes })
    }
    expect(got.join(' ')).toBe(statuses)
  })

  test.each([
    { method: 'POST', override: 'GET', path: '/users', status: 200, changes: false },
    { method: 'POST', override: 'HEAD', path: '/users?callback=show', status: 201, changes: true },
    { method: 'POST', override: 'PATCH', path: '/users/1', status: 200, changes: true },
    { method: 'POST', override: 'DELETE', path: '/blog/1', status: 200, changes: true },
    { method: 'GET', override: 'DELETE', path: '/users/1', status: 200, changes: false },
    { method: 'POST', override: 'NONSENSE', path: '/users', status: 201, changes: true },
  ])(
    '$method $path with the override $override -> $status',
    async ({ changes, override, status, ...rest }) => {
      const before = stored()
      const headers = { Authorization: `Bearer ${token}`, 'X-HTTP-Method-Override': override }
      expect((await send(rest, headers)).status).toBe(status)
      expect(stored() !== before).toBe(changes)
    },
  )

  test.each([
    { path: '/users', body: sampleData().users },
    { path: '/users/1', body: { id: 1, name: 'Ada', email: 'ada@example.com', password: 'lovelace' } },
    { path: '/db', body: sampleData() },
    { path: '/__rules', body: { '/blog/:id': '/blogs/:id' } },
    { path: '/nothing', body: {} },
  ])('GET $path is JSON, laid out with two spaces', async ({ path, body }) => {
    const answer = await ask(server.url, { path, headers: authorized(token) })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(JSON.stringify(body, null, 2))
  })

  test.each(['/blogs/1', '/blog/1'])('PUT, PATCH and DELETE work under %s', async (path) => {
    const headers = { Authorization: `Bearer ${token}` }
    expect(json(await send({ method: 'PUT', path }, headers))).toEqual({ id: 1, title: 'changed' })
    expect(json(await send({ method: 'PATCH', path }, headers))).toEqual({ id: 1, title: 'changed' })
    expect((await send({ method: 'DELETE', path }, headers)).status).toBe(200)
    expect((await ask(server.url, { path })).status).toBe(404)
  })
})
