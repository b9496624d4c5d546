import jwt from 'jsonwebtoken'
import { MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { type AppOptions, createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import { type Answer, ask, json, logInTo, send, serve, type TestServer } from '../support/http'

const SECRET = 'the signing secret of these tests only'
const INTRUDER = { email: 'eve@example.com', password: 'apple' }

const servers: TestServer[] = []
let server: TestServer
let main: string
beforeEach(async () => {
  server = await start({ sandboxes: true })
  main = await logInTo(server.url)
})
afterEach(async () => {
  for (const running of servers.splice(0)) await running.close()
})

async function start(options: Partial<AppOptions>): Promise<TestServer> {
  const started = await serve(createApp({ data: sampleData(), secret: SECRET, log: false, ...options }))
  servers.push(started)
  return started
}

function sign(claims: object, secret = SECRET): string {
  return jwt.sign({ ...ADA, exp: Math.floor(Date.now() / 1000) + 60, ...claims }, secret)
}

function expectRefused(answer: Answer): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '"Unauthorized"' })
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
}

const ROUTES = [
  { why: 'a reset with users', line: 'POST /__sandbox/reset', body: { users: [{ id: 1, ...INTRUDER }] } },
  { why: 'a reset', line: 'POST /__sandbox/reset', body: undefined },
  { why: 'the end', line: 'DELETE /__sandbox', body: undefined },
  { why: 'rules for faults', line: 'PUT /__sandbox/faults', body: [{ path: '/*', status: 500 }] },
]
const READS = [
  'GET /users',
  'GET /users/1',
  'GET /db',
  'GET /blogs?_embed=users',
  'GET /posts',
  'GET /__rules',
]

describe.each(['in a sandbox that has been changed', 'in one that has not'])(
  'without a token, %s',
  (title) => {
    beforeEach(async () => {
      if (!title.includes('not'))
        await send(server.url, 'POST /tags', { sandbox: 'lab', token: main, body: {} })
    })

    test.each(ROUTES)('$why: $line -> 401', async ({ line, body }) => {
      expectRefused(await send(server.url, line, { sandbox: 'lab', body }))
      expect((await send(server.url, 'GET /users', { sandbox: 'lab', token: main })).status).toBe(200)
      expect((await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: INTRUDER })).status).toBe(
        401,
      )
      expect((await send(server.url, 'GET /blogs', { sandbox: 'lab' })).status).toBe(200)
    })

    test.each(READS)('%s shows nothing that is protected', async (line) => {
      const { text } = await send(server.url, line, { sandbox: 'lab' })
      expect(text).not.toContain('lovelace')
      expect(text).toBe((await send(server.url, line)).text)
    })

    test.each(['POST /blogs', 'PUT /blogs/1', 'PATCH /blogs/1', 'DELETE /blogs/1'])(
      '%s -> 401',
      async (line) => {
        expectRefused(await send(server.url, line, { sandbox: 'lab', body: { title: 'Mine' } }))
        for (const sandbox of ['lab', undefined])
          expect((await send(server.url, 'GET /blogs/1', { sandbox })).text).toContain('One')
      },
    )
  },
)

test('an anonymous malformed body or rule is not parsed -> 401', async () => {
  for (const line of ['POST /__sandbox/reset', 'PUT /__sandbox/faults']) {
    expectRefused(await send(server.url, line, { sandbox: 'lab', body: 'not what is expected' }))
    expectRefused(await send(server.url, line, { body: [] }))
  }
})

test.each<{ title: string; token: () => string }>([
  { title: 'signed with another key', token: () => sign({ sandbox: 'lab' }, 'another secret') },
  { title: 'expired', token: () => sign({ sandbox: 'lab', exp: 1 }) },
  {
    title: 'without a signature',
    token: () => jwt.sign({ sandbox: 'lab', ...ADA }, null, { algorithm: 'none' }),
  },
])('a token $title opens nothing and changes nothing', async ({ token }) => {
  for (const sandbox of [undefined, 'lab', 'other']) {
    expectRefused(await send(server.url, 'GET /users', { sandbox, token: token() }))
    for (const { line, body } of ROUTES)
      expectRefused(await send(server.url, line, { sandbox, token: token(), body }))
  }
  for (const sandbox of [undefined, 'lab'])
    expect(json(await send(server.url, 'GET /db', { sandbox, token: main }))).toEqual(sampleData())
})

test.each<{
  title: string
  sandbox: string | undefined
  claim: string | undefined
  changed: string | undefined
}>([
  { title: 'no name', sandbox: undefined, claim: undefined, changed: undefined },
  { title: 'the header', sandbox: 'lab', claim: undefined, changed: 'lab' },
  { title: 'the claim', sandbox: undefined, claim: 'lab', changed: 'lab' },
  { title: 'the header, which wins', sandbox: 'lab', claim: 'other', changed: 'lab' },
])('a change reaches the data of one name alone: $title', async ({ sandbox, claim, changed }) => {
  const token = claim === undefined ? main : await logInTo(server.url, claim)
  const lines = ['POST /tags', 'PATCH /users/1', 'PUT /profile', 'DELETE /comments/1', 'PATCH /blogs/1']
  // The first of them makes the sandbox.
  for (const line of lines) {
    const { status } = await send(server.url, line, { sandbox, token, body: { name: 'Changed' } })
    expect([200, 201]).toContain(status)
  }
  for (const name of [undefined, 'lab', 'other']) {
    const found = json(await send(server.url, 'GET /db', { sandbox: name, token: main }))
    if (name === changed) expect(found).not.toEqual(sampleData())
    else expect(found).toEqual(sampleData())
  }
})

