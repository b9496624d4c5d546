import { isAllowed, isNamed, readAllowed } from '../../../lib/auth/allow-rules'

describe('readAllowed', () => {
  it.each([
    'GET /posts',
    'POST /users',
    'PATCH /posts/:id',
    'DELETE /a/b/c',
    'PUT /posts/7',
    'GET /v1.0/my-posts_x~',
  ])('accepts %s', (text) => {
    const [method, path] = text.split(' ')
    expect(readAllowed([text])).toEqual([
      { method, path, lines: [{ method, path }], matches: expect.any(Function) },
    ])
  })

  it.each([
    '',
    'all',
    'GET',
    '/posts',
    'get /posts',
    'HEAD /posts',
    'OPTIONS /posts',
    'GET posts',
    'GET  /posts',
    ' GET /posts',
    'GET /posts ',
    'GET /',
    'GET /posts/',
    'GET //posts',
    'GET /*',
    'GET /posts/*',
    'GET /posts*',
    'GET /:id',
    'GET /:resource',
    'GET /posts/:name',
    'GET /posts/:id/comments',
    'GET /posts/:id?',
    'GET /posts/(.*)',
    'GET /posts?_embed=x',
    'GET /posts#x',
    'GET /p%6Fsts',
    'GET /posts/..',
    'GET /./posts',
    'GET /posts\n',
    'GET /pösts',
  ])('refuses %j with a sentence', (text) => {
    expect(() => readAllowed([text])).toThrow(/a method and .*:id.*\.$/)
  })
})

describe('isAllowed', () => {
  const rules = readAllowed(['GET /posts', 'PATCH /posts/:id', 'DELETE /posts/7'])

  it.each([
    ['GET', '/posts'],
    ['HEAD', '/posts'],
    ['PATCH', '/posts/1'],
    ['PATCH', '/posts/%2F'],
    ['DELETE', '/posts/7'],
  ])('%s %s', (method, path) => expect(isAllowed(rules, method, path)).toBe(true))

  it.each([
    ['POST', '/posts'],
    ['GET', '/posts/'],
    ['GET', '/Posts'],
    ['GET', '/posts/1'],
    ['HEAD', '/posts/1'],
    ['PATCH', '/posts/'],
    ['PATCH', '/posts/1/'],
    ['PATCH', '/posts/1/x'],
    ['DELETE', '/posts/07'],
    ['DELETE', '/posts/%37'],
    ['OPTIONS', '/posts'],
  ])('not %s %s', (method, path) => expect(isAllowed(rules, method, path)).toBe(false))
})

test.each([
  ['GET', '/posts', true],
  ['HEAD', '/posts', true],
  ['POST', '/posts', false],
  ['GET', '/posts/7', false],
  ['GET', '/posts/:id', false],
])('whether a rule names each part of %s %s: %j', (method, path, expected) => {
  expect(isNamed(readAllowed(['GET /posts', 'GET /posts/:id']), method, path)).toBe(expected)
})
