import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DataSource } from '../../../lib/data/data-source'
import { isRecord } from '../../../lib/is-record'
import { openSandbox } from '../../../lib/testing'
import { type AppOptions, createApp } from '../../../server'
import { OpenidClient } from '../../lib/options/openid/client'
import { newFolder, removeFolders } from '../../support/data'
import { type Listener, listenTo } from '../../support/events'
import { serve } from '../../support/http'
import { openKept } from '../../support/kept-data'
import { ANN, type Asker, BEN, CID, DATA, Household, ids, ROOT_LOGIN } from './people'

let house: Household
let ann: Asker
let ben: Asker
let cid: Asker
let nobody: Asker
const listeners: Listener[] = []

async function open(options: Partial<Omit<AppOptions, 'data'>> & { data?: object } = {}): Promise<void> {
  house = await Household.open(options)
  ann = await house.as(ANN)
  ben = await house.as(BEN)
  cid = await house.as(CID)
  nobody = await house.as()
}

async function hear(person: { email: string; password: string }, target: string): Promise<Listener> {
  const headers = { Authorization: `Bearer ${await house.tokenOf(person)}` }
  const listener = await listenTo(house.server.url, target, headers)
  listeners.push(listener)
  return listener
}
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close()
  await house.server.close()
})
afterAll(removeFolders)

const DOT = { email: 'dot@example.com', password: 'date-bun' }

describe('somebody who is gone', () => {
  test('38, 39, 40: has no records, and neither has the next one with that id those of before, nor an open stream', async () => {
    await open({ signUp: '/register', data: { ...DATA, todos: [{ id: 1, userId: 1 }] } })
    expect((await cid('POST /todos {"text":"of Cid"}')).status).toBe(201)
    const stream = await hear(CID, '/todos')
    expect((await cid('DELETE /users/3')).status).toBe(200)
    const refused = await cid('GET /todos')
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
    expect((await nobody(`POST /register ${JSON.stringify({ ...DOT, id: 3 })}`)).status).toBe(201)
    const dot = await house.as(DOT)
    expect((await dot('POST /todos {"text":"of Dot"}')).body).toMatchObject({ userId: 3 })
    expect((await dot('GET /todos')).body).toEqual([expect.objectContaining({ text: 'of Dot' })])
    expect((await cid('GET /todos')).status).toBe(401)
    await stream.ended
    expect(stream.text()).not.toContain('of Dot')
  })

  test('41: is who had the id before the file was reloaded', async () => {
    await open()
    house.data.replace({ ...DATA, users: [{ ...DOT, id: 1 }, BEN, CID] })
    expect((await ann('GET /todos')).status).toBe(401)
  })

  test('42: is nobody who has another email now', async () => {
    await open()
    expect((await ann('PATCH /users/1 {"email":"anna@example.com"}')).status).toBe(200)
    expect(ids(await ann('GET /todos'))).toEqual([1, 3])
  })
})

describe('people in another collection', () => {
  const data = {
    users: [ANN, BEN, CID],
    people: [{ id: 1, username: 'eva', password: 'nut-loaf' }],
    notes: [{ id: 1, personId: 1, text: 'of Eva' }],
  }

  test('43, 44: own by their own id, and a user of that id is nobody', async () => {
    await open({ data, login: '/login', loginUsers: 'people', private: ['notes'], owned: [] })
    expect((await ann('GET /notes')).status).toBe(401)
    const eva = await house.as({ email: 'eva', password: 'nut-loaf' }, '/login')
    expect((await eva('GET /notes')).body).toEqual(data.notes)
    expect((await eva('POST /notes {}')).body).toEqual({ id: 2, personId: 1 })
  })
})

