import { MemoryData } from '../../../lib/data/data-source'
import type { Data } from '../../../lib/data/valid-data'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { ask, question, withHeaders } from '../../support/http'

const data = () => ({
  users: [
    {
      id: 1,
      name: 'Ada',
      address: { city: 'Bonn', geo: { lat: 1 } },
      orders: [
        { id: 7, title: 'B', items: [{ id: 1, quantity: 2 }] },
        { id: 8, title: 'A' },
      ],
      tags: ['a'],
      notes: [],
      parts: [{ name: 'no id' }],
      'a.b': [{ id: 1, dot: true }],
      'a/b': { slash: true },
      'x y': { space: true },
      0: { zero: true },
      constructor: { own: true },
      '': { inner: { empty: true } },
    },
    { id: 2, orders: null, Case: { upper: true } },
    { id: 3, notes: ['text'], unlike: {} },
  ],
  posts: [{ id: 1, userId: 1 }, { id: 2 }],
  comments: [
    { id: 1, postId: 1, replies: [{ id: 5 }] },
    { id: 2, postId: 2 },
  ],
  settings: { theme: { color: 'red' }, users: [{ id: 1, inner: true }], posts: { inner: true } },
})

/** Sends one request after the other to a server with this data: the status and the body of each response. */
async function exchange(lines: readonly string[], options: Partial<AppOptions> = {}) {
  const source = new MemoryData(data())
  const server = await serveApp({ data: source, allow: 'all', ...options })
  const answers: { status: number; body: unknown; headers: object }[] = []
  for (const line of lines) {
    const { status, text, headers } = await ask(server.url, question(line))
    answers.push({ status, body: text === '' ? undefined : JSON.parse(text), headers })
  }
  await server.close()
  return { answers, state: source.state }
}

/** The one response that a test looks at. */
async function answerTo(line: string, options?: Partial<AppOptions>) {
  const { answers } = await exchange([line], options)
  return answers[0]
}

const [ada] = data().users

