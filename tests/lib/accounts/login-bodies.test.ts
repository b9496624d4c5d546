import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import { login } from '../../../lib/accounts/login'
import { serveApp } from '../../support/app'
import { ADA, sampleData } from '../../support/data'
import { type Answer, ask, json, serveHandlers, type TestServer, until } from '../../support/http'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

let server: TestServer

beforeAll(async () => {
  const { users, ...others } = sampleData()
  const data = {
    ...others,
    users: [
      ...(Array.isArray(users) ? users : []),
      { id: 3, email: 'missing@example.com' },
      { id: 4, email: 'null@example.com', password: null },
      { id: 5, email: 'number@example.com', password: 5 },
      { id: 6, password: 'no email' },
      null,
      'ada@example.com',
    ],
  }
  server = await serveApp({ data })
})
afterAll(() => server.close())

describe('a body that another parser has read', () => {
  const users = () => [{ email: ADA.email, password: ADA.password }]
  const own: RequestHandler = (request, _response, next) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (text !== '') request.body = JSON.parse(text)
      next()
    })
  }

  it.each<[string, RequestHandler]>([
    ['express.json()', express.json()],
    ['a parser that is none of Express', own],
  ])('%s', async (_name, parser) => {
    const parsed = await serveHandlers(parser, login({ key: 'a secret', users }))
    const headers = { 'Content-Type': JSON_TYPE }
    for (const [body, status] of [
      [JSON.stringify(ADA), 200],
      [JSON.stringify({ ...ADA, password: 'wrong' }), 401],
      ['', 401],
    ] as const) {
      const question = { method: 'POST', path: '/auth/login', headers, body }
      expect((await ask(parsed.url, question)).status).toBe(status)
    }
    await parsed.close()
  })
})

describe('a body that is longer than the limit, and without a length', () => {
  it.each([
    { 'Content-Type': JSON_TYPE },
    // No parser takes these.
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'unknown' },
  ])('%j: is refused once', async (headers) => {
    const errors: unknown[] = []
    const bodies: IncomingMessage[] = []
    const step = login({ key: 'a secret', users: () => [] })
    const watched: RequestHandler = (request, response, next) => {
      bodies.push(request)
      step(request, response, (error) => {
        errors.push(error)
        next(error)
      })
    }
    const listening = await serveHandlers(watched)
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' }
    const body = Buffer.alloc(20_000, 'a')
    await ask(listening.url, { method: 'POST', path: '/auth/login', headers: chunked, body })
    await until(() => bodies[0]?.closed === true)
    expect(errors).toHaveLength(1)
    await listening.close()
  })
})

function post(body: string | Buffer, headers: Record<string, string>): Promise<Answer> {
  return ask(server.url, { method: 'POST', path: '/auth/login', headers, body })
}

function expectUnauthorized(answer: Answer): void {
  expect(answer.status).toBe(401)
  expect(answer.text).toBe('"Unauthorized"')
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['www-authenticate']).toBe('Bearer')
}

function expectError(answer: Answer, status: number): void {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual({ error: expect.stringMatching(/^[A-Z][^\n]*\.$/) })
}

test.each([
  { body: '' },
  { body: 'null' },
  { body: 'true' },
  { body: '1' },
  { body: '"text"' },
  { body: '[]' },
  { body: `[${JSON.stringify(ADA)}]` },
  { body: '{}' },
  { body: '{"email":"ada@example.com"}' },
  { body: '{"password":"lovelace"}' },
  { body: '{"email":"ada@example.com","password":"wrong"}' },
  { body: '{"email":"ada@example.com","password":""}' },
  { body: '{"email":"ada@example.com","password":"hopper"}' },
  { body: '{"email":"ADA@example.com","password":"lovelace"}' },
  { body: '{"email":"ada@example.com ","password":"lovelace"}' },
  { body: '{"email":"ada@example.com","password":["lovelace"]}' },
  { body: '{"email":["ada@example.com"],"password":"lovelace"}' },
  { body: '{"email":{"$ne":null},"password":{"$ne":null}}' },
  { body: '{"email":1,"password":2}' },
  { body: '{"__proto__":{"email":"ada@example.com","password":"lovelace"}}' },
  { body: '{"email":"missing@example.com"}' },
  { body: '{"email":"missing@example.com","password":""}' },
  { body: '{"email":"missing@example.com","password":"undefined"}' },
  { body: '{"email":"null@example.com","password":null}' },
  { body: '{"email":"null@example.com","password":"null"}' },
  { body: '{"email":"null@example.com","password":""}' },
  { body: '{"email":"number@example.com","password":5}' },
  { body: '{"email":"number@example.com","password":"5"}' },
  { body: '{"password":"no email"}' },
  { body: '{"email":"","password":"no email"}' },
])('POST /auth/login with the JSON $body -> 401', async ({ body }) => {
  expectUnauthorized(await post(body, { 'Content-Type': JSON_TYPE }))
})

