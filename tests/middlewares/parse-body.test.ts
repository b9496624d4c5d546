import { parseBody } from '../../middlewares/parse-body'
import { ask, json, serveHandlers, type TestServer } from '../support/http'

const JSON_TYPE = 'application/json'
const PATCH_TYPE = 'application/merge-patch+json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(parseBody(), (request, response) => {
    response.json({ body: request.body })
  })
})
afterAll(() => server.close())

test.each([
  { type: JSON_TYPE, body: '{"a":1}', parsed: { a: 1 } },
  { type: JSON_TYPE, body: '[1]', parsed: [1] },
  { type: JSON_TYPE, body: '', parsed: {} },
  { type: FORM_TYPE, body: 'a=1&b=x+y', parsed: { a: '1', b: 'x y' } },
  { type: FORM_TYPE, body: 'a[b]=1', parsed: { 'a[b]': '1' } },
  { type: PATCH_TYPE, body: '{"a":null}', parsed: { a: null } },
  { type: 'text/plain', body: '{"a":1}', parsed: {} },
])('$type $body is read as $parsed', async ({ type, body, parsed }) => {
  const answer = await ask(server.url, { method: 'POST', path: '/', headers: { 'Content-Type': type }, body })
  expect(answer.status).toBe(200)
  expect(json(answer)).toEqual({ body: parsed })
})

test.each(['{"a":', 'null', '"text"', '1', 'true', ' '])('the JSON %s -> 400', async (body) => {
  const headers = { 'Content-Type': JSON_TYPE }
  const answer = await ask(server.url, { method: 'POST', path: '/', headers, body })
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error: expect.stringContaining('JSON') })
})

test.each([
  { type: JSON_TYPE, bytes: 10 * 1024 * 1024, status: 200 },
  { type: JSON_TYPE, bytes: 10 * 1024 * 1024 + 1, status: 413, limit: '10,240 kB' },
  { type: PATCH_TYPE, bytes: 10 * 1024 * 1024 + 1, status: 413, limit: '10,240 kB' },
  { type: FORM_TYPE, bytes: 100 * 1024, status: 200 },
  { type: FORM_TYPE, bytes: 100 * 1024 + 1, status: 413, limit: '100 kB' },
])('$type of $bytes bytes -> $status', async ({ type, bytes, status, limit = '' }) => {
  const body = type === FORM_TYPE ? 'a='.padEnd(bytes, 'x') : '{}'.padEnd(bytes)
  const answer = await ask(server.url, { method: 'POST', path: '/', headers: { 'Content-Type': type }, body })
  expect(answer.status).toBe(status)
  if (status === 413) {
    expect(json(answer)).toEqual({ error: expect.stringContaining(limit) })
  }
})
