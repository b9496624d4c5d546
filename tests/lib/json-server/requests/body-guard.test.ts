import type { RequestHandler } from 'express'
import { checkBody, checkId } from '../../../../lib/json-server/requests/body-guard'
import { parseBody } from '../../../../middlewares/parse-body'
import { ask, json, serveHandlers, type TestServer } from '../../../support/http'

/** Responds with the body that would have reached the router. */
const echo: RequestHandler = (request, response) => {
  checkBody(request)
  response.json(request.body)
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
}

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(parseBody(), echo)
})
afterAll(() => server.close())

test.each([
  { body: '[]', status: 400 },
  { body: '[{"title":"x"}]', status: 400 },
  { body: 'null', status: 400 },
  { body: 'true', status: 400 },
  { body: '1', status: 400 },
  { body: '"text"', status: 400 },
  { body: '{"__proto__":{"admin":true}}', status: 400 },
  { body: '{"a":{"__proto__":1}}', status: 400 },
  { body: '{"a":[{"b":{"__proto__":{}}}]}', status: 400 },
  { body: '{"toString":1}', status: 400 },
  { body: '{"a":[{"toString":null}]}', status: 400 },
  { body: nested(101), status: 400 },
  { body: `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, status: 400 },
  { body: nested(5000), status: 400 },
  { body: '{', status: 400 },
  { body: '', status: 200 },
  { body: '{}', status: 200 },
  { body: '{"constructor":{"prototype":1}}', status: 200 },
  { body: '{"valueOf":1,"hasOwnProperty":2,"length":3}', status: 200 },
  { body: '{"a":"__proto__","b":["toString"]}', status: 200 },
  { body: '{"a":null,"b":[],"c":false}', status: 200 },
  { body: nested(100), status: 200 },
  { body: `{"a":${'['.repeat(99)}${']'.repeat(99)}}`, status: 200 },
])('POST with the JSON $body -> $status', async ({ body, status }) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await ask(server.url, { method: 'POST', path: '/', headers, body })
  expect(answer.status).toBe(status)
  if (status === 200) expect(json(answer)).toEqual(JSON.parse(body || '{}'))
  else expect(json(answer)).toEqual({ error: expect.stringMatching(/^The .*\.$/) })
})

test.each<{ type: Record<string, string>; body: string; status: number }>([
  { type: {}, body: '{}', status: 415 },
  { type: { 'Content-Type': 'text/plain' }, body: '{}', status: 415 },
  { type: { 'Content-Type': 'application/xml' }, body: '<a/>', status: 415 },
  { type: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x--', status: 415 },
  { type: { 'Content-Type': 'text/plain' }, body: '', status: 200 },
  { type: {}, body: '', status: 200 },
  { type: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1', status: 200 },
  { type: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"a":"1"}', status: 200 },
  { type: { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }, body: 'x', status: 415 },
])('POST with the type $type and the body $body -> $status', async ({ type, body, status }) => {
  const answer = await ask(server.url, { method: 'POST', path: '/', headers: type, body })
  expect(answer.status).toBe(status)
  if (status === 200) expect(json(answer)).toEqual(body === '' ? {} : { a: '1' })
  else expect(json(answer)).toEqual({ error: expect.stringContaining('Content-Type: application/json') })
})

test.each([
  undefined,
  null,
  '',
  'a1b2',
  '__proto__',
  0,
  -1,
  7,
  Number.MAX_SAFE_INTEGER,
  '🍵',
  'é'.repeat(1000),
])('the id %p is left to json-server', (id) => {
  expect(() => checkId(id, 'id')).not.toThrow()
})

test.each([
  Number.MAX_SAFE_INTEGER + 1,
  Number.POSITIVE_INFINITY,
  1.5,
  true,
  {},
  [],
  [1],
  'a'.repeat(1001),
  '\ud83c',
  'a\udf75b',
])('the id %p is refused', (id) => {
  expect(() => checkId(id, 'key')).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(/^"key" must be .*(, or be left out|: no URL leads to another)\.$/),
    }),
  )
})
