import { ALL, readAllowed } from '../../../../lib/auth/allow-rules'
import type { Credentials } from '../../../../lib/auth/credentials'
import { ADA, sampleData } from '../../../support/data'
import { documentOf, type OpenApiDocument } from './document-of'

/** `METHOD path`, with a star where it needs a token, by the name that generated clients give it. */
function operations({ paths }: OpenApiDocument): Record<string, string> {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, security }]) => {
      const needsToken = security.length > 0 && security.every((way) => 'bearerAuth' in way)
      return [operationId, `${method.toUpperCase()} ${path}${needsToken ? ' *' : ''}`]
    }),
  )
  return Object.fromEntries(found)
}

const SERVICES = {
  logIn: 'POST /auth/login',
  whoAmI: 'GET /auth/me *',
  lookUpUsers: 'GET /api/users.php',
  dumpDatabase: 'GET /db *',
}

/** The operation of a line such as `GET /users`. */
function operation({ paths }: OpenApiDocument, line: string) {
  const [method = '', path = ''] = line.split(' ')
  const found = paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`The document has no ${line}.`)
  return found
}

/** The schema of the body of an operation. */
function bodyOf(document: OpenApiDocument, line: string) {
  return Object(operation(document, line).requestBody).content['application/json'].schema
}

/** The names of the parameters of an operation. */
function parametersOf(document: OpenApiDocument, line: string): string[] {
  return (operation(document, line).parameters ?? []).map((parameter) => {
    const { $ref, name } = Object(parameter)
    return name ?? $ref.replace('#/components/parameters/', '')
  })
}

test('every resource with every method, what needs a token, and names that can be read', () => {
  const { blogs = [], users = [], profile } = sampleData()
  expect(operations(documentOf({ blogs, users, profile }))).toEqual({
    ...SERVICES,
    listBlogs: 'GET /blogs',
    getBlog: 'GET /blogs/{id}',
    readBlog: 'GET /blog/{id}',
    createBlog: 'POST /blogs *',
    replaceBlog: 'PUT /blogs/{id} *',
    updateBlog: 'PATCH /blogs/{id} *',
    deleteBlog: 'DELETE /blogs/{id} *',
    listUsers: 'GET /users *',
    createUser: 'POST /users *',
    getUser: 'GET /users/{id} *',
    replaceUser: 'PUT /users/{id} *',
    updateUser: 'PATCH /users/{id} *',
    deleteUser: 'DELETE /users/{id} *',
    getProfile: 'GET /profile *',
    createProfile: 'POST /profile *',
    replaceProfile: 'PUT /profile *',
    updateProfile: 'PATCH /profile *',
  })
})

test('with sandboxes, the header for each operation, and none of the routes that tests call by the helper', () => {
  const document = documentOf({}, { sandboxHeader: 'X-Copy' })
  expect(operations(document)).toEqual(SERVICES)
  expect(document.components.securitySchemes).toMatchObject({
    sandbox: { type: 'apiKey', in: 'header', name: 'X-Copy' },
  })
  expect(operation(document, 'GET /db').security).toEqual([
    { bearerAuth: [] },
    { bearerAuth: [], sandbox: [] },
  ])
  expect(operation(document, 'POST /auth/login').security).toEqual([{}, { sandbox: [] }])
  expect(JSON.stringify(documentOf({}))).not.toMatch(/sandbox/i)
})

test('with --openid, each operation that needs a token takes one that the provider has given', () => {
  const document = documentOf({}, { openid: true })
  const { authorizationCode } = document.components.securitySchemes.openid?.flows ?? {}
  expect(authorizationCode?.tokenUrl).toBe('protocol/openid-connect/token')
  expect(operation(document, 'GET /db').security).toEqual([{ bearerAuth: [] }, { openid: [] }])
  expect(operation(document, 'POST /auth/login').security).toEqual([])
  expect(JSON.stringify(documentOf({}))).not.toMatch(/openid/i)
})