test.each([
  { body: '' },
  { body: '%' },
  { body: 'email=ada@example.com' },
  { body: 'email=ada@example.com&password=wrong' },
  { body: 'email=ada@example.com&email=ada@example.com&password=lovelace' },
  { body: 'email=ada@example.com&password=lovelace&password=lovelace' },
  { body: 'email[]=ada@example.com&password=lovelace' },
  { body: 'email=number@example.com&password=5' },
])('POST /auth/login with the form $body -> 401', async ({ body }) => {
  expectUnauthorized(await post(body, { 'Content-Type': FORM_TYPE }))
})

test.each<Record<string, string>>([
  {},
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/xml' },
])('POST /auth/login with the headers %j -> 401: the body is not read', async (headers) => {
  expectUnauthorized(await post(JSON.stringify(ADA), headers))
})

test('a wrong password and missing fields get the same bytes and headers', async () => {
  const wrong = await post('{"email":"ada@example.com","password":"x"}', { 'Content-Type': JSON_TYPE })
  const missing = await post('null', { 'Content-Type': JSON_TYPE })
  expect(missing.text).toBe(wrong.text)
  expect({ ...missing.headers, date: '' }).toEqual({ ...wrong.headers, date: '' })
})

test.each(['{', 'nonsense', '{"email":"ada@example.com",}', "{'email':'ada@example.com'}"])(
  'POST /auth/login with the malformed JSON %s -> 400',
  async (body) => {
    const answer = await post(body, { 'Content-Type': JSON_TYPE })
    expectError(answer, 400)
    expect(answer.text).not.toContain('ada@example.com')
  },
)

test.each([
  { bytes: 10 * 1024, status: 401 },
  { bytes: 10 * 1024 + 1, status: 413 },
])('POST /auth/login with $bytes bytes -> $status', async ({ bytes, status }) => {
  const body = '{"email":"ada@example.com"}'.padEnd(bytes)
  const answer = await post(body, { 'Content-Type': JSON_TYPE })
  if (status === 413) expectError(answer, 413)
  else expectUnauthorized(answer)
})

test('POST /auth/login with a body in chunks that never ends -> 413 at its limit', async () => {
  const client = request(server.url, {
    method: 'POST',
    path: '/auth/login',
    headers: { 'Content-Type': JSON_TYPE, 'Transfer-Encoding': 'chunked' },
  })
  client.on('error', () => {})
  client.write(' '.repeat(10 * 1024 + 1))
  const [response] = await once(client, 'response')
  expect(response.statusCode).toBe(413)
  client.destroy()
})

test('POST /auth/login with a small body that unzips to a large one -> 413', async () => {
  const body = gzipSync(' '.repeat(1_000_000))
  expectError(await post(body, { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' }), 413)
})

test.each<[string, (body: string) => Buffer]>([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])(
  'POST /auth/login with a body in %s -> 200, or a 415 that does not suggest it',
  async (encoding, encode) => {
    const { status, text } = await post(encode(JSON.stringify(ADA)), {
      'Content-Type': JSON_TYPE,
      'Content-Encoding': encoding,
    })
    expect({ encoding, status }).toEqual({ encoding, status: encoding === 'br' ? 415 : 200 })
    if (status === 415) {
      const error = expect.stringContaining('Content-Encoding')
      expect(JSON.parse(text)).toEqual({ error })
    }
  },
)

test('POST /auth/login with a form of too many fields -> 413', async () => {
  const body = Array.from({ length: 1001 }, (_, index) => `f${index}=`).join('&')
  expectError(await post(body, { 'Content-Type': FORM_TYPE }), 413)
})

test.each<{ title: string; headers: Record<string, string>; status: number }>([
  { title: 'another charset', headers: { 'Content-Type': 'application/json; charset=latin1' }, status: 415 },
  { title: 'another charset', headers: { 'Content-Type': `${FORM_TYPE}; charset=latin1` }, status: 415 },
  {
    title: 'UTF-16 as charset',
    headers: { 'Content-Type': 'application/json; charset=utf-16' },
    status: 400,
  },
  {
    title: 'another encoding',
    headers: { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'x-none' },
    status: 415,
  },
  {
    title: 'an encoding it does not have',
    headers: { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' },
    status: 400,
  },
])('POST /auth/login with $title, $headers -> $status', async ({ headers, status }) => {
  expectError(await post(JSON.stringify(ADA), headers), status)
})

test.each([
  { title: 'a charset in upper case', headers: { 'Content-Type': 'application/json; charset=UTF-8' } },
  { title: 'a type in upper case', headers: { 'Content-Type': 'Application/JSON' } },
])('POST /auth/login with $title -> 200', async ({ headers }) => {
  expect((await post(JSON.stringify(ADA), headers)).status).toBe(200)
})

test.each([
  { title: 'no users', data: { blogs: [] } },
  { title: 'a singular resource named users', data: { users: { ...ADA } } },
])('POST /auth/login with $title in the data -> 401', async ({ data }) => {
  const other = await serveApp({ data })
  const answer = await ask(other.url, {
    method: 'POST',
    path: '/auth/login',
    headers: { 'Content-Type': JSON_TYPE },
    body: JSON.stringify(ADA),
  })
  expectUnauthorized(answer)
  await other.close()
})
