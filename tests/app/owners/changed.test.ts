import { until } from '../../support/http'
import { ANN, BEN, CID, DATA, databaseOf, householdTests, ids } from './people'

const { open, house, ann, ben, root, nobody } = householdTests()

describe('who makes a record', () => {
  beforeEach(() => open())

  test('14, 15: owns it, by the id as the user has it, and finds it by a relation', async () => {
    expect(await ben('POST /todos {}')).toMatchObject({ status: 201, body: { id: 5, userId: 2 } })
    const { body } = await ben('GET /users/2?_embed=todos')
    expect(body).toMatchObject({ todos: [DATA.todos[1], { id: 5, userId: 2 }] })
  })

  test.each(['POST /todos {"userId":"2"}', 'POST /users/2/todos {}', 'POST /todos {"userId":null}'])(
    '16, 19: owns it as a number: %s',
    async (line) => {
      expect(await ben(line)).toMatchObject({ status: 201, body: { userId: 2 } })
    },
  )

  test('16: refers to what is in the path as the records of others do', async () => {
    const todos = [{ id: 1, userId: 1, tagIds: [1] }]
    await open({ data: { users: [ANN, BEN], tags: [{ id: 1 }], todos }, owned: [] })
    expect((await ben('POST /tags/1/todos {}')).body).toMatchObject({ tagIds: [1], userId: 2 })
  })

  test.each(['POST /todos {"userId":1}', 'POST /users/1/todos {}', 'POST /todos {"userId":1,"id":1}'])(
    '17, 20: makes none for another: %s',
    async (line) => {
      expect((await ben(line)).status).toBe(403)
      expect(house().stored('todos')).toEqual(DATA.todos)
    },
  )

  test.each(['[2]', '{}', 'true', '""', '"02"', '2.5', '-2', '1e400'])(
    '18: names no user by %s',
    async (value) => {
      expect((await ben(`POST /todos {"userId":${value}}`)).status).toBe(403)
      expect(house().stored('todos')).toEqual(DATA.todos)
    },
  )

  test("20: gets no id that another's record has", async () => {
    expect((await ben('POST /todos {"id":1}')).status).toBe(409)
    expect((await ben('POST /todos {"id":"1"}')).status).toBe(409)
  })

  test('21: gets ids that nobody has, of all records', async () => {
    expect((await ben('POST /todos {}')).body).toMatchObject({ id: 5 })
    expect((await ann('POST /todos {}')).body).toMatchObject({ id: 6 })
    expect((await ben('POST /todos {}')).body).toMatchObject({ id: 7 })
    expect(house().stored('todos')).toHaveLength(7)
  })

  test('22: keeps it after a PUT', async () => {
    expect(await ben('PUT /todos/2 {"text":"new"}')).toMatchObject({
      status: 200,
      body: { id: 2, text: 'new', userId: 2 },
    })
    expect(house().stored('todos')).toEqual([
      DATA.todos[0],
      { id: 2, text: 'new', userId: 2 },
      ...DATA.todos.slice(2),
    ])
  })

  test('23: gives none away', async () => {
    expect((await ben('PATCH /posts/2 {"userId":1}')).status).toBe(403)
    expect((await ben('PUT /posts/2 {"userId":1}')).status).toBe(403)
    expect((await ben('PATCH /posts/2 {"userId":null}')).body).toMatchObject({ userId: 2 })
  })

  test.each([
    'PUT /posts/1 {"title":"x"}',
    'PATCH /posts/1 {"title":"x"}',
    'DELETE /posts/1',
    'POST /posts/1/tags {"id":2}',
    'PATCH /posts/1/meta {"views":0}',
    'PUT /posts/1/meta {"views":0}',
    'DELETE /posts/1/tags/1',
    'PATCH /posts/3 {"title":"x"}',
  ])('25, 26, 27: changes nothing of another, or of nobody: %s', async (line) => {
    const { status, body } = await ben(line)
    expect([status, body]).toEqual([403, { error: expect.any(String) }])
    expect(house().stored('posts')).toEqual(DATA.posts)
  })

  test('25: nor by another method', async () => {
    const headers = { 'X-HTTP-Method-Override': 'PATCH' }
    expect((await ben('POST /posts/1 {"title":"x"}', headers)).status).toBe(403)
    expect((await ben('POST /posts/1', { 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(403)
    expect(house().stored('posts')).toEqual(DATA.posts)
  })

  test.each([
    'PATCH /users/1 {"password":"mine"}',
    'PUT /users/1 {"email":"ann@example.com","password":"mine"}',
    'DELETE /users/1',
    'POST /users/1/orders {"id":1}',
  ])('28: takes over no account: %s', async (line) => {
    expect((await ben(line)).status).toBe(403)
    expect(house().stored('users')).toEqual(DATA.users)
    expect(house().stored('todos')).toEqual(DATA.todos)
  })

  test('29: changes the own account, by its address and by --me', async () => {
    await open({ login: '/login', me: 'PATCH /me' })
    expect((await ben('PATCH /users/2 {"name":"B"}')).status).toBe(200)
    const own = await house().as(BEN, '/login')
    expect((await own('PATCH /me {"name":"Benno"}')).status).toBe(200)
    expect(house().stored('users')).toMatchObject([ANN, { ...BEN, name: 'Benno' }, DATA.users[2]])
  })

  test('30: makes another user, who logs in', async () => {
    const dot = { email: 'dot@example.com', password: 'date-bun' }
    expect((await ben(`POST /users ${JSON.stringify({ ...dot, id: 9 })}`)).status).toBe(201)
    expect(ids(await (await house().as(dot))('GET /todos'))).toEqual([])
  })
})

test('31: whoever may sign up sees that account alone', async () => {
  await open({ allow: ['POST /users'], private: ['users'], owned: [] })
  const dot = { email: 'dot@example.com', password: 'date-bun' }
  expect((await nobody(`POST /users ${JSON.stringify(dot)}`)).status).toBe(201)
  expect((await (await house().as(dot))('GET /users')).body).toEqual([{ ...dot, id: 4 }])
  expect((await nobody('GET /users')).status).toBe(401)
})

test('32: a sign-up by a name that a private user has is refused', async () => {
  await open({ signUp: '/register', private: ['users'], owned: [] })
  expect((await nobody(`POST /register {"email":"${ANN.email}","password":"other-one"}`)).status).toBe(409)
})

describe('nobody', () => {
  test.each([{ allow: ['GET /todos', 'GET /todos/:id'] }, { allow: 'all' as const }])(
    '33: gets a 401 for a private list or record with %j',
    async (options) => {
      await open(options)
      for (const path of ['/todos', '/todos/1', '/todos/99'])
        expect(await nobody(`GET ${path}`)).toMatchObject({ status: 401, body: 'Unauthorized' })
    },
  )

  test("33: gets the application's own refusal", async () => {
    await open({ allow: 'all', tokenRefusal: { code: '$status' } })
    expect(await nobody('GET /todos')).toMatchObject({ status: 401, body: { code: 401 } })
  })

  test('34: is who sends a token that is not valid', async () => {
    let now = Date.now()
    await open({ allow: 'all', clock: () => now })
    const forged = house().with(`${await house().tokenOf(ANN)}x`)
    const refused = await forged('GET /todos')
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toContain('invalid_token')
    now += 3_601_000
    const expired = await ann('GET /todos')
    expect(expired.status).toBe(401)
    expect(expired.headers['www-authenticate']).toContain('expired')
  })

  test.each([
    'GET /users/1/todos',
    'GET /todos/1/tags',
    'PATCH /todos/1 {"text":"x"}',
    'PATCH /todos/99 {"text":"x"}',
    'DELETE /todos/1',
    'POST /todos {}',
    'GET /posts/1/todos/2',
  ])('35: gets a 401 for whatever is private where all is open: %s', async (line) => {
    await open({ allow: 'all' })
    expect((await nobody(line)).status).toBe(401)
    expect(house().stored('todos')).toEqual(DATA.todos)
  })

  test('36: sees nothing of it where all is open', async () => {
    await open({ allow: 'all' })
    expect(await nobody('GET /db')).toMatchObject({ status: 200, body: { todos: [], posts: DATA.posts } })
    const embedded = await nobody('GET /posts?_embed=todos')
    expect([embedded.status, JSON.stringify(embedded.body)]).toEqual([
      200,
      expect.not.stringContaining("Ben's"),
    ])
  })

  test('37: owns nothing, and may add what is free', async () => {
    await open({ allow: 'all' })
    for (const line of [
      'POST /posts {}',
      'PATCH /posts/1 {"title":"x"}',
      'PUT /posts/1 {}',
      'DELETE /posts/3',
    ])
      expect((await nobody(line)).status).toBe(401)
    expect(house().stored('posts')).toEqual(DATA.posts)
    expect((await nobody('POST /comments {"text":"hi"}')).status).toBe(201)
  })
})

describe('a login of --user', () => {
  beforeEach(() => open())

  test('48: changes all, gives away, and makes what belongs to whom it says', async () => {
    expect((await root('PATCH /posts/3 {"userId":1}')).status).toBe(200)
    expect((await root('POST /todos {}')).body).toEqual({ id: 5 })
    expect((await root('POST /todos {"userId":2}')).body).toEqual({ id: 6, userId: 2 })
    expect((await root('DELETE /todos/1')).status).toBe(200)
  })
})

describe('51: a DELETE of an own record', () => {
  test('removes the records of others that refer to it, as in json-server', async () => {
    await open()
    expect((await ann('DELETE /posts/1')).status).toBe(200)
    expect(ids({ ...(await root('GET /todos')) })).toEqual([1, 3, 4])
  })

  test('leaves them with --no-cascade', async () => {
    await open({ cascade: false })
    expect((await ann('DELETE /posts/1')).status).toBe(200)
    expect(ids(await root('GET /todos'))).toEqual([1, 2, 3, 4])
  })
})

test('52: a middleware that changes arrays in place is seen at once, and no other record is replaced', async () => {
  await open({
    middlewares: [
      (request, response, next) => {
        const todos = databaseOf(request).get('todos').value<Record<string, unknown>[]>()
        if (request.path === '/push') todos.push({ id: 9, userId: 2, text: 'pushed' })
        else if (request.path === '/give') Object.assign(todos[0] ?? {}, { userId: 2 })
        else if (request.path === '/remove') todos.splice(1, 1)
        else return next()
        response.json('done')
      },
    ],
  })
  expect(ids(await ben('GET /todos'))).toEqual([2])
  await root('POST /push')
  expect(ids(await ben('GET /todos'))).toEqual([2, 9])
  await root('POST /give')
  expect(ids(await ben('GET /todos'))).toEqual([1, 2, 9])
  expect(ids(await ann('GET /todos'))).toEqual([3])
  expect((await ann('PATCH /todos/1 {"text":"x"}')).status).toBe(404)
  await root('POST /remove')
  expect((await ben('PATCH /todos/2 {"text":"x"}')).status).toBe(404)
  expect((await ben('PATCH /todos/9 {"text":"mine"}')).status).toBe(200)
  expect(house().stored('todos')).toEqual([
    { ...DATA.todos[0], userId: 2 },
    DATA.todos[2],
    DATA.todos[3],
    { id: 9, userId: 2, text: 'mine' },
  ])
})

test('53: createId of a middleware sees all records', async () => {
  const seen: number[] = []
  await open({
    middlewares: [
      (request, _response, next) => {
        databaseOf(request)._.mixin({
          createId: (records: readonly unknown[]) => {
            seen.push(records.length)
            return `n${records.length}`
          },
        })
        next()
      },
    ],
  })
  expect((await ben('POST /todos {}')).body).toMatchObject({ id: 'n4', userId: 2 })
  expect(seen).toEqual([4])
})

describe('66: an id that records name as their owner', () => {
  const data = { ...DATA, todos: [...DATA.todos, { id: 5, userId: 9 }] }
  const DOT = { email: 'dot@example.com', password: 'date-bun' }

  test('is given to nobody who signs up, or is made', async () => {
    await open({ data, signUp: '/register' })
    expect((await nobody(`POST /register ${JSON.stringify({ ...DOT, id: 9 })}`)).status).toBe(409)
    expect((await ben(`POST /users ${JSON.stringify({ ...DOT, id: 9 })}`)).status).toBe(409)
    expect((await ben(`POST /users ${JSON.stringify({ ...DOT, id: '9' })}`)).status).toBe(409)
    expect(house().stored('users')).toEqual(DATA.users)
  })

  test('is below the next one', async () => {
    await open({ data, signUp: '/register' })
    expect((await nobody(`POST /register ${JSON.stringify(DOT)}`)).status).toBe(201)
    expect(house().stored('users')).toMatchObject([ANN, BEN, CID, { id: 10 }])
  })
})

describe('49, 50: odd ids', () => {
  test.each(['undefined', 'null', 'constructor', '__proto__', 'toString', '0'])('%s', async (id) => {
    await open({ signUp: '/register' })
    const dot = { email: 'dot@example.com', password: 'date-bun' }
    expect((await nobody(`POST /register ${JSON.stringify({ ...dot, id })}`)).status).toBe(201)
    const own = await house().as(dot)
    expect(await own('GET /todos')).toMatchObject({ status: 200, body: [] })
    expect((await own('POST /todos {}')).status).toBe(201)
    expect((await own('GET /todos')).body).toEqual([{ id: 5, userId: id }])
  })
})

test('64: the log says whose it is not, and shows no value of the record', async () => {
  const lines: string[] = []
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  await open({ log: true })
  await ben('GET /todos/1')
  await ben('PATCH /posts/1 {"title":"x"}')
  await ben('PATCH /posts/3 {"title":"x"}')
  await ben('GET /todos/99')
  await until(() => lines.join('').includes('/todos/99'))
  write.mockRestore()
  const said = lines.join('')
  expect(said).toMatch(/GET \/todos\/1 .*belongs to somebody else/)
  expect(said).toMatch(/PATCH \/posts\/1 .*somebody else.*userId/)
  expect(said).toMatch(/PATCH \/posts\/3 .*nobody.*userId/)
  expect(said).toMatch(/GET \/todos\/99 .*no record 99/)
  expect(said).not.toMatch(/Ann's|Of Ann|pear-tree/)
})
