import { methodOverride } from '../../middlewares/method-override'
import { ask, json, serveHandlers, type TestServer } from '../support/http'

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(methodOverride(), (request, response) => {
    response.json(request.method)
  })
})
afterAll(() => server.close())

test.each([
  { method: 'POST', override: 'PUT', runs: 'PUT' },
  { method: 'POST', override: 'PATCH', runs: 'PATCH' },
  { method: 'POST', override: 'DELETE', runs: 'DELETE' },
  { method: 'POST', override: 'delete', runs: 'DELETE' },
  { method: 'POST', override: 'GET', runs: 'GET' },
  { method: 'POST', override: 'POST', runs: 'POST' },
  { method: 'POST', override: 'NONSENSE', runs: 'POST' },
  { method: 'POST', override: '', runs: 'POST' },
  { method: 'GET', override: 'DELETE', runs: 'GET' },
  { method: 'PUT', override: 'DELETE', runs: 'PUT' },
  { method: 'PATCH', override: 'GET', runs: 'PATCH' },
  { method: 'DELETE', override: 'GET', runs: 'DELETE' },
])('$method with the override $override runs as $runs', async ({ method, override, runs }) => {
  const headers = { 'X-HTTP-Method-Override': override }
  const answer = await ask(server.url, { method, path: '/', headers })
  expect(json(answer)).toBe(runs)
})

test('POST without an override runs as POST', async () => {
  expect(json(await ask(server.url, { method: 'POST', path: '/' }))).toBe('POST')
})

test.each(['?_method=DELETE', '?X-HTTP-Method-Override=DELETE'])(
  'no override is read from %s',
  async (query) => {
    expect(json(await ask(server.url, { method: 'POST', path: `/${query}` }))).toBe('POST')
  },
)

test('POST with the override HEAD runs as GET: the client of a POST waits for a body', async () => {
  const answer = await ask(server.url, {
    method: 'POST',
    path: '/',
    headers: { 'X-HTTP-Method-Override': 'HEAD' },
  })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('GET')
})

test.each([
  { method: 'POST', headers: {}, vary: undefined },
  { method: 'GET', headers: { 'X-HTTP-Method-Override': 'PUT' }, vary: undefined },
  { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PUT' }, vary: 'X-HTTP-Method-Override' },
])('the response to $method with $headers varies by $vary', async ({ method, headers, vary }) => {
  expect((await ask(server.url, { method, path: '/', headers })).headers.vary).toBe(vary)
})

test('HEAD is let through', async () => {
  expect((await ask(server.url, { method: 'HEAD', path: '/' })).status).toBe(200)
})