test('a collection that has the name of the routes is that of the sandbox, too', async () => {
  const other = await start({ data: { ...sampleData(), __sandbox: [] }, sandboxes: true })
  const answer = await send(other.url, 'POST /__sandbox', { sandbox: 'lab', token: main, body: {} })
  expect(answer.status).toBe(201)
  expect(json(await send(other.url, 'GET /__sandbox', { token: main }))).toEqual([])
})

test('what --allow opens is opened in the sandbox that is named, and there alone', async () => {
  const open = await start({ allow: ['POST /posts', 'DELETE /posts/:id'], sandboxes: true })
  const override = { 'X-Sandbox': 'lab', 'X-HTTP-Method-Override': 'DELETE' }
  expect((await ask(open.url, { method: 'POST', path: '/posts/1', headers: override })).status).toBe(200)
  expect((await send(open.url, 'POST /posts', { sandbox: 'lab', body: { title: 'Mine' } })).status).toBe(201)
  for (const line of ['POST /tags', 'PATCH /posts/1', 'DELETE /users/1', 'DELETE /__sandbox', 'GET /posts'])
    expectRefused(await send(open.url, line, { sandbox: 'lab', body: {} }))
  expect(json(await send(open.url, 'GET /db', { token: main }))).toEqual(sampleData())
  expect((await send(open.url, 'GET /posts', { sandbox: 'lab', token: main })).text).toContain('Mine')
})

test('a user who was added in a sandbox can log in to that one alone', async () => {
  const lab = await logInTo(server.url, 'lab')
  await send(server.url, 'POST /users', { token: lab, body: INTRUDER })
  for (const { sandbox, status } of [
    { sandbox: 'lab', status: 200 },
    { sandbox: 'new', status: 401 },
    { sandbox: undefined, status: 401 },
  ]) {
    expect((await send(server.url, 'POST /auth/login', { sandbox, body: INTRUDER })).status).toBe(status)
  }
  const token = await logInTo(server.url, 'lab', INTRUDER)
  expect(jwt.verify(token, SECRET)).toMatchObject({ ...INTRUDER, sandbox: 'lab' })
})

test('fields of the login cannot name a sandbox', async () => {
  const token = await logInTo(server.url, undefined, { ...ADA, sandbox: 'lab' })
  expect(jwt.verify(token, SECRET)).not.toHaveProperty('sandbox')
})

test('a sandbox that nothing has changed knows the users of the loaded data, not those added since', async () => {
  await send(server.url, 'POST /users', { token: main, body: INTRUDER })
  await send(server.url, 'DELETE /users/1', { token: main })
  expect((await send(server.url, 'POST /auth/login', { body: INTRUDER })).status).toBe(200)
  expect((await send(server.url, 'POST /auth/login', { sandbox: 'new', body: INTRUDER })).status).toBe(401)
  expect((await send(server.url, 'POST /auth/login', { sandbox: 'new', body: ADA })).status).toBe(200)
})

test.each<[Data]>([[{}], [{ users: {} }]])(
  'with the loaded data %j, nobody can log in to a sandbox, not even users added since',
  async (loaded) => {
    const data = new MemoryData(loaded)
    const other = await start({ data, sandboxes: true })
    await data.commit({ users: [ADA] })
    expect((await send(other.url, 'POST /auth/login', { body: ADA })).status).toBe(200)
    expect((await send(other.url, 'POST /auth/login', { sandbox: 'new', body: ADA })).status).toBe(401)
  },
)

test('on a server without sandboxes the claim and the header change nothing', async () => {
  const lab = await logInTo(server.url, 'lab')
  const plain = await start({})
  expect((await send(plain.url, 'GET /users', { token: lab })).status).toBe(200)
  const own = await logInTo(plain.url, 'lab')
  expect(jwt.verify(own, SECRET)).not.toHaveProperty('sandbox')
  await send(plain.url, 'PATCH /blogs/1', { token: own, sandbox: 'one', body: { title: 'Shared' } })
  const seen = await send(plain.url, 'GET /blogs/1', { token: own, sandbox: 'two' })
  expect(seen.text).toContain('Shared')
  expect(seen.headers).not.toHaveProperty('x-sandbox')
  for (const { line, body } of ROUTES) {
    expectRefused(await send(plain.url, line, { sandbox: 'lab', body }))
    const { status, text } = await send(plain.url, line, { sandbox: 'lab', token: own, body })
    expect({ status, text }).toEqual({ status: 404, text: '{}' })
  }
})
