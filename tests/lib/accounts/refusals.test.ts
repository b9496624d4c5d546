import { serveApp } from '../../support/app'
import { ask, json, question, type TestServer, withHeaders } from '../../support/http'

let server: TestServer
afterEach(() => server.close())

const data = () => ({ users: [{ id: 1, email: 'a@x.org', password: 'p' }], items: [] })

test.each([
  [{ status: 403, body: { code: 50014, message: '$message', status: '$status' } }, 403],
  [{ status: 200, body: { code: '$status' } }, 200],
  [{ status: 401, body: '$message' }, 401],
])('token-refusal %j has the status %i', async (tokenRefusal, status) => {
  server = await serveApp({ data: data(), tokenRefusal })
  for (const Authorization of ['', 'Bearer x']) {
    const answer = await ask(server.url, withHeaders(question('GET /items'), { Authorization }))
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(typeof tokenRefusal.body === 'string' ? 'token' : String(status))
    expect('www-authenticate' in answer.headers).toBe(status === 401)
  }
})

test.each<Record<string, string | number>>([
  { status: 'error', body: 'x' },
  { status: 403 },
  { status: 403, body: 'x', code: 1 },
])('token-refusal %j is the body of a 401', async (tokenRefusal) => {
  server = await serveApp({ data: data(), tokenRefusal })
  const answer = await ask(server.url, question('GET /items'))
  expect([answer.status, json(answer)]).toEqual([401, tokenRefusal])
})

test('logout-response is the response of a logout', async () => {
  const logoutResponse = { code: 20000, data: 'success', message: '$message' }
  server = await serveApp({ data: data(), login: '/login', logout: 'DELETE /session', logoutResponse })
  const answer = await ask(server.url, question('DELETE /session'))
  expect([answer.status, json(answer)]).toEqual([
    200,
    { code: 20000, data: 'success', message: expect.any(String) },
  ])
})
