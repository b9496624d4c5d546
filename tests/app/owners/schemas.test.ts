import { sampleData } from '../../support/data'
import { ask, json } from '../../support/http'
import { ANN, BEN, CID, DATA, Household } from './people'

const SCHEMAS = {
  todos: {
    additionalProperties: false,
    required: ['text', 'userId'],
    properties: {
      text: { type: 'string', minLength: 1, unique: true },
      done: { type: 'boolean', default: false },
    },
  },
}

let house: Household
afterEach(() => house.server.close())

describe('a schema beside owners', () => {
  const todos = [{ id: 1, text: 'of Ann', done: false, userId: 1 }]

  test("the owner's field counts as the server's own: nobody has to send it, or to name it", async () => {
    house = await Household.open({ data: { ...DATA, todos }, schemas: SCHEMAS })
    const ben = await house.as(BEN)
    expect(await ben('POST /todos {"text":"of Ben"}')).toMatchObject({
      status: 201,
      body: { id: 2, text: 'of Ben', done: false, userId: 2 },
    })
    expect(await ben('PUT /todos/2 {"text":"new"}')).toMatchObject({ status: 200, body: { userId: 2 } })
    expect(await ben('POST /todos {"done":true}')).toMatchObject({
      status: 422,
      body: { errors: { text: expect.anything() } },
    })
    expect(await ben('POST /todos {"text":"x","secret":1}')).toMatchObject({ status: 422 })
  })

  test('56: `unique` with --private looks at all records', async () => {
    house = await Household.open({ data: { ...DATA, todos }, schemas: SCHEMAS })
    const ben = await house.as(BEN)
    expect(await ben('POST /todos {"text":"of Ann"}')).toMatchObject({
      status: 422,
      body: { errors: { text: [expect.stringContaining('taken')] } },
    })
    expect(house.stored('todos')).toEqual(todos)
  })

  test('what somebody else owns is refused before what is wrong with it', async () => {
    house = await Household.open({ data: { ...DATA, todos }, schemas: SCHEMAS })
    const ben = await house.as(BEN)
    expect((await ben('POST /todos {"userId":1}')).status).toBe(403)
    expect((await ben('PATCH /todos/1 {"text":""}')).status).toBe(404)
    expect((await ben('POST /todos {"id":1}')).status).toBe(409)
  })
})

test('the document says where somebody is needed, and that others have no password', async () => {
  house = await Household.open({
    docs: true,
    allow: 'all',
    data: { ...sampleData(), users: [ANN, BEN, CID], todos: DATA.todos },
  })
  const answer = await ask(house.server.url, { path: '/openapi.json' })
  const { paths, components } = Object(json(answer))
  const responses = (path: string, method: string) => Object.keys(paths[path][method].responses).toSorted()
  expect(responses('/todos', 'get')).toContain('401')
  expect(responses('/todos/{id}', 'get')).toEqual(expect.arrayContaining(['401', '404']))
  expect(responses('/posts', 'get')).not.toContain('401')
  expect(responses('/posts/{id}', 'patch')).toEqual(expect.arrayContaining(['401', '403', '404']))
  expect(responses('/users', 'post')).toContain('403')
  expect(components.schemas.User.required).not.toContain('password')
  expect(answer.text).not.toMatch(/Ann's|pear-tree/)
})
