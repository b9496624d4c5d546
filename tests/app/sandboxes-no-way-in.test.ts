import jwt from 'jsonwebtoken'
import type { Data } from '../../lib/data/valid-data'
import { type AppOptions, createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import { type Answer, logInTo, send, serve, type TestServer } from '../support/http'

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

describe.each(['in a sandbox that has begun', 'in one that has not'])('without a token, %s', (title) => {
  beforeEach(async () => {
    if (!title.includes('not')) await send(server.url, 'GET /users', { sandbox: 'lab', token: main })
  })

  test.each(ROUTES)('$why: $line -> 401', async ({ line, body }) => {
    expectRefused(await send(server.url, line, { sandbox: 'lab', body }))
    expect((await send(server.url, 'GET /users', { sandbox: 'lab', token: main })).status).toBe(200)
    expect((await send(server.url, 'POST /auth/login', { sandbox: 'lab', body: INTRUDER })).status).toBe(401)
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
      expect((await send(server.url, 'GET /blogs/1', { sandbox: 'lab' })).text).toContain('One')
    },
  )
})

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
  { title: 'with a name that is none', token: () => sign({ sandbox: 'a b' }) },
  { title: 'with an empty name', token: () => sign({ sandbox: '' }) },
  { title: 'with a number for a name', token: () => sign({ sandbox: 5 }) },
  { title: 'with a list for a name', token: () => sign({ sandbox: ['lab'] }) },
  { title: 'with null for a name', token: () => sign({ sandbox: null }) },
  { title: 'with an object for a name', token: () => sign({ sandbox: { name: 'lab' } }) },
])('a token $title opens nothing and begins nothing', async ({ token }) => {
  for (const sandbox of [undefined, 'lab', 'other']) {
    expectRefused(await send(server.url, 'GET /users', { sandbox, token: token() }))
    for (const { line, body } of ROUTES)
      expectRefused(await send(server.url, line, { sandbox, token: token(), body }))
  }
  // Nothing has begun: the public reads are still those of the main data.
  await send(server.url, 'PATCH /blogs/1', { token: main, body: { title: 'Changed' } })
  expect((await send(server.url, 'GET /blogs/1', { sandbox: 'lab' })).text).toContain('Changed')
})

test('a token of a sandbox opens neither another nor the main data', async () => {
  const lab = await logInTo(server.url, 'lab')
  await send(server.url, 'PATCH /users/1', { token: main, body: { name: 'Main' } })
  await send(server.url, 'PATCH /users/1', { sandbox: 'other', token: main, body: { name: 'Other' } })
  expect((await send(server.url, 'GET /users/1', { token: lab })).text).toContain('"Ada"')
  expect((await send(server.url, 'GET /users/1', { sandbox: 'lab', token: lab })).text).toContain('"Ada"')
  for (const line of ['GET /users/1', 'GET /blogs', 'POST /auth/login', ...ROUTES.map(({ line }) => line)]) {
    const answer = await send(server.url, line, { sandbox: 'other', token: lab })
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('Other')
  }
  expect((await send(server.url, 'GET /users/1', { token: main })).text).toContain('Main')
  expect((await send(server.url, 'GET /users/1', { sandbox: 'other', token: main })).text).toContain('Other')
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
  expect((await send(server.url, 'GET /users', { sandbox: 'new', token })).status).toBe(400)
})

test('fields of the login cannot name a sandbox', async () => {
  const token = await logInTo(server.url, undefined, { ...ADA, sandbox: 'lab' })
  expect(jwt.verify(token, SECRET)).not.toHaveProperty('sandbox')
})

test('a sandbox that has not begun knows the users of the loaded data, not those added since', async () => {
  await send(server.url, 'POST /users', { token: main, body: INTRUDER })
  await send(server.url, 'DELETE /users/1', { token: main })
  expect((await send(server.url, 'POST /auth/login', { body: INTRUDER })).status).toBe(200)
  expect((await send(server.url, 'POST /auth/login', { sandbox: 'new', body: INTRUDER })).status).toBe(401)
  expect((await send(server.url, 'POST /auth/login', { sandbox: 'new', body: ADA })).status).toBe(200)
})

test.each<[Data]>([[{}], [{ users: {} }]])(
  'with the loaded data %j, nobody can log in to a sandbox',
  async (data) => {
    const other = await start({ data, sandboxes: true })
    expect((await send(other.url, 'POST /auth/login', { sandbox: 'new', body: ADA })).status).toBe(401)
  },
)

test('a server without sandboxes refuses the token of one with 401, and the header changes nothing', async () => {
  const lab = await logInTo(server.url, 'lab')
  const plain = await start({})
  expectRefused(await send(plain.url, 'GET /users', { token: lab }))
  expectRefused(await send(plain.url, 'GET /users', { token: lab, sandbox: 'lab' }))
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