describe('sandboxes', () => {
  test('45: a token opens nothing of whoever has the id in the other data', async () => {
    await open({ sandboxes: true })
    const inLab = { 'X-Sandbox': 'lab' }
    const reset = { users: [{ ...DOT, id: 1 }, BEN], todos: [{ id: 1, userId: 1, text: 'of Dot' }] }
    expect((await ben(`POST /__sandbox/reset ${JSON.stringify(reset)}`, inLab)).status).toBe(204)
    expect((await ann('GET /todos', inLab)).status).toBe(401)
    const login = await nobody(`POST /auth/login ${JSON.stringify(DOT)}`, inLab)
    const dot = house.with(isRecord(login.body) ? String(login.body.access_token) : '')
    expect((await dot('GET /todos')).body).toEqual(reset.todos)
    expect((await dot('GET /todos', { 'X-Sandbox': 'other' })).status).toBe(401)
  })

  test('67: the journal shows the own requests, and all to --user', async () => {
    await open({ sandboxes: true })
    const inLab = { 'X-Sandbox': 'lab' }
    await ann('GET /todos/1', inLab)
    await ben('GET /todos/2', inLab)
    await nobody('GET /posts', inLab)
    const root = await house.as(ROOT_LOGIN)
    const paths = async (asker: Asker) => {
      const { body } = await asker('GET /__sandbox/requests', inLab)
      return Array.isArray(body) ? body.map((request) => request.path) : body
    }
    expect(await paths(ann)).toEqual(['/todos/1'])
    expect(await paths(ben)).toEqual(['/todos/2'])
    expect(await paths(root)).toEqual(['/todos/1', '/todos/2', '/posts'])
  })

  test('67: whoever is nobody in a sandbox does not see what another nobody has sent', async () => {
    await open({ sandboxes: true })
    await ann('POST /__sandbox/reset {"users": []}', { 'X-Sandbox': 'empty' })
    await nobody('POST /auth/login {"email": "zoe@example.com", "password": "x"}', { 'X-Sandbox': 'empty' })
    expect((await ben('GET /__sandbox/requests', { 'X-Sandbox': 'empty' })).body).toEqual([])
  })

  test.each([
    { who: 'a user', users: [{ ...ANN, password: 'known' }] },
    { who: 'a login of --user', users: [{ email: ROOT_LOGIN.email, password: 'known' }] },
  ])('a token of another sandbox is not that of $who of the same name', async ({ users }) => {
    await open({ sandboxes: true })
    await ben(`POST /__sandbox/reset ${JSON.stringify({ users })}`, { 'X-Sandbox': 'mine' })
    const credentials = JSON.stringify({ email: users[0]?.email, password: 'known' })
    const login = await nobody(`POST /auth/login ${credentials}`, { 'X-Sandbox': 'mine' })
    const forged = house.with(isRecord(login.body) ? String(login.body.access_token) : '')
    expect((await forged('GET /users')).status).toBe(200)
    for (const line of ['GET /todos', 'GET /users', 'GET /auth/me', 'PATCH /users/1 {"password":"taken"}'])
      expect([line, (await forged(line, { 'X-Sandbox': 'victim' })).status]).toEqual([line, 401])
  })

  test('Ann and Ben in one test', async () => {
    await open({ sandboxes: true })
    const of = async (user: object) => openSandbox({ url: house.server.url, name: 'both', user })
    await of(ANN)
    const url = `${house.server.url}/todos`
    const [annsToken, bensToken] = await Promise.all([house.tokenOf(ANN), house.tokenOf(BEN)])
    const list = async (token: string) =>
      (await fetch(url, { headers: { 'X-Sandbox': 'both', Authorization: `Bearer ${token}` } })).json()
    expect([await list(annsToken), await list(bensToken)]).toEqual([
      [DATA.todos[0], DATA.todos[2]],
      [DATA.todos[1]],
    ])
  })
})

test('46, 47: a token of OpenID Connect opens the records of its user, or all, and an identity none', async () => {
  await open({ openid: true })
  const tokensOf = async ({ email, password }: { email: string; password: string }) => {
    const client = new OpenidClient(house.server.url)
    return client.exchange(await client.logIn({}, { username: email, password }))
  }
  const anns = await tokensOf(ANN)
  expect(ids(await house.with(anns.access_token)('GET /todos'))).toEqual([1, 3])
  expect((await house.with(anns.id_token)('GET /todos')).status).toBe(401)
  const roots = await tokensOf(ROOT_LOGIN)
  expect(ids(await house.with(roots.access_token)('GET /todos'))).toEqual([1, 2, 3, 4])
})

