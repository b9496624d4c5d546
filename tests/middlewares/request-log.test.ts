import { notesOf } from '../../lib/http/notes'
import { printRequest, requestLog } from '../../middlewares/request-log'
import { ask, serveHandlers, type TestServer, until } from '../support/http'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'

let server: TestServer
let lines: string[] = []

beforeAll(async () => {
  server = await serveHandlers(
    requestLog([printRequest((line) => lines.push(line))]),
    (request, response) => {
      if (request.path === '/five') response.send('12345')
      else if (request.path === '/dropped') response.destroy()
      else if (request.path === '/noted') {
        notesOf(request).reason = 'no field "a\nGET /b 200", "\u001b[31m" or "\u009b\u202e"'
        response.status(400).end()
      } else response.status(204).end()
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
])("$method $path is one line in the format of morgan's dev", async ({ method, path }) => {
  await ask(server.url, { method, path })
  expect(lines).toEqual([expect.stringMatching(/^[A-Z]+ \S+ 204 \d+\.\d{3} ms - -\n$/)])
  expect(lines[0]).toMatch(`${method} ${path} `)
})

test('the time is that since the request', async () => {
  const before = performance.now()
  await ask(server.url, { path: '/' })
  const [, time] = / (\S+) ms /.exec(lines.join('')) ?? []
  expect(Number(time)).toBeLessThan(performance.now() - before)
})

test('the length of the body is at the end', async () => {
  await ask(server.url, { path: '/five' })
  expect(lines).toEqual([expect.stringMatching(/ 200 \S+ ms - 5\n$/)])
})

test('a request whose connection ends before the response has no status', async () => {
  await expect(ask(server.url, { path: '/dropped' })).rejects.toThrow()
  expect(lines).toEqual([expect.stringMatching(/^GET \/dropped - \S+ ms - -\n$/)])
})

test.each(['/favicon.ico', '/favicon.ico?x=1'])(
  '%s, which browsers request automatically, is not logged, as in json-server',
  async (path) => {
    await ask(server.url, { path })
    expect(lines).toEqual([])
  },
)

test('a path that only begins like that is logged', async () => {
  await ask(server.url, { path: '/favicon.ico/x' })
  expect(lines).toHaveLength(1)
})

test('no name in a reason begins another line or changes what a terminal shows', async () => {
  await ask(server.url, { path: '/noted' })
  expect(lines).toEqual([
    expect.stringMatching(/^GET \/noted 400 \S+ ms - - \(no field "a GET \/b 200", "\s\[31m" or " "\)\n$/),
  ])
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
  await until(() => write.mock.calls.length > 0)
  expect(write).toHaveBeenCalledWith(expect.stringContaining('GET /logged '), expect.any(Function))
  write.mockRestore()
})
