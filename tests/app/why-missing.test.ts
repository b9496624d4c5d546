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
  ['GET /post', '404 (no "post" in the data: did you mean /posts?)'],
  ['POST /coments', '404 (no "coments" in the data: did you mean /comments?)'],
  ['GET /bchu%20er', '404 (no "bchu%20er" in the data)'],
  ['GET /with:colons', '404 (no "with:colons" in the data: did you mean /with:colon?)'],
  ['GET /', '404 (there is no route for GET here)'],
  ['GET /zzz', '404 (no "zzz" in the data)'],
  [
    'GET /600/users',
    '404 (600 is a guard of json-server-auth: docs/json-server.md says what to write instead)',
  ],
  ['GET /604', '404 (no "604" in the data)'],
  [
    'DELETE /660/users/1',
    '404 (660 is a guard of json-server-auth: docs/json-server.md says what to write instead)',
  ],
  ['GET /zzz%zz', '404 (no "zzz%zz" in the data)'],
  ['POST /%ff', '404 (no "%ff" in the data)'],
  ['GET /posts/1/%', '400 (The path is not valid: a % in it must begin the code of a UTF-8 character.)'],
  ['GET /zzz?q=1', '404 (no "zzz" in the data)'],
  ['DELETE /zzz/7', '404 (no "zzz" in the data)'],
  ['GET /posts/7', '404 (no record 7 in "posts")'],
  ['HEAD /Posts/7/', '404 (no record 7 in "posts")'],
  ['PUT /posts/7', '404 (no record 7 in "posts")'],
  ['PATCH /posts/7', '404 (no record 7 in "posts")'],
  ['DELETE /posts/a%20b', '404 (no record a%20b in "posts")'],
  ['GET /posts/1/comments%2F7', '404 (there is no route for GET here)'],
  ['GET /posts/1/coments', '404 (no "coments" in the data: did you mean /posts/1/comments?)'],
  ['GET /profile/1', '404 (there is no route for GET here)'],
  ['POST /posts/1', '404 (there is no route for POST here)'],
  ['DELETE /posts', '404 (there is no route for DELETE here)'],
  ['GET /a/b/c/d', '404 (there is no route for GET here)'],
  ['GET /posts', '200'],
  ['GET /posts/1/comments', '200'],
])('%s %s', async (line, said) => {
  const body = /^(POST|PUT|PATCH)/.test(line) ? '{}' : undefined
  expect(await logged(line, {}, body)).toBe(`${line} ${said}`)
})

test('what a path holds is shown as it was sent, without secrets, and at most 100 characters of it', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'
  expect(await logged(`GET /posts/${token}`)).toBe('GET *** 404 (there is nothing at this path)')
  for (const path of ['/password=lovelace', '//ada:lovelace@host/', '/x/password:/lovelace'])
    expect(await logged(`GET ${path}`)).toBe('GET *** 404 (there is nothing at this path)')
  expect(await logged('GET /posts/%0Aforged%1B')).toMatch(/\(no record %0Aforged%1B in "posts"\)$/)
  const long = 'z'.repeat(5000)
  expect(await logged(`GET /${long}`)).toMatch(/\(no "z{100}" in the data\)$/)
  expect(await logged(`GET /posts/${long}`)).toMatch(/\(no record z{100} in "posts"\)$/)
})

test('in a sandbox its own data counts', async () => {
  const lab = { 'X-Sandbox': 'lab' }
  expect(await logged('DELETE /posts/1', lab)).toBe('[lab] DELETE /posts/1 200')
  expect(await logged('GET /posts/1', lab)).toBe('[lab] GET /posts/1 404 (no record 1 in "posts")')
  expect(await logged('GET /posts/1')).toBe('GET /posts/1 200')
})

test('the log shows where a rule has led a request, without secrets', async () => {
  expect(await logged('GET /api/posts?_page=1')).toBe('GET /api/posts?_page=1 -> /posts?_page=1 200')
  expect(await logged('GET /go/7')).toBe('GET *** -> /posts/7?*** 404 (no record 7 in "posts")')
  expect(await logged('GET /login/ada/lovelace?_page=1')).toBe('GET *** -> /users?*** 200')
  expect(await logged('GET /same')).toBe('GET /same 404 (no "same" in the data)')
})
