import { overrideMethod, varyByMethod } from '../../middlewares/override-method'
import { ask, serveHandlers, type TestServer } from '../support/http'

let server: TestServer
beforeAll(async () => {
  server = await serveHandlers(
    overrideMethod(),
    (request, response, next) => {
      if (request.path === '/ahead') response.send(request.method)
      else next()
    },
    varyByMethod(),
    ({ method }, response) => {
      response.send(method)
    },
  )
})
afterAll(() => server.close())

test.each([
  ['POST', 'PUT', 'PUT'],
  ['POST', ' patch ', 'PATCH'],
  ['POST', 'DELETE, PUT', 'DELETE'],
  ['POST', 'GET', 'GET'],
  ['POST', 'BREW', 'POST'],
  // Without the body that is announced, this would wait for the next response.
  ['POST', 'HEAD', 'POST'],
  ['POST', ' head, GET', 'POST'],
  ['PUT', 'DELETE', 'PUT'],
])('a %s with the header %j is a %s', async (method, header, expected) => {
  const headers = { 'X-HTTP-Method-Override': header }
  const answer = await ask(server.url, { method, path: '/', headers })
  expect(answer.text).toBe(expected)
  expect(answer.headers.vary === 'X-HTTP-Method-Override').toBe(method === 'POST')
})

test('what a middleware ahead of the router sends does not say that it depends on the header', async () => {
  const headers = { 'X-HTTP-Method-Override': 'PUT' }
  const answer = await ask(server.url, { method: 'POST', path: '/ahead', headers })
  expect(answer).toMatchObject({ text: 'PUT' })
  expect(answer.headers.vary).toBeUndefined()
})

test.each(['POST', 'GET'])('a %s without the header', async (method) => {
  const answer = await ask(server.url, { method, path: '/' })
  expect(answer.text).toBe(method)
  expect(answer.headers.vary).toBe(method === 'POST' ? 'X-HTTP-Method-Override' : undefined)
})
