import { overrideMethod } from '../../middlewares/override-method'
import { ask, serveHandlers, type TestServer } from '../support/http'

let server: TestServer
beforeAll(async () => {
  server = await serveHandlers(overrideMethod(), ({ method }, response) => {
    response.end(method)
  })
})
afterAll(() => server.close())

test.each([
  ['POST', 'PUT', 'PUT'],
  ['POST', ' patch ', 'PATCH'],
  ['POST', 'DELETE, PUT', 'DELETE'],
  ['POST', 'HEAD', 'POST'],
  ['POST', 'GET', 'POST'],
  ['PUT', 'DELETE', 'PUT'],
])('a %s with the header %j is a %s', async (method, header, expected) => {
  const headers = { 'X-HTTP-Method-Override': header }
  expect((await ask(server.url, { method, path: '/', headers })).text).toBe(expected)
})