test('what --allow opens needs no token, but one that is sent is checked', () => {
  const allowed = readAllowed(['GET /comments', 'POST /users', 'PATCH /posts/1', 'GET /posts/1/comments'])
  const document = documentOf(sampleData(), { allowed: () => allowed })
  expect(operations(document)).toMatchObject({
    listComments: 'GET /comments',
    createUser: 'POST /users',
    // Most of the records still need one, and no rule opens a nested route.
    updatePost: 'PATCH /posts/{id} *',
    listCommentsOfPost: 'GET /posts/{id}/comments *',
  })
  expect(operation(document, 'POST /users').responses).toHaveProperty('401')
})

test('with --allow all, only who am I needs a token', () => {
  const document = documentOf(sampleData(), {
    allowed: () => ALL,
    publicCollection: false,
    sandboxHeader: 'X-Copy',
  })
  const needing = Object.values(operations(document)).filter((line) => line.endsWith('*'))
  expect(needing).toEqual(['GET /auth/me *'])
})

test('with --read-only, no change but the login; without a public collection, it is protected', () => {
  const found = operations(
    documentOf(sampleData(), { readOnly: true, publicCollection: false }, { login: '/in', signUp: '/up' }),
  )
  const changes = Object.values(found).filter((line) => !line.startsWith('GET '))
  expect(changes.sort()).toEqual(['POST /auth/login', 'POST /in'])
  expect(found).toMatchObject({ listBlogs: 'GET /blogs *' })
  expect(found).not.toHaveProperty('readBlog')
})

test('a login at another path is one as well, and the page knows the token of each response', () => {
  const document = documentOf(
    { users: [{ id: 1 }], staff: [{ id: 1, username: 'mia' }] },
    {},
    {
      loginUsers: 'staff',
      login: '/api/login',
      loginResponse: { data: { name: 'text', tokens: ['$token'] } },
    },
  )
  expect(operations(document)).toMatchObject({ logIn: 'POST /api/login', logIn2: 'POST /auth/login' })
  expect(operation(document, 'POST /auth/login')).toMatchObject({ 'x-token': ['access_token'] })
  expect(operation(document, 'POST /api/login')).toMatchObject({ 'x-token': ['data', 'tokens', '0'] })
  expect(bodyOf(document, 'POST /auth/login').required).toEqual(['email', 'password'])
  expect(bodyOf(document, 'POST /api/login')).toMatchObject({
    properties: { username: {}, password: {} },
    required: ['password'],
  })
})

test('a 401 has the form that the application chooses, except that of the specified login', () => {
  const document = documentOf(
    {},
    { tokenRefusal: { status: 401, body: (message) => ({ code: 401, message }) } },
  )
  const { components } = document
  const specified = { type: 'string', enum: ['Unauthorized'] }
  expect(components.responses.Unauthorized).toMatchObject({
    content: { 'application/json': { schema: { properties: { code: { type: 'integer' }, message: {} } } } },
  })
  // It has a page for no browser.
  expect(components.responses.Unauthorized).not.toHaveProperty(['content', 'text/html'])
  expect(operation(document, 'POST /auth/login').responses[401]).toMatchObject({
    content: { 'application/json': { schema: specified } },
  })
  expect(documentOf({}).components.responses.Unauthorized).toMatchObject({
    content: { 'application/json': { schema: specified } },
  })
})

test('who is logged in is a user; with logins that are not in the data, an email alone is possible', () => {
  const who = (logins: Credentials[]) =>
    operation(documentOf(sampleData(), {}, { logins }), 'GET /auth/me').responses[200]
  const user = { $ref: '#/components/schemas/User' }
  expect(who([])).toMatchObject({ content: { 'application/json': { schema: user } } })
  expect(who([ADA])).toMatchObject({ content: { 'application/json': { schema: { anyOf: [user, {}] } } } })
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
})