test.each([
  // A list
  ['GET /users/1/orders', 200, ada?.orders],
  ['GET /users/1/orders/', 200, ada?.orders],
  // As `/posts//` and `/posts/1//` are for Express.
  ['GET /users/1/orders//', 200, ada?.orders],
  ['GET /users/1/orders///', 404, {}],
  ['GET /users/1/orders/7//', 404, {}],
  ['HEAD /users/1/orders', 200, undefined],
  ['GET /users/1/orders?title=A', 200, [ada?.orders?.[1]]],
  ['GET /users/1/orders?_sort=title&_limit=1', 200, [ada?.orders?.[1]]],
  ['GET /users/1/orders?q=b', 200, [ada?.orders?.[0]]],
  ['GET /users/1/orders?id_gt=7', 200, [ada?.orders?.[1]]],
  ['POST /users/1/orders {"a": 1}', 201, { a: 1, id: 9 }],
  ['POST /users/1/orders {"id": 7}', 409, expect.anything()],
  ['POST /users/1/orders [1]', 400, expect.anything()],
  ['DELETE /users/1/orders', 404, {}],
  // An element
  ['GET /users/1/orders/7', 200, ada?.orders?.[0]],
  ['PUT /users/1/orders/7 {"a": 1}', 200, { a: 1, id: 7 }],
  ['PATCH /users/1/orders/7 {"a": 1}', 200, { ...ada?.orders?.[0], a: 1 }],
  ['DELETE /users/1/orders/7', 200, {}],
  ['DELETE /users/1/orders/9', 404, {}],
  ['GET /users/1/orders/7/items/1', 200, { id: 1, quantity: 2 }],
  ['PATCH /users/1/orders/7/items/1 {"a": 1}', 200, { id: 1, quantity: 2, a: 1 }],
  // An object
  ['GET /users/1/address', 200, ada?.address],
  ['GET /users/1/address/geo', 200, { lat: 1 }],
  ['PUT /users/1/address {"a": 1}', 200, { a: 1 }],
  ['PATCH /users/1/address {"a": 1}', 200, { ...ada?.address, a: 1 }],
  ['POST /users/1/address {"a": 1}', 201, { a: 1 }],
  ['DELETE /users/1/address', 404, {}],
  ['GET /settings/theme', 200, { color: 'red' }],
  ['PUT /settings/theme {"a": 1}', 200, { a: 1 }],
  ['PATCH /settings/theme {"a": 1}', 200, { color: 'red', a: 1 }],
  ['POST /settings/theme {"a": 1}', 201, { a: 1 }],
  // A list that is missing or null here
  ['GET /users/2/orders', 200, []],
  ['GET /users/3/orders', 200, []],
  ['POST /users/2/orders {"a": 1}', 201, { a: 1, id: 1 }],
  ['POST /users/3/orders {"a": 1}', 201, { a: 1, id: 1 }],
  ['GET /users/1/orders/8/items', 200, []],
  ['POST /users/1/orders/8/items {"a": 1}', 201, { a: 1, id: 1 }],
  ['PUT /users/2/orders {"a": 1}', 404, {}],
  ['GET /users/2/orders/7', 404, {}],
  ['GET /users/2/tags', 200, []],
  ['POST /users/2/tags {"a": 1}', 400, expect.anything()],
  ['POST /users/1/notes {"a": 1}', 400, expect.anything()],
  ['GET /users/2/address', 404, {}],
  ['PUT /users/2/address {"a": 1}', 404, {}],
  // A list of texts
  ['GET /users/1/tags', 200, ['a']],
  ['POST /users/1/tags {"a": 1}', 400, expect.anything()],
  ['POST /users/1/parts {"a": 1}', 201, expect.objectContaining({ a: 1 })],
  // A text, a number, an element without an id, an index
  ['GET /users/1/name', 404, {}],
  ['GET /users/1/id', 404, {}],
  ['GET /users/1/parts/0', 404, {}],
  ['GET /users/1/tags/0', 404, {}],
  ['PUT /users/1/tags/0 {"a": 1}', 404, {}],
  ['GET /users/1/tags/a', 404, {}],
  ['GET /users/9/orders', 404, {}],
  ['GET /users/1/nothing', 404, {}],
  ['GET /users/1/orders/7/title', 404, {}],
  // A relation
  ['GET /posts/1/comments/1', 200, { id: 1, postId: 1, replies: [{ id: 5 }] }],
  ['GET /posts/1/comments/1?_expand=post', 200, expect.objectContaining({ post: { id: 1, userId: 1 } })],
  ['GET /posts/1/comments/2', 404, {}],
  ['GET /settings/1/comments/1', 404, {}],
  ['PATCH /posts/1/comments/1 {}', 404, {}],
  ['DELETE /posts/1/comments/1', 404, {}],
  ['GET /posts/1/comments/1/replies', 404, {}],
  ['GET /comments/1/replies', 200, [{ id: 5 }]],
  // A name at the top comes first in this place, and in no other
  ['GET /users/1/posts', 200, [{ id: 1, userId: 1 }]],
  ['GET /users/1/settings', 200, data().settings],
  ['GET /settings/theme/posts', 200, data().posts],
  ['GET /settings/users', 200, [{ id: 1, inner: true }]],
  ['GET /settings/users/1', 200, { id: 1, inner: true }],
  ['GET /settings/posts', 200, { inner: true }],
  // Names
  ['GET /users/1/a.b', 200, [{ id: 1, dot: true }]],
  ['PATCH /users/1/a.b/1 {"a": 1}', 200, { id: 1, dot: true, a: 1 }],
  ['GET /users/1/a%2Fb', 200, { slash: true }],
  ['PATCH /users/1/x%20y {"a": 1}', 200, { space: true, a: 1 }],
  ['GET /users/1/%6Frders', 200, ada?.orders],
  ['GET /users/1/0', 200, { zero: true }],
  ['GET /users/1/constructor', 200, { own: true }],
  ['GET /users/2/constructor', 404, {}],
  ['GET /users/2/__proto__', 404, {}],
  ['POST /users/2/__proto__ {"a": 1}', 404, {}],
  ['GET /users/2/Case', 200, { upper: true }],
  ['GET /users/2/case', 404, {}],
  ['GET /Users/1/orders', 200, ada?.orders],
  ['GET /users/1//orders', 404, {}],
  ['GET /users/1//inner', 404, {}],
  ['GET /users/1/orders%2F7', 404, {}],
  // Relations of json-server do nothing in a record
  ['GET /users/1/orders?_embed=items', 200, ada?.orders],
  ['GET /users/1/orders/7?_expand=user', 200, ada?.orders?.[0]],
])('%s', async (line, status, body) => {
  expect(await answerTo(line)).toMatchObject({ status, body })
})

