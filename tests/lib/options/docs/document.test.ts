import { readAllowed } from '../../../../lib/auth/allow-rules'
import type { Data } from '../../../../lib/data/valid-data'
import { sampleData } from '../../../support/data'
import type { OpenApiDocument } from './document-of'
import { documentOf, METHODS, parametersOf } from './document-of'

const PROTECTED = [{ bearerAuth: [] }]

/** `METHOD path`, with a star where it is protected. */
function operations({ paths, security: usual }: OpenApiDocument): string[] {
  expect(usual).toEqual(PROTECTED)
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { security = usual } = item[method] ?? {}
      return `${method.toUpperCase()} ${path}${security?.length === 0 ? '' : ' *'}`
    }),
  )
}

test('every resource with every method, and what needs a token', () => {
  const { blogs = [], users = [], profile } = sampleData()
  expect(operations(documentOf({ blogs, users, profile })).sort()).toEqual(
    [
      'POST /auth/login',
      'GET /auth/me *',
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

function protect(operation: string): string {
  return `${operation} *`
}

test('fields with their types, formats and the first record as an example where it is public', () => {
  const data = {
    cats: [
      {
        id: 1,
        name: 'Tom',
        born: '2020-01-31',
        seen: '2020-01-31',
        owner: { email: 'a@b.example' },
        lives: 9,
        tags: ['grey'],
        chip: null,
      },
      { id: 2, name: 'Kit', born: '2021-02-01', seen: 'never', lives: 8.5, chip: 7, post: '2026/01/09' },
    ],
  }
  const { components } = documentOf(data, {}, { publicCollection: 'cats' })
  const { id, ...others } = data.cats[0] ?? {}
  const properties = {
    name: { type: 'string' },
    born: { type: 'string', format: 'date' },
    seen: { type: 'string' },
    owner: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
    lives: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    chip: { type: ['integer', 'null'] },
    post: { type: 'string' },
  }
  expect(components.schemas?.Cat).toEqual({
    type: 'object',
    properties: { id: { type: 'integer' }, ...properties },
    required: ['id', 'name', 'born', 'seen', 'lives', 'chip'],
    examples: [{ id, ...others }],
  })
  expect(components.schemas?.CatInput).toEqual({ type: 'object', properties, examples: [others] })
  expect(JSON.stringify(documentOf(data).components.schemas)).not.toContain('examples')
})

test('a field that each record has is required where it is read, and never where it is sent', () => {
  const schemasOf = (data: Data) => documentOf(data).components.schemas
  const pets: unknown[] = [
    { id: 1, name: 'Tom', age: null, valueOf: 'text' },
    { id: 2, name: 'Kit', age: 2 },
  ]
  const found = schemasOf({ pets, settings: { dark: true, run: () => 1 } })
  expect(found?.Pet).toMatchObject({ required: ['id', 'name', 'age'] })
  expect(found?.Settings).toMatchObject({ required: ['dark'] })
  expect([found?.PetInput, found?.SettingsInput]).toEqual([
    expect.not.objectContaining({ required: expect.anything() }),
    expect.not.objectContaining({ required: expect.anything() }),
  ])
  for (const data of [{ pets: [{ id: 1, name: 'Tom' }, { id: 2 }] }, { pets: [] }])
    expect(schemasOf(data)?.Pet).toMatchObject({ required: ['id'] })
})

test('the parameters of a list', () => {
  const document = documentOf(sampleData())
  const names = (path: string) => parametersOf(document, path).map(({ name }) => name)
  expect(names('/comments')).toEqual(
    'q _sort _order _page _limit _start _end filters _embed _expand'.split(' '),
  )
  expect(names('/comments/{id}')).toEqual(['id', '_embed', '_expand'])
  expect(names('/profile')).toEqual([])
  expect(names('/posts/{id}/comments')).toEqual(['id', ...names('/comments')])
  expect(names('/blogs')).toEqual([])
})

test('nothing of a protected record is shown, whatever its type and wherever it is', () => {
  const record = (id: number) => ({
    id: 424242 + id,
    email: `mia${id}@private.example`,
    password: `hunter${id}`,
    salary: 313131 + id,
    born: `1999-09-${10 + id}`,
    phones: [`+49 171 ${id}`],
    address: { street: `Hidden Street ${id}`, geo: { lat: 51.515151 + id } },
  })
  const records = [record(1), record(2)]
  const document = documentOf({ users: records, tokens: records, settings: records[0], blogs: [{ id: 1 }] })
  const text = JSON.stringify(document)
  for (const value of [424243, 'private', 'hunter', 313132, '1999', '+49', 'Hidden', 52.515151])
    expect(text).not.toContain(String(value))
  expect(text).toContain('"email":{"type":"string","format":"email"}')
})

test('the login is filled in with the user of the sample data, and with nobody else: then it says to type', () => {
  const filledInWith = (email: string, password: string) => {
    const properties = { email: { examples: [email] }, password: { examples: [password] } }
    return { schema: { properties } }
  }
  const sample = documentOf({}, {}, { shownLogin: { email: 'mia@example.com', password: 'sourdough' } })
  const own = documentOf({ users: [{ id: 1, email: 'a@b.example', password: 'x' }] })
  for (const [document, expected] of [
    [sample, filledInWith('mia@example.com', 'sourdough')],
    [own, filledInWith('user@example.com', 'password')],
  ] as const) {
    expect(document.paths['/auth/login']?.post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': expected, 'application/x-www-form-urlencoded': expected },
    })
  }
  expect(own.paths['/auth/login']?.post?.description).toContain('type yours')
})

test('values of mixed types can be sent as either, and what was always null as anything', () => {
  const document = documentOf({
    posts: [
      { id: 1, userId: 1, size: 1e300 },
      { id: 'x', userId: '1', parentId: null },
    ],
  })
  const id = { type: ['integer', 'string'] }
  const userId = { type: ['string', 'integer'] }
  expect(parametersOf(document, '/posts/{id}')[0]?.schema).toEqual({ type: 'string' })
  expect(document.components.schemas?.Post).toMatchObject({ properties: { id, userId } })
  expect(document.components.schemas?.PostInput).toMatchObject({
    properties: { userId, parentId: {}, size: { type: 'number' } },
  })
})

test.each([
  ['email', ['mia.k+1@mail.example.com', 'a_b@c-d.example'], ['mia@localhost', '@mia', 'a b@c.example']],
  ['date', ['2024-02-29'], ['2024/02/29', '29-02-2024', 'on 2024-02-29']],
  [
    'date-time',
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.123+02:00'],
    ['2024-02-29T10:00', '2024-02-29'],
  ],
  ['uuid', ['3b241101-e2bb-4255-8caf-4136c566a962'], ['3b241101e2bb42558caf4136c566a962']],
])('texts of the format %s, and others', (format, texts, others) => {
  const fieldOf = (values: string[]) => {
    const { components } = documentOf({ posts: values.map((field) => ({ field })) })
    return components.schemas.PostInput?.properties
  }
  expect(fieldOf(texts)).toEqual({ field: { type: 'string', format } })
  for (const other of others) expect(fieldOf([...texts, other])).toEqual({ field: { type: 'string' } })
})

test('a date of a JavaScript source is described as the text that is sent', () => {
  const { components } = documentOf({ posts: [{ id: 1, at: new Date(0) }] })
  expect(components.schemas?.PostInput).toMatchObject({
    properties: { at: { type: 'string', format: 'date-time' } },
  })
})

test('records that refer to a collection are nested in its records', () => {
  expect(operations(documentOf(sampleData()))).toEqual(
    expect.arrayContaining(['GET /posts/{id}/comments *', 'POST /posts/{id}/comments *']),
  )
})

test('a singular resource refers to nothing, and nothing refers to one', () => {
  const { paths } = documentOf({ users: { name: 'Mia', postId: 1 }, posts: [{ id: 1, userId: 1 }] })
  expect(Object.keys(paths).filter((path) => /posts|users/.test(path))).toEqual([
    '/api/users.php',
    '/users',
    '/posts',
    '/posts/{id}',
  ])
})

test('in a list of texts, anything can be', () => {
  const schemaOf = (words: unknown[]) => documentOf({ words }).components.schemas.Word
  expect(schemaOf(['a', { id: 1 }])).not.toHaveProperty('type')
  expect(schemaOf([{ id: 1 }])).toHaveProperty('type', 'object')
})

test('the names of an object with hundreds of them are not listed', () => {
  const table = Object.fromEntries(Array.from({ length: 201 }, (_, number) => [`name${number}`, number]))
  const { components } = documentOf({ table, texts: [{ id: 1, table }] })
  expect(components.schemas.Table).toEqual({ type: 'object', properties: {}, required: [] })
  expect(components.schemas.TextInput?.properties).toEqual({
    table: { type: 'object', additionalProperties: true },
  })
})

test('the paths are those behind the rewrite rules, which the introduction lists', () => {
  const { paths, info } = documentOf(sampleData(), { '/posts': '/users', '/api/*': '/$1' })
  expect(paths['/posts']?.get?.tags).toEqual(['posts'])
  expect(paths['/api/posts']).toBeUndefined()
  expect(info.description).toContain('`/posts` leads to `/users`, `/api/*` leads to `/$1`.')
})

test('a name that cannot stand in a path has no path, and the introduction says so', () => {
  const document = documentOf({ 'with space': [{ id: 1 }], 'a{b}': [], 'a+b': [], 'per%cent': [] })
  expect(operations(document)).toEqual([
    'GET /api/users.php',
    'POST /auth/login',
    'GET /auth/me *',
    'GET /db *',
  ])
  expect(document.info.description).toContain(': `with space`, `a{b}`, `a+b`, `per%cent`.')
})

test('records of a collection that no path can name are not nested either', () => {
  const { paths } = documentOf({ users: [{ id: 1 }], 'odd posts': [{ id: 1, userId: 1 }] })
  expect(Object.keys(paths)).toEqual([
    '/api/users.php',
    '/auth/login',
    '/auth/me',
    '/db',
    '/users',
    '/users/{id}',
  ])
})

test.each([
  { names: ['database', 'rewrite-rules', 'requests', 'blog', 'blogs', 'Blog', 'blogInputs', 'a.b', 'a-b'] },
  { names: ['blogInputs', 'blogs', 'blog2'] },
  { names: ['Posts', 'posts', 'POSTS'] },
  { names: ['post2', 'posts2', 'posts', 'Posts'] },
  { names: ['form', 'forms', 'formInputs'] },
  { names: ['databases'], publicCollection: 'databases' },
])(
  'each schema and each operation has a name of its own, also without regard to case: $names',
  ({ names, publicCollection = 'blogs' }) => {
    const data = Object.fromEntries(names.map((name) => [name, [{ id: 1, blogId: 1 }]]))
    const { paths, components } = documentOf(data, {}, { publicCollection })
    const schemas = Object.keys(components.schemas)
    expect(schemas).toHaveLength(2 * names.length)
    const ids = Object.values(paths).flatMap((item) =>
      METHODS.flatMap((method) => item[method]?.operationId ?? []),
    )
    expect(ids.length).toBeGreaterThan(5)
    for (const found of [schemas, ids])
      expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(found.length)
  },
)

test('of two resources with the same path, each operation has the id of its own', () => {
  const { paths } = documentOf({ blogs: [{ id: 1 }], blog: [{ id: 'x' }] })
  const { get, put } = paths['/blog/{id}'] ?? {}
  expect(get?.parameters).toMatchObject([{ name: 'id', schema: { type: 'integer' } }])
  expect(put?.parameters).toMatchObject([{ name: 'id', schema: { type: 'string' } }])
})

test('schemas are named so that a program can use the names', () => {
  const { components } = documentOf({ 'read-me': [], 2024: [], _: {} })
  expect(Object.keys(components.schemas).filter((name) => !name.endsWith('Input'))).toEqual([
    'Resource2024',
    'ReadMe',
    'Resource',
  ])
})

test('an option adds a path with a token or without one, and needs to add nothing else', () => {
  const responses = { 200: { description: 'It runs.' } }
  const status = { operationId: 'status', tags: ['Server'], responses }
  const paths = {
    '/__status': { get: { ...status, security: [] }, delete: { ...status, operationId: 'off' } },
  }
  const found = operations(documentOf(sampleData(), {}, { additions: [{ paths }] }))
  expect(found).toEqual(expect.arrayContaining(['GET /__status', 'DELETE /__status *', 'GET /tags *']))
})

test('with --read-only, no change is documented', () => {
  const found = operations(documentOf(sampleData(), {}, { readOnly: true }))
  expect(found).toContain('GET /users *')
  expect(found.filter((operation) => !operation.startsWith('GET '))).toEqual(['POST /auth/login'])
})

test('with --no-public, the collection is protected', () => {
  const { paths } = documentOf(sampleData(), {}, { publicCollection: false })
  expect(paths['/blogs']?.get).toBeDefined()
  expect(paths['/blogs']?.get?.security).toBeUndefined()
  expect(paths['/blog/{id}']).toBeUndefined()
})

/** The names that the body of an operation must have. */
function requiredBy(document: OpenApiDocument, path: string, method: 'post' | 'put' | 'patch') {
  const { content } = Object(document.paths[path]?.[method]?.requestBody)
  return content['application/json'].schema.required
}

test('a POST must have what every record has, except its id; where one record says so, nothing', () => {
  const document = documentOf({
    posts: [
      { id: 1, title: 'One', draft: true },
      { id: 2, title: 'Two' },
    ],
    comments: [
      { id: 1, text: 'a', postId: 1 },
      { id: 2, text: 'b', postId: 1 },
    ],
    tags: [{ id: 1, name: 'a' }],
    profile: { name: 'Mia' },
  })
  expect(requiredBy(document, '/posts', 'post')).toEqual(['title'])
  expect(requiredBy(document, '/comments', 'post')).toEqual(['text', 'postId'])
  // The server sets the key by the path.
  expect(requiredBy(document, '/posts/{id}/comments', 'post')).toEqual(['text'])
  for (const path of ['/tags', '/profile']) expect(requiredBy(document, path, 'post')).toBeUndefined()
  expect(requiredBy(document, '/posts/{id}', 'patch')).toBeUndefined()
  expect(document.info.description).toContain('the server itself requires none of them')
})

test('who is logged in is a user; with logins that are not in the data, an email alone is possible', () => {
  const who = (hasLogins: boolean) =>
    documentOf(sampleData(), {}, { hasLogins }).paths['/auth/me']?.get?.responses[200]
  const user = { $ref: '#/components/schemas/User' }
  expect(who(false)).toMatchObject({ content: { 'application/json': { schema: user } } })
  expect(who(true)).toMatchObject({ content: { 'application/json': { schema: { anyOf: [user, {}] } } } })
})

/** The statuses of an operation, in their order. */
function statuses({ paths }: OpenApiDocument, path: string, method: (typeof METHODS)[number]): string {
  return Object.keys(paths[path]?.[method]?.responses ?? {})
    .sort()
    .join(' ')
}

test.each([
  ['get', '/users', '200 304 401 4XX'],
  ['post', '/users', '201 401 4XX 5XX'],
  ['get', '/users/{id}', '200 304 401 404 4XX'],
  ['put', '/users/{id}', '200 401 404 4XX 5XX'],
  ['patch', '/users/{id}', '200 401 404 4XX 5XX'],
  ['delete', '/users/{id}', '200 401 404 4XX 5XX'],
  ['post', '/posts/{id}/comments', '201 401 4XX 5XX'],
  ['post', '/profile', '201 401 4XX 5XX'],
  ['get', '/blogs', '200 304'],
  ['get', '/blogs/{id}', '200 404 4XX'],
  ['get', '/auth/me', '200 401 404'],
  ['post', '/auth/login', '200 401 4XX'],
] as const)('the statuses of %s %s', (method, path, expected) => {
  expect(statuses(documentOf(sampleData()), path, method)).toBe(expected)
})

test('what --allow opens needs no token, but one that is sent is checked; relations need one', () => {
  const allowed = readAllowed(['GET /comments', 'POST /users', 'PATCH /posts/1', 'GET /posts/1/comments'])
  const document = documentOf(sampleData(), {}, { allowed })
  const { paths } = document
  expect(paths['/comments']?.get?.security).toEqual([])
  expect(paths['/users']?.post?.security).toEqual([])
  expect(statuses(document, '/users', 'post')).toBe('201 401 4XX 5XX')
  expect(parametersOf(document, '/comments').map(({ name }) => name)).not.toContain('_expand')
  expect(parametersOf(document, '/comments/{id}').map(({ name }) => name)).toContain('_expand')
  // Most of the records still need one.
  expect(paths['/posts/{id}']?.patch?.security).toBeUndefined()
  // The rule names a resource, and the server has none of that path.
  expect(paths['/posts/{id}/comments']?.get?.security).toBeUndefined()
})

test('long texts are cut in an example', () => {
  const { components } = documentOf({ blogs: [{ id: 1, body: 'tea '.repeat(1000) }] })
  expect(components.schemas.BlogInput).toMatchObject({ examples: [{ body: 'tea '.repeat(75) }] })
})

test('fields are looked at in a sample of many records, from the first to the last', () => {
  const posts = Array.from({ length: 100_000 }, (_, id) => ({ id, title: id < 50_000 ? 'a' : 1 }))
  const { components } = documentOf({ posts })
  expect(components.schemas.Post).toMatchObject({
    properties: { title: { type: ['string', 'integer'] } },
    required: ['id', 'title'],
  })
})

test('a record is described as JSON writes it', () => {
  const blogs = [{ id: 1, never: Number.NaN, run: () => 1 }]
  expect(documentOf({ blogs }).components.schemas.Blog).toEqual({
    type: 'object',
    properties: { id: { type: 'integer' }, never: {} },
    required: ['id', 'never'],
    examples: [{ id: 1, never: null }],
  })
})
