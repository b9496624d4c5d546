import { stripVTControlCharacters } from 'node:util'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, authorized, logIn, serve, type TestServer, until } from '../support/http'

let server: TestServer
let headers: Record<string, string>
let lines: string[]

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(stripVTControlCharacters(String(line)))
    return true
  })
  lines = []
  const routes = {
    '/api/*': '/$1',
    '/go/:id': '/posts/:id?token=secret-value',
    '/same': '/same',
    '/login/:name/:password': '/users?name=:name&password=:password',
  }
  server = await serve(
    createApp({
      data: { ...sampleData(), 'büch er': [], 'with:colon': [] },
      routes,
      sandboxes: true,
      log: true,
    }),
  )
  headers = authorized(await logIn(server.url))
  await until(() => lines.length > 0)
})
afterAll(async () => {
  jest.restoreAllMocks()
  await server.close()
})

/** The line in the log, without the time and the length. */
async function logged(line: string, more: Record<string, string> = {}, body?: string): Promise<string> {
  const [method = '', path = ''] = line.split(' ')
  lines = []
  await ask(server.url, { method, path, headers: { ...headers, ...more }, ...(body && { body }) })
  await until(() => lines.length > 0)
  expect(lines).toHaveLength(1)
  return (lines[0] ?? '').replace(/ [\d.]+ ms - [\d-]+/, '').trim()
}

test.each([
  ['GET /post', /404 \(.*\/posts\?/],
  ['POST /coments', /404 \(.*\/comments\?/],
  ['GET /bchu%20er', /404 \(.*"bchu%20er"[^?]*\)/],
  ['GET /with:colons', /404 \(.*\/with:colon\?/],
  ['GET /', /404 \(.*route/],
  ['GET /zzz', /404 \(.*"zzz"[^?]*\)/],
  ['GET /600/users', /404 \(.*guard/],
  ['GET /604', /404 \(.*"604"[^?]*\)/],
  ['DELETE /660/users/1', /404 \(.*guard/],
  ['GET /zzz%zz', /404 \(.*"zzz%zz"[^?]*\)/],
  ['POST /%ff', /404 \(.*"%ff"[^?]*\)/],
  ['GET /posts/1/%', /400 \(.*path/],
  ['GET /zzz?q=1', /404 \(.*"zzz"[^?]*\)/],
  ['DELETE /zzz/7', /404 \(.*"zzz"[^?]*\)/],
  ['GET /posts/7', /404 \(.*7.*"posts"/],
  ['HEAD /Posts/7/', /404 \(.*7.*"posts"/],
  ['PUT /posts/7', /404 \(.*7.*"posts"/],
  ['PATCH /posts/7', /404 \(.*7.*"posts"/],
  ['DELETE /posts/a%20b', /404 \(.*a%20b.*"posts"/],
  ['GET /posts/1/comments%2F7', /404 \(.*route/],
  ['GET /posts/1/coments', /404 \(.*\/posts\/1\/comments\?/],
  ['GET /profile/1', /404 \(.*route/],
  ['POST /posts/1', /404 \(.*route/],
  ['DELETE /posts', /404 \(.*route/],
  ['GET /a/b/c/d', /404 \(.*route/],
  ['GET /posts', /200$/],
  ['GET /posts/1/comments', /200$/],
])('%s %s', async (line, said) => {
  const body = /^(POST|PUT|PATCH)/.test(line) ? '{}' : undefined
  expect(await logged(line, {}, body)).toMatch(said)
})

test('what a path holds is shown as it was sent, without secrets, and at most 100 characters of it', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'
  expect(await logged(`GET /posts/${token}`)).toMatch(/^GET \*\*\* 404 \(.*\)$/)
  for (const path of ['/password=lovelace', '//ada:lovelace@host/', '/x/password:/lovelace'])
    expect(await logged(`GET ${path}`)).toMatch(/^GET \*\*\* 404 \(.*\)$/)
  expect(await logged('GET /posts/%0Aforged%1B')).toMatch(/\(.*%0Aforged%1B.*\)$/)
  const long = 'z'.repeat(5000)
  expect(await logged(`GET /${long}`)).toMatch(/\(.*"z{100}".*\)$/)
  expect(await logged(`GET /posts/${long}`)).toMatch(/\([^z]*z{100}[^z]*\)$/)
})

test('in a sandbox its own data counts', async () => {
  const lab = { 'X-Sandbox': 'lab' }
  expect(await logged('DELETE /posts/1', lab)).toBe('[lab] DELETE /posts/1 200')
  expect(await logged('GET /posts/1', lab)).toMatch(/^\[lab\] GET \/posts\/1 404 \(.*"posts"\)$/)
  expect(await logged('GET /posts/1')).toBe('GET /posts/1 200')
})

test('the log shows where a rule has led a request, without secrets', async () => {
  expect(await logged('GET /api/posts?_page=1')).toBe('GET /api/posts?_page=1 -> /posts?_page=1 200')
  expect(await logged('GET /go/7')).toMatch(/^GET \*\*\* -> \/posts\/7\?\*\*\* 404 \(.*"posts"\)$/)
  expect(await logged('GET /login/ada/lovelace?_page=1')).toBe('GET *** -> /users?*** 200')
  expect(await logged('GET /same')).toMatch(/^GET \/same 404 \(.*"same".*\)$/)
})
