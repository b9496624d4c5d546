import { documentOf } from '../../support/document-of'
import { sampleData } from '../../support/helpers'
import { rewriteRules } from '../../support/legitimate-data'

const PROTECTED = [{ bearerAuth: [] }]

/** `METHOD path`, with a star where it is protected. */
function operations(document: ReturnType<typeof documentOf>): string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { security }]) => `${method.toUpperCase()} ${path}${security.length > 0 ? ' *' : ''}`,
    ),
  )
}

test('every resource with every method, and what needs a token', () => {
  const { blogs = [], users = [], profile } = sampleData()
  expect(operations(documentOf({ blogs, users, profile })).sort()).toEqual(
    [
      'POST /auth/login',
      'GET /api/users.php',
      'GET /blogs',
      'GET /blogs/{id}',
      'GET /blog/{id}',
      ...['GET /db', 'POST /blogs', 'PUT /blogs/{id}', 'PATCH /blogs/{id}', 'DELETE /blogs/{id}'].map(
        protect,
      ),
      ...['GET /users', 'POST /users', 'GET /users/{id}', 'PUT /users/{id}', 'PATCH /users/{id}'].map(
        protect,
      ),
      ...['DELETE /users/{id}', 'GET /profile', 'POST /profile', 'PUT /profile', 'PATCH /profile'].map(
        protect,
      ),
    ].sort(),
  )
})

test('the rewrite rules only where there are any', () => {
  expect(operations(documentOf(sampleData()))).not.toContain('GET /__rules *')
  expect(operations(documentOf(sampleData(), { '/a': '/blogs' }))).toContain('GET /__rules *')
})

function protect(operation: string): string {
  return `${operation} *`
}

test('fields with their types, formats and the first record as an example', () => {
  const { components } = documentOf({
    cats: [
      {
        id: 1,
        name: 'Tom',
        born: '2020-01-31',
        owner: { email: 'a@b.example' },
        lives: 9,
        tags: ['grey'],
        chip: null,
      },
      { id: 2, name: 'Kit', born: '2021-02-01', lives: 8.5, chip: 7, post: '2026/01/09' },
    ],
  })
  expect(components.schemas.Cat).toEqual({
    type: 'object',
    description: 'A record of `cats`.',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      born: { type: 'string', format: 'date' },
      owner: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
      lives: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      chip: { type: ['integer', 'null'] },
      post: { type: 'string', description: 'A date written as YYYY/MM/DD.' },
    },
    examples: [
      {
        id: 1,
        name: 'Tom',
        born: '2020-01-31',
        owner: { email: 'a@b.example' },
        lives: 9,
        tags: ['grey'],
        chip: null,
      },
    ],
  })
})

test('the parameters of a list', () => {
  const { paths } = documentOf(sampleData())
  expect(paths['/comments']?.get?.parameters?.map(({ name }) => name)).toEqual(
    (
      'q _sort _order _page _limit _start _end _embed _expand id id_ne id_gte id_lte id_like ' +
      'body body_ne body_gte body_lte body_like postId postId_ne postId_gte postId_lte postId_like'
    ).split(' '),
  )
  expect(paths['/posts']?.get?.parameters?.map(({ name }) => name)).toContain('author.name_like')
  expect(paths['/blogs']?.get?.parameters).toBeUndefined()
})

test('no secret shows, whatever its type and wherever else it stands', () => {
  const secrets = ['hunter2', 'hunter3', 'hunter4', 'hunter5', 'hunter6', '424242']
  const text = JSON.stringify(
    documentOf({
      users: [
        {
          id: 1,
          email: 'a@b.example',
          password: 'hunter2',
          apiKey: ['hunter3'],
          pinToken: 424242,
          hint: 'hunter2',
          note: 'It is hunter2, remember.',
          pin: 'hunter3',
        },
      ],
      notes: [{ id: 1, lines: ['hunter2', 'x'], auth: { client_secret: { value: 'hunter4' } } }],
      tokens: [{ id: 1, value: 'hunter5' }],
      settings: { passwords: { mia: 'hunter6' } },
    }),
  )
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(text).toContain('<password>')
})

