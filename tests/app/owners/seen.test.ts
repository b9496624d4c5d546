import { isRecord } from '../../../lib/is-record'
import { ANN, BEN, DATA, databaseOf, householdTests, ids } from './people'

const { open, house, ann, ben, root, nobody } = householdTests()

describe('a private list', () => {
  beforeEach(() => open())

  test('1: a list has the own records', async () => {
    expect(ids(await ann('GET /todos'))).toEqual([1, 3])
    expect(ids(await ben('GET /todos'))).toEqual([2])
  })

  test('2: a page counts the own records', async () => {
    const page = await ann('GET /todos?_page=1&_limit=1')
    expect([ids(page), page.headers['x-total-count']]).toEqual([[1], '2'])
    expect(page.headers.link).toContain('_page=2')
    expect(page.headers.link).not.toContain('_page=3')
  })

  test.each([
    ['?q=ben', []],
    ['?userId=2', []],
    ['?text_like=ben', []],
    ['?_sort=text', [1, 3]],
    ['?_sort=text&_order=desc', [3, 1]],
    ['?userId=1&text_like=second', [3]],
  ])('3: a search, a filter and an order are over the own records: %s', async (query, found) => {
    expect(ids(await ann(`GET /todos${query}`))).toEqual(found)
  })

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
    "4: %s of another's record is as that of one that is not there",
    async (method) => {
      const body = method === 'PUT' || method === 'PATCH' ? ' {"text":"mine"}' : ''
      const theirs = await ben(`${method} /todos/1${body}`)
      const missing = await ben(`${method} /todos/99${body}`)
      expect([theirs.status, theirs.body]).toEqual([404, method === 'HEAD' ? undefined : {}])
      expect([missing.status, missing.body]).toEqual([theirs.status, theirs.body])
      expect(house().stored('todos')).toEqual(DATA.todos)
    },
  )

  test.each(['GET /todos/1/tags', 'POST /todos/1/tags {"id":2}', 'PATCH /todos/1/tags/1 {"x":1}'])(
    "5: nothing is in another's record: %s",
    async (line) => {
      expect((await ben(line)).status).toBe(404)
      expect(house().stored('todos')).toEqual(DATA.todos)
    },
  )

  test("6: another's record is not there through a record of somebody", async () => {
    expect((await ben('GET /posts/1/todos/1')).status).toBe(404)
    expect((await ben('GET /posts/1/todos/2')).body).toMatchObject({ id: 2 })
  })

  test('7: the records of another user are an empty list', async () => {
    const answer = await ben('GET /users/1/todos')
    expect([answer.status, answer.body]).toEqual([200, []])
  })

  test.each(['/users', '/posts'])('8: %s?_embed=todos has the own records alone', async (path) => {
    const { body } = await ben(`GET ${path}?_embed=todos`)
    const all: unknown[] = Array.isArray(body) ? body : []
    expect(all).toHaveLength(3)
    expect(all.flatMap((record) => (isRecord(record) ? record.todos : []))).toEqual([DATA.todos[1]])
  })

  test("9: _expand leaves out another's record, alone and in a list of ids", async () => {
    const { body } = await ben('GET /comments?_expand=todo')
    expect(body).toEqual([DATA.comments[0], { ...DATA.comments[1], todo: DATA.todos[1] }])
    const albums = await ben('GET /albums?_expand=todos')
    expect(JSON.stringify(albums.body)).not.toContain('Ann')
  })

  test.each([
    'GET /users?_embed=todos.0',
    'GET /users?_embed=todos[0]',
    'GET /users?_expand=todos.0',
    'GET /comments?_expand=todos.0',
    'GET /users?_embed=users.0.password',
    'GET /todos?_expand=users.0',
  ])("10: a path of the client's leads to nothing of another: %s", async (line) => {
    expect(JSON.stringify((await ben(line)).body)).not.toMatch(/Ann's|pear-tree/)
  })

  test('11: /db has the own records and all that is free', async () => {
    const { body } = await ben('GET /db')
    expect(body).toMatchObject({ todos: [DATA.todos[1]], posts: DATA.posts, comments: DATA.comments })
    expect(isRecord(body) && Object.keys(body)).toEqual(Object.keys(DATA))
  })

  test.each(['/TODOS', '/todos/', '/mine'])('12: %s is as /todos', async (path) => {
    await open({ routes: { '/mine': '/todos' } })
    expect(ids(await ben(`GET ${path}`))).toEqual([2])
  })

  test('12: /%74odos is nothing, as in json-server', async () => {
    expect(await ben('GET /%74odos')).toMatchObject({ status: 404, body: {} })
  })

  test("12: a middleware's address is as /todos", async () => {
    await open({
      middlewares: [
        (request, _response, next) => {
          request.url = '/todos'
          next()
        },
      ],
    })
    expect(ids(await ben('GET /anything'))).toEqual([2])
  })

  test("13: the tag of another's response gives the own one, and so does JSONP", async () => {
    const { headers } = await ann('GET /todos')
    const own = await ben('GET /todos', { 'If-None-Match': String(headers.etag) })
    expect([own.status, ids(own)]).toEqual([200, [2]])
  })

  test('24: an owned list is read by all', async () => {
    expect(ids(await ann('GET /posts'))).toEqual([1, 2, 3])
    expect((await ann('GET /posts/2')).body).toEqual(DATA.posts[1])
    expect(ids(await ann('GET /users?_embed=posts'))).toEqual([1, 2, 3])
  })

  test('47: a login of --user sees all', async () => {
    expect(ids(await root('GET /todos'))).toEqual([1, 2, 3, 4])
    expect((await root('GET /db')).body).toEqual(house().data.state)
  })

  test('53: a middleware with the database sees all', async () => {
    let seen: unknown
    await open({
      middlewares: [
        (request, _response, next) => {
          seen = databaseOf(request).get('todos').size().value()
          next()
        },
      ],
    })
    expect(ids(await ben('GET /todos'))).toEqual([2])
    expect(seen).toBe(4)
  })

  test('58: what becomes an object shows nothing', async () => {
    house().data.replace({ ...house().data.state, todos: { secret: 'of Ann' } })
    expect(JSON.stringify((await ben('GET /todos')).body)).not.toContain('Ann')
    expect(JSON.stringify((await ben('GET /db')).body)).not.toContain('of Ann')
  })

  test.each(['GET /todos', 'POST /todos {}', 'PUT /todos {}', 'PATCH /todos {}'])(
    '58: what becomes an object is not there for %s',
    async (line) => {
      const todos = { secret: 'of Ann' }
      house().data.replace({ ...house().data.state, todos })
      expect((await ben(line)).status).toBe(404)
      expect(house().stored('todos')).toEqual(todos)
      expect((await root('GET /todos')).body).toEqual(todos)
    },
  )
})

