import { requestLog } from '../../middlewares/request-log'
import { ask, serveHandlers, type TestServer } from '../support/http'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'

let server: TestServer
let lines: string[] = []

beforeAll(async () => {
  server = await serveHandlers(
    requestLog((line) => lines.push(line)),
    (request, response) => {
      if (request.path === '/taken-away') Reflect.set(request, 'originalUrl', null)
      response.status(204).end()
    },
  )
})
beforeEach(() => {
  lines = []
})
afterAll(() => server.close())

test.each([
  { method: 'GET', path: '/users?_page=1' },
  { method: 'DELETE', path: '/users/1' },
  { method: 'OPTIONS', path: '/' },
])('$method $path is one line', async ({ method, path }) => {
  await ask(server.url, { method, path })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`${method} ${path} `)
  expect(lines[0]).toContain('204')
  expect(lines[0]).toMatch(/^[^\n]*\n$/)
})

test('a request whose original URL a middleware has taken away is logged', async () => {
  await ask(server.url, { path: '/taken-away' })
  expect(lines).toEqual([expect.stringContaining('GET null ')])
})

test('GET /favicon.ico, which browsers request automatically, is not logged', async () => {
  await ask(server.url, { path: '/favicon.ico' })
  expect(lines).toEqual([])
})

test('no secret from a header, a body or a query gets into the log', async () => {
  await ask(server.url, {
    method: 'POST',
    path: `/auth/login?password=lovelace&access_token=${TOKEN}&x=${TOKEN}&api_secret=lovelace`,
    headers: { Authorization: `Bearer ${TOKEN}`, Cookie: `token=${TOKEN}` },
    body: 'password=lovelace',
  })
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain('lovelace')
  expect(lines.join()).not.toContain('eyJ')
})

test('lines go to the standard output by default', async () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const standard = await serveHandlers(requestLog(), (_request, response) => {
    response.status(204).end()
  })
  await ask(standard.url, { path: '/logged' })
  await standard.close()
  expect(write).toHaveBeenCalledWith(expect.stringContaining('GET /logged '), expect.any(Function))
  write.mockRestore()
})
