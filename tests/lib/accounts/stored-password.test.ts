import { compareSync, hashSync } from 'bcryptjs'
import { type AppOptions, MemoryData } from '../../../server'
import { serveApp } from '../../support/app'
import {
  type Answer,
  ask,
  authorized,
  logIn,
  question,
  type TestServer,
  withHeaders,
} from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'

const ANA = { id: 1, email: 'ana@x.org', password: 'pa', name: 'Ana' }
const HASHED = { id: 2, email: 'bo@x.org', password: hashSync('pb', 4) }

quickHashes()
let server: TestServer
let source: MemoryData
let headers: Record<string, string>
afterEach(() => server.close())

async function start(options: Partial<AppOptions>, users: object[] = [ANA, HASHED]): Promise<void> {
  source = new MemoryData({ users, posts: [{ id: 1 }] })
  server = await serveApp({ data: source, ...options })
  headers = authorized(await logIn(server.url, ANA))
}

function say(line: string): Promise<Answer> {
  return ask(server.url, withHeaders(question(line), headers))
}

/** A stored user. */
function userOf(id: number): Record<string, unknown> {
  return Object([source.state.users].flat().find((user) => Object(user).id === id))
}

test.each(['PATCH', 'PUT'])(
  '%s of a password is stored as a hash where the one before is',
  async (method) => {
    await start({ login: '/login' })
    const body = '{"email": "bo@x.org", "password": "new"}'
    expect((await say(`${method} /users/2 ${body}`)).status).toBe(200)
    expect(compareSync('new', String(userOf(2).password))).toBe(true)
    expect((await say(`POST /login ${body}`)).status).toBe(200)
    expect((await say(`${method} /USERS/1/ ${body}`)).status).toBe(200)
    expect(userOf(1).password).toBe('new')
  },
)

test('a change stores no second field with the password, and neither does a path through another record', async () => {
  await start({ login: '/login' })
  const twice = '{"password": "new", "confirmPassword": "new"}'
  expect((await say(`PATCH /users/2 ${twice}`)).status).toBe(200)
  expect(userOf(2)).not.toHaveProperty('confirmPassword')
  expect((await say('POST /posts/1/users {"email": "n@x.org", "password": "clear"}')).status).toBe(201)
  expect(compareSync('clear', String(userOf(3).password))).toBe(true)
  // It is a new user, whatever the password of the one in its path.
  expect((await say('POST /users/1/users {"email": "m@x.org", "password": "mine"}')).status).toBe(201)
  expect(compareSync('mine', String(userOf(4).password))).toBe(true)
})

test('a POST of a user is stored with a hash where users have hashes', async () => {
  await start({ login: '/login' })
  expect((await say('POST /users {"email": "n@x.org", "password": "n"}')).status).toBe(201)
  expect(compareSync('n', String(userOf(3).password))).toBe(true)
  const hash = hashSync('m', 4)
  expect((await say(`POST /users {"email": "m@x.org", "password": "${hash}"}`)).status).toBe(201)
  expect(userOf(4).password).toBe(hash)
})

test.each(['', ', "password": ""', ', "password": null'])(
  'a PUT of a person without a password%s keeps it',
  async (rest) => {
    await start({ login: '/login' })
    expect((await say(`PUT /users/1 {"email": "new@x.org"${rest}}`)).status).toBe(200)
    expect(userOf(1)).toEqual({ id: 1, email: 'new@x.org', password: 'pa' })
    expect((await say('POST /login {"email": "new@x.org", "password": "pa"}')).status).toBe(200)
  },
)

test('without a login of the application, and of any other collection, all is stored as it was sent', async () => {
  await start({})
  expect((await say('PATCH /users/2 {"password": "new"}')).status).toBe(200)
  expect(userOf(2).password).toBe('new')
  expect((await say('PUT /users/1 {"email": "x"}')).status).toBe(200)
  expect(userOf(1)).toEqual({ id: 1, email: 'x' })
  await server.close()
  await start({ login: '/login' })
  expect((await say('PATCH /posts/1 {"password": "new"}')).status).toBe(200)
  expect(source.state.posts).toEqual([{ id: 1, password: 'new' }])
})