test('names of fields are what the document publishes, also those of a single object, and values never', () => {
  const messages = [{ text: 'hidden text' }]
  const text = JSON.stringify(documentOf({ inbox: { mia_secret: messages, level: 'hidden level' } }))
  expect(text).toContain('mia_secret')
  expect(text).not.toContain('hidden')
})

test('what is sent is filled in with what a person may store', () => {
  const document = documentOf({
    people: [
      {
        id: 1,
        firstName: 'Mia',
        last_name: 'Keller',
        email: 'mia@example.com',
        born: '1990-01-31',
        age: 35,
        height: 1.7,
        isAdmin: false,
        bossId: null,
        tags: ['a'],
        address: { street: 'Sun Street', lines: [] },
      },
    ],
    profile: { theme: 'dark' },
  })
  const person = {
    firstName: 'New first name',
    last_name: 'New last name',
    email: 'new@example.com',
    born: '2026-01-31',
    age: 1,
    height: 1.5,
    isAdmin: true,
    bossId: null,
    tags: ['New tag'],
    address: { street: 'New street', lines: [] },
  }
  for (const line of ['POST /people', 'PUT /people/{id}', 'PATCH /people/{id}'])
    expect(bodyOf(document, line)).toEqual({ $ref: '#/components/schemas/PersonInput' })
  const { Person, PersonInput, ProfileInput } = document.components.schemas
  expect(PersonInput).toMatchObject({ examples: [person] })
  expect(Person).toMatchObject({ examples: [{ id: 1, ...person }] })
  expect(ProfileInput).toMatchObject({ examples: [{ theme: 'New theme' }] })
})

test('the public collection shows its first record, with long texts cut', () => {
  const blogs = [{ id: 7, title: 'Tea', body: 'tea '.repeat(1000) }, { id: 8 }]
  const document = documentOf({ blogs })
  const shown = { title: 'Tea', body: 'tea '.repeat(75) }
  expect(document.components.schemas.BlogInput).toMatchObject({ examples: [shown] })
  expect(document.components.schemas.Blog).toMatchObject({ examples: [{ id: 7, ...shown }] })
  expect(operation(document, 'GET /blogs/{id}').parameters).toMatchObject([{ name: 'id', example: 7 }])
})

test('fields with their types, of which each record has the required ones', () => {
  const posts = [
    { id: 1, userId: 1, size: 1e300, parentId: null, at: new Date(0), lives: 9, title: 'a' },
    { id: 'x', userId: '1', size: 2, parentId: null, at: new Date(1), lives: 8.5, title: 'b', run: () => 1 },
    { id: 3, userId: 1, size: 2, parentId: null, at: new Date(2), lives: 8.5 },
  ]
  const { components } = documentOf({ posts, words: ['a', { id: 1 }] })
  const properties = {
    userId: { type: ['string', 'integer'] },
    size: { type: 'number' },
    parentId: {},
    at: { type: 'string', format: 'date-time' },
    lives: { type: 'number' },
    title: { type: 'string' },
  }
  expect(components.schemas.Post).toMatchObject({
    type: 'object',
    properties: { id: { type: ['string', 'integer'] }, ...properties },
    required: ['id', 'userId', 'size', 'parentId', 'at', 'lives'],
  })
  expect(components.schemas.PostInput).toMatchObject({ type: 'object', properties })
  expect(components.schemas.PostInput).not.toHaveProperty('required')
  // In a list of texts, anything can be.
  expect(components.schemas.Word).not.toHaveProperty('type')
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
  const fieldOf = (values: string[]) =>
    documentOf({ posts: values.map((field) => ({ field })) }).components.schemas.PostInput?.properties
  expect(fieldOf(texts)).toMatchObject({ field: { type: 'string', format } })
  for (const other of others) expect(fieldOf([...texts, other])?.field).toEqual({ type: 'string' })
})