test('values of mixed types can be sent as either, and what was always null as anything', () => {
  const { paths, components } = documentOf({
    posts: [
      { id: 1, userId: 1, size: 1e300 },
      { id: 'x', userId: '1', parentId: null },
    ],
  })
  const mixed = { type: ['string', 'integer'] }
  const parameters = paths['/posts']?.get?.parameters ?? []
  for (const name of ['id', 'userId'])
    expect(parameters.find((parameter) => parameter.name === name)?.schema).toEqual({
      anyOf: [mixed, { type: 'array', items: mixed }],
    })
  expect(paths['/posts/{id}']?.get?.parameters?.[0]?.schema).toEqual(mixed)
  expect(components.schemas.Post).toMatchObject({ properties: { parentId: {}, size: { type: 'number' } } })
})

test('relations: nested paths, and what is embedded and expanded', () => {
  const { paths, components } = documentOf(sampleData())
  expect(Object.keys(paths['/posts/{id}/comments'] ?? {})).toEqual(['get', 'post'])
  expect(components.schemas.PostWithRelations).toMatchObject({
    allOf: [
      {},
      { properties: { comments: { type: 'array', items: { $ref: '#/components/schemas/Comment' } } } },
    ],
  })
  expect(components.schemas.CommentWithRelations).toMatchObject({
    allOf: [{}, { properties: { post: { $ref: '#/components/schemas/Post' } } }],
  })
})

test('rewrite rules add the paths that they lead from', () => {
  const rewritten = operations(documentOf(sampleData(), rewriteRules))
  for (const operation of [
    'GET /api/blogs',
    'GET /api/posts/{id} *',
    'POST /api/auth/login',
    'DELETE /blog/{id} *',
    'GET /comments/{id}/show *',
    'GET /search/{word} *',
    'GET /articles *',
    'GET /newest *',
    'GET /api/newest *',
    'GET /api/db *',
  ])
    expect(rewritten).toContain(operation)
  expect(rewritten).not.toContain('GET /api/api/users.php')
  const { paths } = documentOf(sampleData(), rewriteRules)
  expect(paths['/articles']?.get?.parameters?.[0]).toMatchObject({ name: 'id', in: 'query', required: true })
  expect(paths['/newest']?.get?.parameters).toEqual([])
})

test('a rule can lead to one record, and through another rule', () => {
  const document = documentOf(sampleData(), {
    '/me': '/api/users/2',
    '/talk': '/posts/2/comments',
    '/users/1': '/profile',
    '/api/*': '/$1',
  })
  const { paths } = document
  expect(operations(document)).toEqual(
    expect.arrayContaining(['GET /me *', 'PUT /me *', 'POST /talk *', 'GET /users/{id} *']),
  )
  expect(paths['/me']?.get?.tags).toEqual(['users'])
  expect(paths['/me']?.get?.parameters?.filter((parameter) => parameter.in === 'path')).toEqual([])
  expect(paths['/users/1']?.get?.tags).toEqual(['profile'])
  expect(paths['/users/1']?.delete).toBeUndefined()
})

test('a path that a rule takes away is documented as what it is then', () => {
  const { paths } = documentOf(sampleData(), { '/posts': '/users' })
  expect(paths['/posts']?.get?.tags).toEqual(['users'])
})

test('a name that cannot stand in a path has no path, and the introduction says so', () => {
  const document = documentOf(
    { 'with space': [{ id: 1 }], 'a{b}': [], 'a+b': [], 'per%cent': [] },
    { '/spaced/*': '/with space$1' },
  )
  expect(operations(document)).toEqual([
    'GET /api/users.php',
    'POST /auth/login',
    'GET /db *',
    'GET /__rules *',
  ])
  expect(document.info.description).toContain('"with space", "a{b}", "a+b"')
})

test('a collection with the name of a page of the server has operations of its own', () => {
  const { paths } = documentOf({ Database: [{ id: 1 }], 'rewrite-rules': [{ id: 1 }] })
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((found) => found.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

test('with --read-only, no change is documented', () => {
  const methods = new Set(
    Object.values(documentOf(sampleData(), {}, { readOnly: true }).paths).flatMap((item) =>
      Object.keys(item),
    ),
  )
  expect([...methods].sort()).toEqual(['get', 'post'])
})

test('with --no-public, the collection is protected', () => {
  const { paths } = documentOf(sampleData(), {}, { publicCollection: false })
  expect(paths['/blogs']?.get?.security).toEqual(PROTECTED)
  expect(paths['/blog/{id}']).toBeUndefined()
})