test.each([
  [
    'a page, with its headers',
    'GET /users/1/orders?_page=1&_limit=1',
    {
      'x-total-count': '2',
      link: expect.stringMatching(/\/users\/1\/orders\?_page=2&_limit=1>; rel="next"/),
    },
  ],
  [
    'a POST, with the address',
    'POST /users/1/orders {}',
    { location: expect.stringMatching(/\/users\/1\/orders\/9$/) },
  ],
  ['JSONP', 'HEAD /users/1/orders?callback=show', { 'content-type': expect.stringMatching(/javascript/) }],
])('%s', async (_title, line, headers) => {
  expect((await answerTo(line))?.headers).toMatchObject(headers)
})

// By the number of an issue: https://github.com/typicode/json-server/issues.
test.each([
  [323, { VFPData: { temp: [{ caspar: '939ARw' }] } }, 'GET /VFPData/temp', 200, [{ caspar: '939ARw' }]],
  [359, { users: [{ id: 'hh', todos: [{ id: 4 }] }] }, 'GET /users/hh/todos', 200, [{ id: 4 }]],
  [
    1141,
    { 'equipment-detail': [{ id: '12345', campaigns: [{ id: '98765', status: 'OPEN' }] }] },
    'PATCH /equipment-detail/12345/campaigns/98765 {"status": "DONE"}',
    200,
    { id: '98765', status: 'DONE' },
  ],
  [1213, { sets: [{ id: 1, findings: [{ id: 888213 }] }] }, 'POST /sets/1/findings/ {}', 201, { id: 888214 }],
  [
    1257,
    { courses: [{ id: 1, courseStudentList: [{ id: 1 }, { id: 2 }], courseTeacher: null }] },
    'POST /courses/1/courseStudentList {"studentName": "Ashley"}',
    201,
    { id: 3, studentName: 'Ashley' },
  ],
])('what issue %i asks for', async (_number, own: Data, line, status, body) => {
  expect(await answerTo(line, { data: own })).toMatchObject({ status, body })
})

test('a change makes a new state, and shares with the old one what it does not change', async () => {
  const before = data()
  const source = new MemoryData(before, { isOwn: true })
  const server = await serveApp({ data: source, allow: 'all' })
  const { users, posts } = source.state
  await ask(server.url, question('PATCH /users/1/orders/7/items/1 {"quantity": 3}'))
  const changed = data()
  Object.assign(changed.users[0]?.orders?.[0]?.items?.[0] ?? {}, { quantity: 3 })
  expect(source.state).toEqual(changed)
  expect(users).toEqual(data().users)
  expect(source.state.posts).toBe(posts)
  await server.close()
})

test('a DELETE removes the element that it names, and nothing that refers to it or to its number', async () => {
  const { state } = await exchange(['DELETE /users/1/orders/7', 'DELETE /settings/users/1'])
  const expected = data()
  expected.users[0]?.orders?.shift()
  expected.settings.users = []
  expect(state).toEqual(expected)
})

test('a DELETE has no cascade in the list, whatever its records refer to', async () => {
  const list = [{ id: 1 }, { id: 2, insideId: 1, orderId: 1, userId: 1 }]
  const { answers } = await exchange(['DELETE /users/1/orders/1', 'GET /users/1/orders'], {
    data: { users: [{ id: 1, orders: list }] },
  })
  expect(answers[1]).toMatchObject({ body: [list[1]] })
})

test('after a DELETE at the top, nothing nested is removed', async () => {
  const { state } = await exchange(['DELETE /users/1'])
  expect(state).toEqual({ ...data(), users: data().users.slice(1), posts: [{ id: 2 }] })
})

test('ids are those of --id', async () => {
  const own = { data: { users: [{ _id: 'a', orders: [{ _id: 1, id: 2 }] }] }, idProperty: '_id' }
  expect(await answerTo('GET /users/a/orders/1', own)).toMatchObject({ status: 200 })
  expect(await answerTo('GET /users/a/orders/2', own)).toMatchObject({ status: 404 })
  expect(await answerTo('POST /users/a/orders {}', own)).toMatchObject({ status: 201, body: { _id: 2 } })
})