test('the names of an object with hundreds of them are not listed', () => {
  const table = Object.fromEntries(Array.from({ length: 201 }, (_, number) => [`name${number}`, number]))
  const { components } = documentOf({ texts: [{ id: 1, table }] })
  expect(components.schemas.TextInput?.properties).toEqual({
    id: { type: 'integer' },
    table: { type: 'object', additionalProperties: true },
  })
})

test.each(['ana@x.org', '2026-01-31', '3b241101-e2bb-4255-8caf-4136c566a962'])(
  'the names of an object are not listed where one has the form of a value: %s',
  (name) => {
    const table = { [name]: { theme: 'dark' }, other: 1 }
    const data = { settings: table, orders: [{ id: 1, open: table }] }
    const text = JSON.stringify(documentOf(data))
    for (const hidden of [name, 'theme']) expect(text).not.toContain(hidden)
  },
)

test('fields are looked at in a sample of many records, from the first to the last', () => {
  const posts = Array.from({ length: 100_000 }, (_, id) => ({ id, title: id < 50_000 ? 'a' : 1 }))
  expect(documentOf({ posts }).components.schemas.Post).toMatchObject({
    properties: { title: { type: ['string', 'integer'] } },
  })
})

test('a POST and a PUT may leave out every field and may send the id', () => {
  const document = documentOf({
    posts: [{ id: 1, title: 'One' }],
    comments: [{ id: 1, text: 'a', postId: 1 }],
    profile: { name: 'Mia' },
  })
  const inputOf = (line: string) => {
    const { $ref } = bodyOf(document, line)
    return document.components.schemas[$ref.replace('#/components/schemas/', '')]
  }
  const fieldsOf = (line: string) => Object.keys(Object(inputOf(line)?.properties))
  expect(fieldsOf('POST /posts')).toEqual(['id', 'title'])
  expect(fieldsOf('PUT /posts/{id}')).toEqual(['id', 'title'])
  expect(fieldsOf('POST /posts/{id}/comments')).toEqual(['id', 'text', 'postId'])
  expect(fieldsOf('POST /profile')).toEqual(['name'])
  for (const line of ['POST /posts', 'PUT /posts/{id}', 'PATCH /posts/{id}', 'POST /profile'])
    expect(inputOf(line)?.required).toBeUndefined()
})

test('each GET of data says that it can be a stream, and nothing else does', () => {
  const { paths } = documentOf(sampleData())
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description = '' }]) => ({
      line: `${method} ${path}`,
      description,
    })),
  )
  const streamed = operations.filter(({ description }) => description.includes('text/event-stream'))
  const reads = operations.filter(({ line }) => line.startsWith('get '))
  const others = ['get /auth/me', 'get /api/users.php']
  expect(streamed).toEqual(reads.filter(({ line }) => !others.includes(line)))
})

