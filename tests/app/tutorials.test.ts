import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, type TestServer } from '../support/http'

/** Where Vite serves the page of a tutorial. */
const PAGE = 'http://localhost:5173'

/** What tutorials do that uses several steps at once, with `--allow all`. */
let server: TestServer
async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: sampleData(), allow: 'all', ...options })
}
beforeEach(() => start())
afterEach(() => server.close())

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, init)
}

function jsonBody(method: string, body: unknown): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

test('register and log in as with json-server-auth, by rules and a token that nothing asks for', async () => {
  await server.close()
  await start({ routes: { '/register': '/users', '/login': '/auth/login' } })
  const eve = { email: 'eve@example.com', password: 'bestPassw0rd' }
  expect((await call('/register', jsonBody('POST', { ...eve, firstname: 'Eve' }))).status).toBe(201)
  const login = await call('/login', jsonBody('POST', eve))
  const { access_token: token } = JSON.parse(await login.text())
  const me = await call('/auth/me', { headers: { Authorization: `Bearer ${token}` } })
  expect(await me.json()).toMatchObject({ firstname: 'Eve' })
  expect((await call('/users/3', { headers: { Authorization: 'Bearer undefined' } })).status).toBe(200)
})

test('a page at http://localhost:5173: its preflight, and its request after that', async () => {
  const preflight = await ask(server.url, {
    method: 'OPTIONS',
    path: '/posts/1',
    headers: {
      Origin: PAGE,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': expect.stringContaining('PATCH'),
    'access-control-allow-headers': 'content-type',
  })
  const sent = jsonBody('PATCH', { views: 8 })
  const patched = await call('/posts/1', { ...sent, headers: { ...sent.headers, Origin: PAGE } })
  expect(patched.status).toBe(200)
  expect(patched.headers.get('access-control-allow-origin')).toBe(PAGE)
})