describe('a path', () => {
  const nest = (depth: number): object => (depth === 0 ? { end: true } : { n: nest(depth - 1) })
  const own = { data: { top: nest(30) } }

  test('of 20 parts is followed, and of 21 it is not', async () => {
    expect(await answerTo(`GET /top${'/n'.repeat(19)}`, own)).toMatchObject({ status: 200 })
    expect(await answerTo(`GET /top${'/n'.repeat(20)}`, own)).toMatchObject({ status: 404 })
  })

  test('that is deep makes no data that could not be sent', async () => {
    const deep = JSON.stringify(nest(98))
    const lines = Array.from({ length: 40 }, (_, index) => `PUT /top${'/n'.repeat(index + 1)} ${deep}`)
    const { answers } = await exchange([...lines, 'GET /top'], own)
    expect(answers.map(({ status }) => status)).toEqual([...Array(19).fill(200), ...Array(21).fill(404), 200])
  })
})

test('a record whose class has a toJSON is not entered', async () => {
  class User {
    id = 1
    secret = { key: 1 }
    orders = [{ id: 1 }]
    toJSON() {
      return { id: this.id }
    }
  }
  const own = { data: new MemoryData({ users: [new User()], config: { user: new User() } }, { isOwn: true }) }
  for (const path of [
    '/users/1/secret',
    '/users/1/orders',
    '/users/1/orders/1',
    '/config/user',
    '/config/user/secret',
  ])
    expect(await answerTo(`GET ${path}`, own)).toMatchObject({ status: 404, body: {} })
})

test('the class of a record stays when something in it changes', async () => {
  class Order {
    id = 1
    items = [{ id: 1 }]
  }
  class User {
    id = 1
    orders = [new Order()]
  }
  const source = new MemoryData({ users: [new User()] }, { isOwn: true })
  expect(await answerTo('DELETE /users/1/orders/1/items/1', { data: source })).toMatchObject({ status: 200 })
  const [user] = [source.state.users].flat()
  expect(user).toBeInstanceOf(User)
  expect(Object(user).orders).toEqual([Object.assign(new Order(), { items: [] })])
  expect(Object(user).orders[0]).toBeInstanceOf(Order)
})

describe('beside middlewares of the user', () => {
  const middlewares: AppOptions['middlewares'] = [(_request, _response, next) => next()]
  const lines = [
    'GET /users/1/orders',
    'POST /users/1/orders {}',
    'GET /settings/theme',
    'GET /posts/1/comments/1',
  ]

  test('nested data has no paths', async () => {
    const { answers, state } = await exchange(lines, { middlewares })
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(state).toEqual(data())
  })

  test('--nested gives it paths', async () => {
    const { answers } = await exchange(lines, { middlewares, nested: true })
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200])
  })
})

test('nested: false leaves it without paths', async () => {
  expect(await answerTo('GET /users/1/orders', { nested: false })).toMatchObject({ status: 404, body: {} })
})

test('--read-only refuses every change', async () => {
  const { answers, state } = await exchange(
    [
      'POST /users/1/orders {}',
      'PATCH /settings/theme {}',
      'DELETE /users/1/orders/7',
      'GET /users/1/orders',
    ],
    { readOnly: true },
  )
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 200])
  expect(state).toEqual(data())
})

test('a rewrite rule leads there, and a fault rule acts there', async () => {
  const options: Partial<AppOptions> = {
    routes: { '/me/orders': '/users/1/orders' },
    faults: [{ path: '/users/:id/orders', method: 'POST', status: 503 }],
  }
  const { answers } = await exchange(['GET /me/orders', 'POST /users/2/orders {}'], options)
  expect(answers).toMatchObject([{ status: 200, body: ada?.orders }, { status: 503 }])
})

test('a sandbox has its own', async () => {
  const server = await serveApp({ data: data(), allow: 'all', sandboxes: true })
  const inLab = (line: string) => ask(server.url, withHeaders(question(line), { 'X-Sandbox': 'lab' }))
  expect((await inLab('DELETE /users/1/orders/7')).status).toBe(200)
  expect((await inLab('GET /users/1/orders/7')).status).toBe(404)
  expect((await ask(server.url, { path: '/users/1/orders/7' })).status).toBe(200)
  const { text } = await inLab('GET /__sandbox/requests?method=DELETE')
  expect(JSON.parse(text)).toMatchObject([{ path: '/users/1/orders/7', status: 200 }])
  await server.close()
})

