import { refuseMalformed } from '../../middlewares/refuse-malformed'
import { requestLog } from '../../middlewares/request-log'
import { ask, json, serveHandlers } from '../support/http'

test.each([
  { path: 'foo://users', status: 400, logged: 'GET foo://users ' },
  { path: 'http://[/', status: 400, logged: 'GET http://[/ ' },
  { path: 'http://a:b@c', status: 418, logged: 'GET / ' },
  { path: 'http://a/users?x', status: 418, logged: 'GET /users?x ' },
  { path: '//foo', status: 418, logged: 'GET //foo ' },
])('GET $path -> $status, and it is logged', async ({ path, status, logged }) => {
  const lines: string[] = []
  const server = await serveHandlers(
    requestLog((line) => lines.push(line)),
    refuseMalformed(),
    (_request, response) => {
      response.status(418).json({})
    },
  )
  const response = await ask(server.url, { path })
  expect(response.status).toBe(status)
  if (status === 400) expect(json(response)).toEqual({ error: 'The address of the request is not valid.' })
  await server.close()
  expect(lines.join('')).toContain(logged)
})
