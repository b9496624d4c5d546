import { hashSync } from 'bcryptjs'
import { testApps } from '../../../support/app'
import { ADA } from '../../../support/data'
import { quickHashes } from '../../../support/quick-hashes'

const { start } = testApps()
quickHashes()
const users = [
  { id: 1, ...ADA },
  { id: 2, email: 'ben@example.com', password: hashSync('rye', 4) },
]
const schemas = {
  tasks: {
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 3, unique: true },
      done: { type: 'boolean', default: false },
    },
  },
  comments: { properties: { taskId: { type: 'integer' }, text: { type: 'string' } } },
  users: { properties: { password: { type: 'string', minLength: 6 } } },
}

describe('of several records at once', () => {
  test.each([
    ['one does not fit', [{ title: 'First' }, { title: 'x' }]],
    ['two are to be unique', [{ title: 'First' }, { title: 'First' }]],
  ])('none is stored where %s', async (_what, body) => {
    const { send } = await start({ data: { users, tasks: [] }, schemas })
    expect((await send('POST', '/tasks', body)).status).toBe(422)
    expect(JSON.parse((await send('GET', '/tasks')).text)).toEqual([])
  })

  test('each has its defaults, its times and its id', async () => {
    const { send } = await start({
      data: { users, tasks: [] },
      schemas,
      timeStamps: ['createdAt'],
      ids: 'uuid',
    })
    const made = await send('POST', '/tasks', [{ title: 'First' }, { title: 'Second', done: true }])
    const common = { id: expect.stringMatching(/^[\da-f-]{36}$/), createdAt: expect.any(String) }
    expect(JSON.parse(made.text)).toEqual([
      { title: 'First', done: false, ...common },
      { title: 'Second', done: true, ...common },
    ])
  })

  test('texts stay texts, and the id of the path becomes a number', async () => {
    const { send } = await start({ data: { users, tasks: [{ id: 1 }], comments: [] }, schemas })
    const made = await send('POST', '/tasks/1/comments', [{ text: '1' }])
    expect(JSON.parse(made.text)).toMatchObject([{ text: '1', taskId: 1 }])
  })

  test('a password is looked at as it was sent, and stored as a hash', async () => {
    const { send } = await start({ data: { users }, login: '/api/login', schemas })
    const post = (...passwords: string[]) =>
      send(
        'POST',
        '/users',
        passwords.map((password, index) => ({ email: `${index}@x.y`, password })),
      )
    expect((await post('long enough', 'short')).status).toBe(422)
    const made = JSON.parse((await post('long enough', 'enough too')).text)
    for (const { password } of made) expect(password).toMatch(/^\$2/)
  })

  test('each becomes the own of whoever sends it, or none is stored', async () => {
    const { send } = await start({ data: { users, tasks: [] }, owned: ['tasks'] })
    expect((await send('POST', '/tasks', [{ a: 1 }, { a: 2, userId: 2 }])).status).toBe(403)
    const made = await send('POST', '/tasks', [{ a: 1 }, { a: 2 }])
    expect(JSON.parse(made.text)).toMatchObject([{ userId: 1 }, { userId: 1 }])
    expect(JSON.parse((await send('GET', '/tasks')).text)).toHaveLength(2)
  })
})