describe('streams', () => {
  beforeEach(() => open())

  test('54: tell nothing of what another does, and of the own changes', async () => {
    const targets = ['/todos', '/todos/1', '/db', '/users?_embed=todos']
    const heard = await Promise.all(targets.map((target) => hear(ANN, target)))
    expect((await ben('PATCH /todos/2 {"text":"changed by Ben"}')).status).toBe(200)
    expect((await ben('POST /todos {"text":"new of Ben"}')).status).toBe(201)
    expect((await ann('PATCH /todos/1 {"text":"changed by Ann"}')).status).toBe(200)
    for (const listener of heard) await listener.heard(2)
    for (const listener of heard) expect(listener.text()).not.toContain('Ben"}')
    expect(heard.map(({ events }) => events.map(({ name }) => name))).toEqual(
      targets.map(() => ['loaded', 'updated']),
    )
  })

  test('55: of /db tell the own change alone', async () => {
    const listener = await hear(ANN, '/db')
    await ann('PATCH /todos/1 {"text":"x"}')
    await listener.heard(2)
    expect(listener.events[1]).toEqual({
      name: 'updated',
      data: { todos: expect.objectContaining({ id: 1, text: 'x' }) },
    })
  })

  test('56: are as many as there are people', async () => {
    const [anns, bens] = await Promise.all([hear(ANN, '/todos'), hear(BEN, '/todos')])
    expect(anns.events[0]?.data).toEqual([DATA.todos[0], DATA.todos[2]])
    expect(bens.events[0]?.data).toEqual([DATA.todos[1]])
  })

  test('68: tell no password of another', async () => {
    const listener = await hear(BEN, '/users')
    await ann('PATCH /users/1 {"password":"new-secret","name":"Anna"}')
    await listener.heard(2)
    expect(listener.text()).toContain('Anna')
    expect(listener.text()).not.toMatch(/pear-tree|new-secret/)
  })
})

describe('57: what is stored has the records of all', () => {
  const rules = { private: ['todos'], owned: ['posts'], publicCollection: false as const, log: false }

  async function change(data: DataSource): Promise<void> {
    const server = await serve(createApp({ ...rules, data }))
    const login = await fetch(`${server.url}/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ email: BEN.email, password: BEN.password }),
    })
    const tokens: unknown = await login.json()
    const headers = {
      Authorization: `Bearer ${isRecord(tokens) ? tokens.access_token : ''}`,
      'Content-Type': 'application/json',
    }
    const url = `${server.url}/todos`
    expect((await fetch(url, { method: 'POST', headers, body: '{"text":"new"}' })).status).toBe(201)
    expect((await fetch(`${url}/2`, { method: 'DELETE', headers })).status).toBe(200)
    await server.close()
    await data.close()
  }
  const LEFT = [DATA.todos[0], DATA.todos[2], DATA.todos[3], { text: 'new', userId: 2, id: 5 }]

  test('a file', async () => {
    const file = path.join(await newFolder({ 'db.json': JSON.stringify(DATA) }), 'db.json')
    await change(openKept(file))
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      ...DATA,
      todos: LEFT,
      // What refers to a record goes with it, as in json-server.
      comments: [DATA.comments[0]],
    })
  })

  test('a folder', async () => {
    const folder = await newFolder()
    for (const [name, value] of Object.entries(DATA))
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(value))
    await change(openKept(folder))
    expect(JSON.parse(await readFile(path.join(folder, 'todos.json'), 'utf8'))).toEqual(LEFT)
    expect(JSON.parse(await readFile(path.join(folder, 'users.json'), 'utf8'))).toEqual(DATA.users)
  })
})

describe('what cannot be kept ends the start', () => {
  test.each([
    ['61', { private: ['toods'] }],
    ['61', { private: ['Todos'] }],
    ['61', { private: ['profile'] }],
    ['61', { private: ['todos.a.b'] }],
    ['61', { private: ['todos', 'todos'] }],
    ['61', { private: ['constructor'] }],
    ['61', { private: [''] }],
    ['61', { private: ['todos'], owned: ['todos'] }],
    ['61', { owned: ['postss'] }],
    ['62', { private: ['blogs'], publicCollection: 'blogs' }],
    ['62', { private: ['todos'], publicCollection: 'todos' }],
  ])('%s: %j', async (_number, options) => {
    await open()
    const data = { ...DATA, blogs: [] }
    expect(() => createApp({ log: false, ...options, data })).toThrow(/^--(private|owned): /)
  })

  test('62: the default public list is one of them', async () => {
    await open()
    expect(() => createApp({ log: false, private: ['blogs'], data: { ...DATA, blogs: [] } })).toThrow(
      /--no-public/,
    )
  })
})