test('59: a private collection that is called "inside" has its nested lists', async () => {
  await open({
    data: { users: [ANN, BEN], inside: [{ id: 1, userId: 1, list: [{ id: 7 }] }] },
    private: ['inside'],
    owned: [],
  })
  expect((await ann('GET /inside/1/list')).body).toEqual([{ id: 7 }])
  expect((await ben('GET /inside/1/list')).status).toBe(404)
})

test('60: the owner stands in the name that --id and --fks make', async () => {
  const data = {
    users: [
      { _id: 1, email: ANN.email, password: ANN.password },
      { _id: 2, email: BEN.email, password: BEN.password },
    ],
    todos: [
      { _id: 1, user_id: 1 },
      { _id: 2, user_id: 2 },
    ],
  }
  await open({ data, owned: [], idProperty: '_id', foreignKeySuffix: '_id' })
  expect((await ben('GET /todos')).body).toEqual([{ _id: 2, user_id: 2 }])
  expect((await ben('POST /todos {}')).body).toEqual({ _id: 3, user_id: 2 })
  const { body } = await ben('GET /users/2?_embed=todos')
  expect(isRecord(body) && body.todos).toHaveLength(2)
})

test('the owner can stand in another field', async () => {
  const data = {
    users: [ANN, BEN],
    notes: [
      { id: 1, author: 1 },
      { id: 2, author: '2' },
    ],
  }
  await open({ data, private: ['notes.author'], owned: [] })
  expect(ids(await ann('GET /notes'))).toEqual([1])
  expect(ids(await ben('GET /notes'))).toEqual([2])
})

describe('68: nobody sees the password of somebody else', () => {
  beforeEach(() => open())
  const EVERYWHERE = [
    '/users',
    '/users/1',
    '/posts?_expand=user',
    '/posts/1?_expand=user',
    '/db',
    '/users?_embed=posts',
  ]

  test.each(EVERYWHERE)('in %s', async (path) => {
    const { status, body } = await ben(`GET ${path}`)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('Ann')
    expect(JSON.stringify(body)).not.toContain(ANN.password)
    expect(JSON.stringify((await root(`GET ${path}`)).body)).toContain(ANN.password)
  })

  test.each(['?password_like=pear', '?q=pear-tree', '?password=pear-tree'])('by %s', async (query) => {
    expect(ids(await ben(`GET /users${query}`))).toEqual([])
    expect(ids(await ann(`GET /users${query}`))).toEqual([1])
  })

  test('the own one is there, and a PUT or PATCH of the own record keeps those of others', async () => {
    expect((await ben('GET /users/2')).body).toEqual(BEN)
    expect((await ben('PATCH /users/2 {"name":"Benno"}')).status).toBe(200)
    expect(house().stored('users')).toEqual([ANN, { ...BEN, name: 'Benno' }, DATA.users[2]])
  })

  test('nor does anybody, where all is open or the users are public', async () => {
    await open({ allow: 'all' })
    expect(JSON.stringify((await nobody('GET /users')).body)).not.toContain(ANN.password)
    await open({ publicCollection: 'users' })
    for (const path of ['/users', '/users/1', '/user/1'])
      expect(JSON.stringify((await nobody(`GET ${path}`)).body)).not.toContain(ANN.password)
  })

  test('beside a middleware that has the database, too', async () => {
    await open({ middlewares: [(request, _response, next) => next(void databaseOf(request))] })
    expect(JSON.stringify((await ben('GET /users')).body)).not.toContain(ANN.password)
    await ben('PATCH /users/2 {"name":"Benno"}')
    expect(house().stored('users')).toEqual([ANN, { ...BEN, name: 'Benno' }, DATA.users[2]])
  })
})

test('65: without rules, everybody with a token sees and changes everything', async () => {
  await open({ private: [], owned: [] })
  expect(ids(await ben('GET /todos'))).toEqual([1, 2, 3, 4])
  expect((await ben('PATCH /todos/1 {"text":"x"}')).status).toBe(200)
  expect((await ben('GET /users/1')).body).toEqual(ANN)
})
