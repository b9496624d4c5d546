import { serveApp, testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, authorized, json, logIn } from '../../support/http'

const { start } = testApps()

const data = sampleData

test.each([
  { why: 'a list', request: 'GET /users?q[a]=b', status: 400 },
  { why: 'the headers of a list', request: 'HEAD /users?q[a]=b', status: 400 },
  { why: 'a slash at the end', request: 'GET /users/?q[a]=b', status: 400 },
  { why: 'a name in capitals', request: 'GET /USERS?q[a]=b', status: 400 },
  { why: 'a nested list', request: 'GET /posts/1/users?q[a]=b', status: 400 },
  { why: 'an encoded letter in a nested name', request: 'GET /posts/1/%75sers?q[a]=b', status: 400 },
  {
    why: 'an encoded slash after a nested name',
    request: 'GET /posts/1/comments%2F?_sort=a&_sort=b',
    status: 400,
  },
  {
    why: 'an encoded question mark after it',
    request: 'GET /posts/1/comments%3F?_sort=a&_sort=b',
    status: 400,
  },
  { why: 'an encoded hash after it', request: 'GET /posts/1/comments%23?_sort=a&_sort=b', status: 400 },
  { why: 'an encoded space after it', request: 'GET /posts/1/comments%20?_sort=a&_sort=b', status: 400 },
  { why: 'a record', request: 'GET /users/1?_embed[a]=b', status: 400 },
  { why: 'a record below a nested name', request: 'GET /posts/1/comments%2F1?_expand[a]=b', status: 400 },
  // json-server reads these for a list only, so they do no harm elsewhere.
  { why: 'a record', request: 'GET /users/1?q[a]=b', status: 200 },
  { why: 'a singular resource', request: 'GET /profile?q[a]=b', status: 200 },
  { why: 'a record below a nested name', request: 'GET /posts/1/comments%2F1?q[a]=b', status: 200 },
  { why: 'a record, sorted', request: 'GET /users/1?_sort=a&_sort=b', status: 200 },
  { why: 'a singular resource, sorted', request: 'GET /profile?_sort=a&_sort=b', status: 200 },
  { why: 'a DELETE', request: 'DELETE /users/1?q[a]=b', status: 200 },
  { why: 'an honest search', request: 'GET /users?q=a', status: 200 },
  { why: 'the whole data', request: 'GET /db?q[a]=b', status: 200 },
  { why: 'no such resource', request: 'GET /nothing?q[a]=b', status: 404 },
  { why: 'no such nested resource', request: 'GET /posts/1/nothing?q[a]=b', status: 404 },
  { why: 'a nested name that cannot be decoded', request: 'GET /posts/1/%E0%A4%A?q=b', status: 400 },
  {
    why: 'a nested name that cannot be decoded twice',
    request: 'GET /posts/1/comments%2F%25E0?q=b',
    status: 400,
  },
])('$why: $request -> $status', async ({ request, status }) => {
  const [method = '', path = ''] = request.split(' ')
  const app = await start({ data: data() })
  expect((await app.send(method, path)).status).toBe(status)
})

test.each([
  { why: 'an array of what is no record', request: 'POST /users', body: '[1]', status: 400 },
  { why: 'an array in the place of a record', request: 'PUT /users/1', body: '[]', status: 400 },
  { why: 'null', request: 'PATCH /users/1', body: 'null', status: 400 },
  { why: 'an array of changes', request: 'PATCH /users/1', body: '[]', status: 400 },
  { why: 'an array in the place of a singular resource', request: 'PUT /profile', body: '[]', status: 400 },
  {
    why: 'an array of what is no record, below a record',
    request: 'POST /posts/1/comments',
    body: '[1]',
    status: 400,
  },
  { why: 'a string below a record', request: 'POST /posts/1/comments', body: '"text"', status: 400 },
  {
    why: 'an array, an encoded slash after the name',
    request: 'POST /posts/1/comments%2F',
    body: '[1]',
    status: 400,
  },
  {
    why: 'the prototype, a name in capitals',
    request: 'POST /posts/1/COMMENTS%2F',
    body: '{"__proto__":1}',
    status: 400,
  },
  {
    why: 'an infinite id, an encoded question mark after the name',
    request: 'POST /posts/1/comments%3F',
    body: '{"id":1e400}',
    status: 400,
  },
  {
    why: 'a field toString, an encoded hash after the name',
    request: 'POST /posts/1/comments%23',
    body: '{"a":{"toString":1}}',
    status: 400,
  },
  {
    why: 'an array, an encoded space after the name',
    request: 'POST /posts/1/comments%20',
    body: '[1]',
    status: 400,
  },
  {
    why: 'an array, an encoded letter in the name',
    request: 'POST /posts/1/%63omments',
    body: '[1]',
    status: 400,
  },
  {
    why: '2,500 levels, below a singular resource',
    request: 'POST /posts/1/profile%2f',
    body: `{"a":${'['.repeat(2500)}${']'.repeat(2500)}}`,
    status: 400,
  },
  { why: "a user's own route", request: 'POST /own/endpoint', body: '[]', status: 404 },
  { why: 'an array with a DELETE', request: 'DELETE /users/1', body: '[]', status: 200 },
  { why: 'an id that is a string', request: 'POST /users', body: '{"id":"a"}', status: 201 },
  { why: 'an id that is a number', request: 'POST /users', body: '{"id":7}', status: 201 },
  {
    why: 'an id beyond the safe integers',
    request: 'POST /users',
    body: '{"id":9007199254740992}',
    status: 400,
  },
  { why: 'an infinite id', request: 'POST /users', body: '{"id":1e400}', status: 400 },
  { why: 'an id that is an object', request: 'POST /users', body: '{"id":{"a":1}}', status: 400 },
  { why: 'an id that is a boolean', request: 'POST /users', body: '{"id":true}', status: 400 },
  {
    why: 'an id that is an array, below a record',
    request: 'POST /posts/1/users',
    body: '{"id":[1]}',
    status: 400,
  },
  // The id of the path stays.
  {
    why: 'another id for the record of the path',
    request: 'PUT /users/1',
    body: '{"id":{"a":1}}',
    status: 200,
  },
  { why: 'changes with another id', request: 'PATCH /users/1', body: '{"id":true}', status: 200 },
  // A singular resource has no identity, so its id is a field like any other.
  { why: 'a singular resource with an id', request: 'POST /profile', body: '{"id":{"a":1}}', status: 201 },
])('$why: $request $body -> $status', async ({ request, body, status }) => {
  const [method = '', path = ''] = request.split(' ')
  const given = data()
  const server = await serveApp({ data: given })
  const headers = authorized(await logIn(server.url))
  expect((await ask(server.url, { method, path, headers, body })).status).toBe(status)
  if (status >= 400) expect(given).toEqual(data())
  await server.close()
})

test('the given id property is checked', async () => {
  const app = await start({ data: { ...sampleData(), likes: [] }, idProperty: 'key' })
  expect((await app.send('POST', '/likes', { id: {} })).status).toBe(201)
  const refused = await app.send('POST', '/likes', { key: {} })
  expect(refused.status).toBe(400)
  expect(json(refused)).toEqual({ error: expect.stringContaining('"key"') })
})
