import type { ServerResponse } from 'node:http'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, authorized, logIn, serve, type TestServer } from '../support/http'

let server: TestServer
let token: string
let handed = 0

/** Counts what the application hands to the response, as a middleware of the user may. */
beforeAll(async () => {
  const app = createApp({ data: sampleData(), docs: true, static: __dirname, log: false })
  server = await serve((request, response) => {
    handed = 0
    response.write = counted(response.write)
    response.end = counted(response.end)
    app(request, response)
  })
  token = await logIn(server.url)
})
afterAll(() => server.close())

function counted<Method extends ServerResponse['write'] | ServerResponse['end']>(method: Method): Method {
  return new Proxy(method, {
    apply(target, self, parameters) {
      const [chunk]: unknown[] = parameters
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) handed += Buffer.byteLength(chunk)
      return Reflect.apply(target, self, parameters)
    },
  })
}

test.each([
  ['/blogs', 200],
  ['/blogs/1', 200],
  ['/blogs/99', 404],
  ['/users', 200],
  ['/users?_page=1&_limit=1', 200],
  ['/users/1', 200],
  ['/users/99', 404],
  ['/users?callback=show', 200],
  ['/users?name_like=(', 400],
  ['/profile', 200],
  ['/db', 200],
  ['/auth/me', 200],
  ['/api/users.php', 200],
  ['/api/users.php?id=99', 404],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/docs/page.css', 200],
  ['/head-requests.test.ts', 200],
  ['/nothing', 404],
  ['/blogs/%E0%A4%A', 400],
])('HEAD %s hands no body to the response, and announces that of GET', async (path, status) => {
  for (const headers of [authorized(token), { ...authorized(token), 'Accept-Encoding': 'gzip' }]) {
    const get = await ask(server.url, { path, headers })
    expect(handed).toBeGreaterThan(0)
    const head = await ask(server.url, { method: 'HEAD', path, headers })
    expect(handed).toBe(0)
    expect([get.status, head.status]).toEqual([status, status])
    if (!('Accept-Encoding' in headers))
      expect(head.headers).toEqual({ ...get.headers, date: head.headers.date })
  }
})

test('HEAD without a token: so does a refusal', async () => {
  const { status, headers } = await ask(server.url, { method: 'HEAD', path: '/users' })
  expect({ status, length: headers['content-length'] }).toEqual({ status: 401, length: '14' })
  expect(handed).toBe(0)
})