test('where other code may change the data, a change is found, and what it changes in place as well', async () => {
  const source = new MemoryData(data())
  source.share()
  const server = await serveApp({ data: source, allow: 'all' })
  const read = async () => (await ask(server.url, { path: '/users/1/orders?_sort=id' })).text
  expect((await ask(server.url, question('PATCH /users/1/orders/7 {"title": "C"}'))).status).toBe(200)
  expect(await read()).toContain('"title": "C"')
  const [user] = [source.state.users].flat()
  Object(user).orders.push({ id: 6 })
  expect(await read()).toMatch(/"id": 6.*"id": 7/s)
  await server.close()
})

describe('without a token', () => {
  const paths = [
    '/users',
    '/users/1',
    '/users/1/orders',
    '/users/1/orders/7',
    '/users/1/orders/7/items',
    '/users/1/%6Frders',
    '/Users/1/orders',
    '/users/1/orders/',
    '/users/1/address',
    '/users/1/posts',
    '/posts/1/comments',
    '/posts/1/comments/1',
    '/settings',
    '/settings/theme',
    '/settings/users',
    '/settings/users/1',
    '/blogs/1/notes',
  ]

  test.each<[rules: string[], open: string[]]>([
    [['GET /users/1/orders'], ['/users/1/orders']],
    [['GET /users/1/orders/7'], ['/users/1/orders/7']],
    [['GET /users/1/orders/:id'], ['/users/1/orders/7']],
    [['GET /settings/theme'], ['/settings/theme']],
    [['GET /settings/users/:id'], ['/settings/users/1']],
    [['GET /users'], ['/users']],
    [['GET /users/:id'], ['/users/1']],
    [['GET /orders', 'GET /orders/:id'], []],
    [['GET /users/1/:id'], []],
    [['GET /settings/:id'], []],
    [['GET /settings'], ['/settings']],
    [['GET /posts/1/comments', 'GET /posts/1/comments/1', 'GET /posts/1/comments/:id'], []],
    [['GET /users/1/posts', 'GET /users/1/:id'], []],
    [['POST /users/1/orders', 'DELETE /users/1/orders/:id'], []],
  ])('%j opens %j alone', async (allow, open) => {
    const opened: string[] = []
    const server = await serveApp({ data: { ...data(), blogs: [{ id: 1, notes: [] }] }, allow })
    for (const path of paths) if ((await ask(server.url, { path })).status === 200) opened.push(path)
    await server.close()
    expect(opened).toEqual(open)
  })

  test('a rule opens nothing any more once there is a collection of the name', async () => {
    const source = new MemoryData(data())
    const server = await serveApp({ data: source, allow: ['GET /users/1/orders'] })
    const status = async () => (await ask(server.url, { path: '/users/1/orders' })).status
    expect(await status()).toBe(200)
    source.replace({ ...data(), orders: [{ id: 1 }] })
    expect(await status()).toBe(401)
    await server.close()
  })

  test('a name that a rule does not hold is refused as one that is not there', async () => {
    const { answers } = await exchange(['GET /settings/theme', 'GET /settings/nothing'], {
      allow: ['GET /settings/:id'],
    })
    expect(answers[0]).toMatchObject({ status: 404, body: {} })
    expect(answers[1]).toMatchObject({ status: 404, body: {} })
  })

  test('a middleware leads no request to nested data that a rule has not named', async () => {
    for (const url of [
      '/users/1/orders',
      '/users/1/orders/8',
      '/users/1/address',
      '/settings/theme',
      '/posts/1/comments/1',
    ]) {
      const middlewares: AppOptions['middlewares'] = [
        (request, _response, next) => {
          request.url = url
          next()
        },
      ]
      const options = { allow: ['GET /posts', 'GET /users/1/orders/7'], middlewares, nested: true }
      const { answers } = await exchange(['GET /posts', 'GET /users/1/orders/7'], options)
      for (const { status, body } of answers)
        expect([
          [401, 'Unauthorized'],
          [404, {}],
        ]).toContainEqual([status, body])
    }
  })

  test('a rule for a change opens this change alone', async () => {
    const allow = ['POST /users/1/orders']
    const { answers } = await exchange(
      ['POST /users/1/orders {}', 'POST /users/2/orders {}', 'GET /users/1/orders'],
      {
        allow,
      },
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 401, 401])
  })
})
