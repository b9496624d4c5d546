import { requestGuard } from '../../../lib/json-server/request-guard'
import { parseBody } from '../../../middlewares/parse-body'
import type { TestServer } from '../../support/helpers'
import { ask, json, serveHandlers } from '../../support/requests'

let server: TestServer

function start(idProperty?: string): Promise<TestServer> {
  const kinds: Record<string, 'collection' | 'singular'> = { users: 'collection', profile: 'singular' }
  const guard = requestGuard({ kindOf: (name) => kinds[name], idProperty })
  return serveHandlers(parseBody(), guard, (_request, response) => {
    response.status(204).end()
  })
}

beforeAll(async () => {
  server = await start()
})
afterAll(() => server.close())

test.each([
  { method: 'GET', path: '/users?q[a]=b', status: 400 },
  { method: 'HEAD', path: '/users?q[a]=b', status: 400 },
  { method: 'GET', path: '/users/?q[a]=b', status: 400 },
  { method: 'GET', path: '/blogs/1/users?q[a]=b', status: 400 },
  { method: 'GET', path: '/blogs/1/%75sers?q[a]=b', status: 400 },
  { method: 'GET', path: '/users/1?_expand[a]=b', status: 400 },
  // json-server reads these for a list only, so they do no harm elsewhere.
  { method: 'GET', path: '/users/1?q[a]=b', status: 204 },
  { method: 'GET', path: '/profile?q[a]=b', status: 204 },
  { method: 'DELETE', path: '/users/1?q[a]=b', status: 204 },
  { method: 'GET', path: '/users?q=a', status: 204 },
  { method: 'GET', path: '/', status: 204 },
  { method: 'GET', path: '/?q[a]=b', status: 204 },
  { method: 'GET', path: '/db?q[a]=b', status: 204 },
  { method: 'GET', path: '/nothing?q[a]=b', status: 204 },
  { method: 'GET', path: '/blogs/1/nothing?q[a]=b', status: 204 },
  { method: 'GET', path: '/blogs/1/%E0%A4%A?q[a]=b', status: 400 },
])('$method $path -> $status', async ({ method, path, status }) => {
  expect((await ask(server.url, { method, path })).status).toBe(status)
})

test.each([
  { method: 'POST', path: '/users', body: '[]', status: 400 },
  { method: 'PUT', path: '/users/1', body: '[]', status: 400 },
  { method: 'PATCH', path: '/users/1', body: 'null', status: 400 },
  { method: 'PUT', path: '/profile', body: '[]', status: 400 },
  { method: 'POST', path: '/blogs/1/users', body: '[]', status: 400 },
  { method: 'POST', path: '/own/endpoint', body: '[]', status: 204 },
  { method: 'DELETE', path: '/users/1', body: '[]', status: 204 },
  { method: 'POST', path: '/users', body: '{"id":"a"}', status: 204 },
  { method: 'POST', path: '/users', body: '{"id":1}', status: 204 },
  { method: 'POST', path: '/users', body: '{"id":9007199254740992}', status: 400 },
  { method: 'POST', path: '/users', body: '{"id":1e400}', status: 400 },
  { method: 'POST', path: '/users', body: '{"id":{"a":1}}', status: 400 },
  { method: 'POST', path: '/users', body: '{"id":true}', status: 400 },
  { method: 'POST', path: '/blogs/1/users', body: '{"id":[1]}', status: 400 },
  // A singular resource has no identity, so its id is a field like any other.
  { method: 'POST', path: '/profile', body: '{"id":{"a":1}}', status: 204 },
])('$method $path $body -> $status', async ({ method, path, body, status }) => {
  const headers = { 'Content-Type': 'application/json' }
  expect((await ask(server.url, { method, path, headers, body })).status).toBe(status)
})

test('another id property is the one that is checked', async () => {
  const other = await start('key')
  const post = (body: string) =>
    ask(other.url, { method: 'POST', path: '/users', headers: { 'Content-Type': 'application/json' }, body })
  expect((await post('{"id":{}}')).status).toBe(204)
  const refused = await post('{"key":{}}')
  expect(refused.status).toBe(400)
  expect(json(refused)).toEqual({ error: expect.stringContaining('"key"') })
  await other.close()
})
