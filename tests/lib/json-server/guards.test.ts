import type { RequestHandler } from 'express'
import { checkBody, checkId } from '../../../lib/json-server/guards'
import { checkListQuery, checkRelations } from '../../../lib/json-server/query-checks'
import { parseBody } from '../../../middlewares/parse-body'
import { ask, json, serveHandlers, type TestServer } from '../../support/http'

/** Responds with the body that would have reached the router. */
const echo: RequestHandler = (request, response) => {
  checkBody(request, request.body)
  response.json(request.body)
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
}

/** Checks the query of a record, or of `/list`. */
const checkQuery: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET') return next()
  checkRelations(request.query)
  if (request.path === '/list') checkListQuery(request.query)
  response.status(204).end()
}

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(checkQuery, parseBody(), echo)
})
afterAll(() => server.close())

test.each([
  { why: 'an array', body: '[]', status: 400 },
  { why: 'an array of records', body: '[{"title":"x"}]', status: 400 },
  { why: 'null', body: 'null', status: 400 },
  { why: 'true', body: 'true', status: 400 },
  { why: 'a number', body: '1', status: 400 },
  { why: 'a string', body: '"text"', status: 400 },
  { why: 'a prototype', body: '{"__proto__":{"admin":true}}', status: 400 },
  { why: 'a prototype in a field', body: '{"a":{"__proto__":1}}', status: 400 },
  { why: 'a prototype in a record in an array', body: '{"a":[{"b":{"__proto__":{}}}]}', status: 400 },
  { why: 'a field toString', body: '{"toString":1}', status: 400 },
  { why: 'a field toString in an array', body: '{"a":[{"toString":null}]}', status: 400 },
  { why: '101 levels of objects', body: nested(101), status: 400 },
  { why: '101 levels of arrays', body: `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, status: 400 },
  { why: '5,000 levels', body: nested(5000), status: 400 },
  { why: 'half a brace', body: '{', status: 400 },
  { why: 'an empty body', body: '', status: 200 },
  { why: 'an empty object', body: '{}', status: 200 },
  { why: 'a field constructor', body: '{"constructor":{"prototype":1}}', status: 200 },
  { why: 'fields that each object has', body: '{"valueOf":1,"hasOwnProperty":2,"length":3}', status: 200 },
  { why: 'such names as values', body: '{"a":"__proto__","b":["toString"]}', status: 200 },
  { why: 'empty values', body: '{"a":null,"b":[],"c":false}', status: 200 },
  { why: '100 levels of objects', body: nested(100), status: 200 },
  { why: '100 levels of arrays', body: `{"a":${'['.repeat(99)}${']'.repeat(99)}}`, status: 200 },
])('$why as JSON -> $status', async ({ body, status }) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await ask(server.url, { method: 'POST', path: '/', headers, body })
  expect(answer.status).toBe(status)
  if (status === 200) expect(json(answer)).toEqual(JSON.parse(body || '{}'))
  else expect(json(answer)).toEqual({ error: expect.stringMatching(/^The .*\.$/) })
})

test.each<{ why: string; type: Record<string, string>; body: string; status: number }>([
  { why: 'JSON without a type', type: {}, body: '{}', status: 415 },
  { why: 'JSON as text', type: { 'Content-Type': 'text/plain' }, body: '{}', status: 415 },
  { why: 'XML', type: { 'Content-Type': 'application/xml' }, body: '<a/>', status: 415 },
  {
    why: 'a form with files',
    type: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x--',
    status: 415,
  },
  { why: 'nothing as text', type: { 'Content-Type': 'text/plain' }, body: '', status: 200 },
  { why: 'nothing without a type', type: {}, body: '', status: 200 },
  { why: 'a form', type: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1', status: 200 },
  {
    why: 'JSON in UTF-8',
    type: { 'Content-Type': 'application/json; charset=utf-8' },
    body: '{"a":"1"}',
    status: 200,
  },
  {
    why: 'text in chunks',
    type: { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' },
    body: 'x',
    status: 415,
  },
])('$why -> $status', async ({ type, body, status }) => {
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
  1.5,
  -Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  '🍵',
  'é'.repeat(1000),
])('the id %p is left to json-server', (id) => {
  expect(() => checkId(id, 'id')).not.toThrow()
})

test.each([
  Number.MAX_SAFE_INTEGER + 1,
  Number.POSITIVE_INFINITY,
  -1e300,
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
      message: expect.stringContaining('"key"'),
    }),
  )
})

/** A query, whether it is let through for a list and for a record, and what names the fault in a refusal. */
test.each([
  { query: '', list: 204, record: 204 },
  { query: 'id=1&id=2', list: 204, record: 204 },
  { query: 'id[]=1&id[]=2', list: 204, record: 204 },
  { query: 'id[]=1', list: 204, record: 204 },
  { query: Array.from({ length: 100 }, (_, id) => `id=${id}`).join('&'), list: 204, record: 204 },
  { query: 'author.name=typicode', list: 204, record: 204 },
  { query: '_sort=title,views&_order=asc,desc', list: 204, record: 204 },
  { query: '_start=1&_end=2&_limit=3&_page=4', list: 204, record: 204 },
  { query: '_embed=comments&_embed=tags', list: 204, record: 204 },
  { query: '_expand[]=post&_expand[]=user', list: 204, record: 204 },
  { query: 'title_like=^Hel%2Bo', list: 204, record: 204 },
  { query: 'title_like=a&title_like=b', list: 204, record: 204 },
  { query: 'title_like=', list: 204, record: 204 },
  { query: 'title_like=%5Cba%5Cb|%5Cbc%5Cb', list: 204, record: 204 },
  { query: `title_like=${'a'.repeat(500)}`, list: 204, record: 204 },
  { query: `title_like=${'a'.repeat(300)}&title_like=${'b'.repeat(300)}`, list: 204, record: 204 },
  { query: `title=${'a'.repeat(501)}`, list: 204, record: 204 },
  { query: `like_title=${'%5Cb'.repeat(5)}`, list: 204, record: 204 },
  { query: 'q=(', list: 204, record: 204 },
  { query: `_sort=${'a,'.repeat(900)}a`, list: 204, record: 204 },
  { query: 'toString=x&constructor=y', list: 204, record: 204 },
  { query: Array.from({ length: 200 }, (_, index) => `field${index}=1`).join('&'), list: 204, record: 204 },
  { query: Array(200).fill('id_gte=1').join('&'), list: 204, record: 204 },
  { query: Array(900).fill('id_ne=1').join('&'), list: 204, record: 204 },
  { query: Array(900).fill('id=1').join('&'), list: 204, record: 204 },
  { query: Array(200).fill('_embed=comments').join('&'), list: 204, record: 204 },
  { query: 'q[a]=b', list: 400, record: 204, fault: '"q"' },
  { query: 'q=a&q[b]=c', list: 400, record: 204, fault: '"q"' },
  // Whether a parameter is a field depends on the data.
  { query: 'page[number]=1&author[name]=a&callback[a]=b', list: 204, record: 204 },
  { query: '_expand[a]=b', list: 400, record: 400, fault: '"_expand"' },
  { query: 'title_like[toString]=a', list: 400, record: 204, fault: '"title_like"' },
  { query: '_sort[a]=b', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort=a&_sort=b', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort[]=a', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort=a&_order=asc&_order=desc', list: 400, record: 204, fault: '"_order"' },
  { query: `title_like=${'a'.repeat(501)}`, list: 400, record: 204, fault: '"title_like"' },
  {
    query: `title_like=${'%5Cb%5CB'.repeat(2)}%5Cb`,
    list: 400,
    record: 204,
    fault: 'more than 4 word boundaries',
  },
])('?$query -> $list for a list, $record for a record', async ({ query, list, record, fault }) => {
  for (const [path, status] of [
    ['/list', list],
    ['/record', record],
  ]) {
    const answer = await ask(server.url, { path: `${path}?${query}` })
    expect(answer.status).toBe(status)
    if (status === 400) expect(json(answer)).toEqual({ error: expect.stringContaining(String(fault)) })
  }
})
