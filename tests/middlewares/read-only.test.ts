import { readOnly } from '../../middlewares/read-only'
import { ask, json, serveHandlers, type TestServer } from '../support/http'

let server: TestServer
let passed = 0

beforeAll(async () => {
  server = await serveHandlers(
    readOnly(({ path }) => path === '/login'),
    (_request, response) => {
      passed += 1
      response.status(204).end()
    },
  )
})
beforeEach(() => {
  passed = 0
})
afterAll(() => server.close())

test.each(['GET', 'HEAD', 'OPTIONS'])('%s is let through', async (method) => {
  expect((await ask(server.url, { method, path: '/users' })).status).toBe(204)
  expect(passed).toBe(1)
})

test('what changes nothing is let through', async () => {
  expect((await ask(server.url, { method: 'POST', path: '/login' })).status).toBe(204)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MERGE'])('%s -> 403', async (method) => {
  const answer = await ask(server.url, { method, path: '/users' })
  expect(answer.status).toBe(403)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual({ error: expect.stringContaining(method) })
  expect(passed).toBe(0)
})