test('the parameters of a list, of a nested list, of a record and of a public read', () => {
  const document = documentOf(sampleData())
  const query = 'q _sort _order _page _limit _start _end _embed _expand'.split(' ')
  const endings = (field: string) => ['', '_ne', '_gte', '_lte', '_gt', '_lt'].map((ending) => field + ending)
  const filters = [...endings('id'), 'body', 'body_ne', 'body_like', ...endings('postId')]
  expect(parametersOf(document, 'GET /comments')).toEqual([...query, ...filters])
  expect(parametersOf(document, 'GET /posts/{id}/comments')).toEqual(['id', ...query, ...filters])
  expect(parametersOf(document, 'GET /comments/{id}')).toEqual(['id', '_embed', '_expand'])
  expect(parametersOf(document, 'GET /blogs')).toEqual([])
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

test('a name that cannot stand in a path has no path, nested or not', () => {
  const odd = { 'with space': [{ id: 1, userId: 1 }], 'a{b}': [], 'per%cent': [] }
  const { paths } = documentOf({ users: [{ id: 1 }], ...odd })
  expect(Object.keys(paths).filter((path) => /space|a{b}|cent/.test(path))).toEqual([])
})

test.each([
  { names: ['database', 'rewrite-rules', 'requests', 'blog', 'blogs', 'Blog', 'blogInputs', 'a.b', 'a-b'] },
  { names: ['blogInputs', 'blogs', 'blog2'] },
  { names: ['Posts', 'posts', 'POSTS'] },
  { names: ['post2', 'posts2', 'posts', 'Posts'] },
  { names: ['databases'], publicCollection: 'databases' },
])(
  'each schema and each operation has a name of its own, also without regard to case: $names',
  ({ names, publicCollection = 'blogs' }) => {
    const data = Object.fromEntries(names.map((name) => [name, [{ id: 1, blogId: 1 }]]))
    const { paths, components } = documentOf(data, { publicCollection })
    const schemas = Object.keys(components.schemas)
    expect(schemas).toHaveLength(2 * names.length)
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    for (const found of [schemas, ids])
      expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(found.length)
  },
)

test('a collection "db" does not take the path of the whole data', () => {
  expect(operations(documentOf({ db: [{ id: 1 }] }))).toMatchObject({
    dumpDatabase: 'GET /db *',
    createDb: 'POST /db *',
    getDb: 'GET /db/{id} *',
  })
})

test('a collection "docs" has no list: the page is there', () => {
  const found = operations(documentOf({ docs: [{ id: 1 }] }))
  expect(found).toMatchObject({ getDoc: 'GET /docs/{id} *', createDoc: 'POST /docs *' })
  expect(found).not.toHaveProperty('listDocs')
})

test.each([[[{ id: 'me' }]], [{ theme: 'dark' }]])(
  'a resource "auth" has the path of who am I: %j',
  (auth) => {
    expect(operations(documentOf({ auth }))).not.toHaveProperty('whoAmI')
  },
)

test('of two resources with the same path, each operation has the id of its own', () => {
  const document = documentOf({ blogs: [{ id: 1 }], blog: [{ id: 'x' }] })
  const typeOfId = (line: string) => operation(document, line).parameters?.[0]
  expect(typeOfId('GET /blog/{id}')).toMatchObject({ schema: { type: 'integer' } })
  expect(typeOfId('PUT /blog/{id}')).toMatchObject({ schema: { type: 'string' } })
})

test('schemas are named so that a program can use the names', () => {
  const { components } = documentOf({ 'read-me': [], 2024: [], _: {} })
  expect(Object.keys(components.schemas).filter((name) => !name.endsWith('Input'))).toEqual([
    '2024',
    'ReadMe',
    'Resource',
  ])
})

describe('lists in records', () => {
  const data = {
    mails: [{ id: 1, to: [{ id: 4, name: 'Ada' }], tagIds: [1], departmentId: [1] }],
    tags: [{ id: 1 }],
    departments: [{ id: 1 }],
  }
  const names = (operation?: { parameters?: readonly unknown[] }) =>
    (operation?.parameters ?? []).map((parameter) => Object(parameter).name)

  test('a list of objects has the filters of their fields', () => {
    const { paths } = documentOf(data)
    expect(names(paths['/mails']?.get)).toEqual(
      expect.arrayContaining(['to.id', 'to.id_gte', 'to.name', 'to.name_like']),
    )
  })

  test('what refers by a list of ids has its path, and is added as a list', () => {
    const { paths, components } = documentOf(data)
    expect(paths['/tags/{id}/mails']).toBeDefined()
    const { Mail, Tag } = components.schemas
    expect(Mail?.properties).toMatchObject({ tags: { type: 'array' }, department: { type: 'array' } })
    expect(Tag?.properties).toMatchObject({ mails: { type: 'array' } })
  })

  test('a list says what _one does, and a POST what it does with a list, unless middlewares see it', () => {
    const { paths } = documentOf(data)
    expect(paths['/mails']?.get?.description).toContain('_one')
    expect(paths['/mails']?.post?.description).toContain('list')
    const { paths: beside } = documentOf(data, { severalAtOnce: false })
    expect(beside['/mails']?.post?.description).toBeUndefined()
  })
})
