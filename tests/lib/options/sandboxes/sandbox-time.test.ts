import { openSandbox } from '../../../../lib/testing'
import { type AppOptions, createApp } from '../../../../server'
import { ADA, sampleData } from '../../../support/data'
import { json, logIn, logInTo, send, serve, type TestServer } from '../../../support/http'

const servers: TestServer[] = []
afterEach(async () => {
  for (const running of servers.splice(0)) await running.close()
})

let now = Date.UTC(2026, 0, 1)
beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
})

async function start(options: Partial<AppOptions> = {}): Promise<{ url: string; token: string }> {
  const app = createApp({ data: sampleData(), sandboxes: true, log: false, clock: () => now, ...options })
  const server = await serve(app)
  servers.push(server)
  return { url: server.url, token: await logIn(server.url) }
}

/** Makes it later in the sandbox `lab`. */
async function advance(url: string, token: string, time: string): Promise<void> {
  const body = { advance: time }
  expect((await send(url, 'PUT /__sandbox/clock', { sandbox: 'lab', token, body })).status).toBe(204)
}

const statusOf = async (url: string, sender: { sandbox?: string; token?: string }) =>
  (await send(url, 'GET /users', sender)).status

describe('time', () => {
  test('a token is judged by the clock of the data that a request is for, whatever it names', async () => {
    const { url, token } = await start()
    const lab = await logInTo(url, 'lab')
    // They are remembered as valid.
    for (const sent of [token, lab]) expect(await statusOf(url, { sandbox: 'lab', token: sent })).toBe(200)
    await advance(url, token, '61m')
    expect(await statusOf(url, { token: lab })).toBe(401)
    expect(await statusOf(url, { sandbox: 'lab', token: lab })).toBe(401)
    expect(await statusOf(url, { sandbox: 'lab', token })).toBe(401)
    expect(await statusOf(url, { token })).toBe(200)
    expect(await statusOf(url, { sandbox: 'other', token: lab })).toBe(200)
  })

  test('new tokens are issued at its time, and the server goes on from there', async () => {
    const { url, token } = await start()
    await advance(url, token, '2h')
    const later = await logInTo(url, 'lab')
    expect(await statusOf(url, { token: later })).toBe(200)
    now += 59 * 60_000
    expect(await statusOf(url, { token: later })).toBe(200)
    now += 2 * 60_000
    expect(await statusOf(url, { token: later })).toBe(401)
  })

  test('a reset sets it back, and refuses tokens that were made later', async () => {
    const { url, token } = await start()
    const early = await logInTo(url, 'lab')
    await advance(url, token, '61m')
    const later = await logInTo(url, 'lab')
    expect((await send(url, 'POST /__sandbox/reset', { token: later })).status).toBe(204)
    expect(await statusOf(url, { token: later })).toBe(401)
    expect(await statusOf(url, { token: early })).toBe(200)
  })

  test('a control route takes a token that its sandbox refuses', async () => {
    const { url } = await start()
    const lab = await logInTo(url, 'lab')
    await advance(url, lab, '61m')
    expect((await send(url, 'DELETE /__sandbox/sessions', { token: lab })).status).toBe(204)
    expect(await statusOf(url, { token: lab })).toBe(401)
    await advance(url, lab, '1m')
    expect(json(await send(url, 'GET /__sandbox/requests?path=/users', { token: lab }))).toMatchObject([
      { path: '/users', status: 401 },
    ])
    expect((await send(url, 'DELETE /__sandbox', { token: lab })).status).toBe(204)
    // It needs a valid token all the same, by the clock of the server.
    now += 61 * 60_000
    expect((await send(url, 'PUT /__sandbox/clock', { token: lab, body: { advance: '1m' } })).status).toBe(
      401,
    )
  })

  test.each([
    {},
    [],
    { advance: 61 },
    { advance: '61' },
    { advance: '-1m' },
    { advance: '0s' },
    { advance: '1y' },
    { advance: '366d' },
    { advance: null },
    { advance: '1m', back: true },
  ])('%j -> 400 that names the field, and nothing has changed', async (body) => {
    const { url, token } = await start()
    const answer = await send(url, 'PUT /__sandbox/clock', { sandbox: 'lab', token, body })
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: expect.stringMatching(/^"advance" /) })
    expect(await statusOf(url, { sandbox: 'lab', token })).toBe(200)
  })

  test('it goes on for a year in all', async () => {
    const { url, token } = await start()
    await advance(url, token, '364d')
    await advance(url, token, '24h')
    const body = { advance: '1s' }
    expect((await send(url, 'PUT /__sandbox/clock', { sandbox: 'lab', token, body })).status).toBe(400)
    expect((await send(url, 'POST /__sandbox/reset', { sandbox: 'lab', token })).status).toBe(204)
    await advance(url, token, '1s')
  })

  test('a server without sandboxes has no such route', async () => {
    const { url, token } = await start({ sandboxes: false })
    for (const line of ['PUT /__sandbox/clock', 'DELETE /__sandbox/sessions', 'DELETE /__sandbox/login'])
      expect([line, (await send(url, line, { token, body: {} })).status]).toEqual([line, 404])
  })
})

describe('sessions', () => {
  test('without any option, all tokens of a sandbox can be ended, and others notice nothing', async () => {
    const { url, token } = await start()
    const lab = await logInTo(url, 'lab')
    expect((await send(url, 'DELETE /__sandbox/sessions', { sandbox: 'lab', token })).status).toBe(204)
    // The main token is of the same second, and says the same as one of the sandbox may.
    for (const sent of [lab, token]) expect(await statusOf(url, { sandbox: 'lab', token: sent })).toBe(401)
    expect(await statusOf(url, { token })).toBe(200)
    expect(await statusOf(url, { sandbox: 'other', token: lab })).toBe(200)
    const next = await logInTo(url, 'lab')
    expect(await statusOf(url, { token: next })).toBe(200)
    await send(url, 'DELETE /__sandbox/sessions', { sandbox: 'lab', token })
    expect(await statusOf(url, { token: next })).toBe(401)
  })

  test('where no refresh token is issued, none can be good for one use: 400, and an error of the test', async () => {
    const { url, token } = await start()
    const body = { refreshOnce: true }
    const answer = await send(url, 'PUT /__sandbox/sessions', { sandbox: 'lab', token, body })
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('--refresh') })
    const sandbox = await openSandbox({ url, name: 'lab', user: ADA })
    await expect(sandbox.refreshOnce()).rejects.toThrow('--refresh')
  })

  test('where some are issued, it can be said in a sandbox that they are good for one use', async () => {
    const { url } = await start({ login: '/login', refresh: '/login' })
    const sandbox = await openSandbox({ url, name: 'lab', user: ADA })
    await expect(sandbox.refreshOnce()).resolves.toBeUndefined()
  })

  test.each([{}, { refreshOnce: 1 }, { refreshOnce: true, x: 1 }, []])(
    'PUT /__sandbox/sessions %j -> 400 that names the field',
    async (body) => {
      const { url, token } = await start()
      const answer = await send(url, 'PUT /__sandbox/sessions', { sandbox: 'lab', token, body })
      expect(answer.status).toBe(400)
      expect(json(answer)).toEqual({ error: expect.stringMatching(/^"refreshOnce" /) })
    },
  )

  test.each(['PUT /__sandbox/clock', 'PUT /__sandbox/sessions', 'DELETE /__sandbox/sessions'])(
    '%s needs a token',
    async (line) => {
      const { url } = await start()
      const body = { advance: '61m' }
      expect((await send(url, line, { sandbox: 'lab', body })).status).toBe(401)
    },
  )
})

describe('a test gives a user, whatever the login is', () => {
  const MIA = { id: 1, username: 'mia', pin: '1234', email: 'mia@example.com', password: 'sourdough' }
  const data = { users: [MIA], notes: [] }

  test.each<{ title: string; options: Partial<AppOptions>; user: object }>([
    { title: 'the specified login', options: {}, user: { email: MIA.email, password: MIA.password } },
    {
      title: 'another path and other fields',
      options: { login: '/api/session' },
      user: { username: 'mia', password: MIA.password },
    },
    {
      title: 'a response of another shape',
      options: { login: '/api/login', loginResponse: { data: { list: ['$user.email', '$token'] } } },
      user: { email: MIA.email, password: MIA.password },
    },
    {
      title: 'a login by GET',
      options: { login: 'GET /token' },
      user: { username: 'mia', password: MIA.password },
    },
    {
      title: 'a token in a cookie alone',
      options: { login: '/in', tokenIn: 'cookie:session', loginResponse: { ok: true } },
      user: { email: MIA.email, password: MIA.password },
    },
  ])('$title', async ({ options, user }) => {
    const server = await serve(createApp({ data, sandboxes: true, log: false, ...options }))
    servers.push(server)
    const sandbox = await openSandbox({ url: server.url, name: 'lab', user })
    const notes = await fetch(`${server.url}/notes`, { headers: sandbox.headers })
    expect(notes.status).toBe(200)
    await sandbox.advance('61m')
    expect((await fetch(`${server.url}/notes`, { headers: sandbox.headers })).status).toBe(401)
    await sandbox.forget()
    const wrong = openSandbox({ url: server.url, name: 'lab', user: { ...user, password: 'wrong' } })
    await expect(wrong).rejects.toThrow(/mia/)
    await expect(wrong).rejects.not.toThrow(/"wrong"/)
  })

  test('the token leads to its sandbox from a cookie, too, as where a page that a server renders forwards it', async () => {
    const options = { data, login: '/in', tokenIn: 'cookie:session' }
    const server = await serve(createApp({ sandboxes: true, log: false, ...options }))
    servers.push(server)
    const { url } = server
    const sandbox = await openSandbox({ url, name: 'lab', user: { username: 'mia', password: MIA.password } })
    await sandbox.reset({ notes: [{ id: 1, text: 'Mine' }] })
    const notes = await fetch(`${url}/notes`, { headers: { Cookie: `session=${sandbox.token}` } })
    expect(await notes.json()).toEqual([{ id: 1, text: 'Mine' }])
  })

  test('a test gives a token in the place of a user, where a middleware answers the login', async () => {
    const options = {
      data: { notes: [{ id: 1 }], users: [ADA] },
      secret: 'a secret of thirty-two bytes, or more',
    }
    const { url } = await start(options)
    const { token } = await openSandbox({ url, name: 'first', user: ADA })
    const sandbox = await openSandbox({ url, name: 'second', token })
    expect(sandbox.token).toBe(token)
    await sandbox.reset({ notes: [] })
    expect(await (await fetch(`${url}/notes`, { headers: sandbox.headers })).json()).toEqual([])
    await expect(openSandbox({ url, name: 'third', token: 'none' })).rejects.toThrow(/token/)
  })

  test('the route needs a name and a password, and says nothing else', async () => {
    const { url } = await start({ data: { users: [ADA] }, login: '/api/login', tokenIn: 'cookie:session' })
    expect((await send(url, 'POST /__sandbox/login', { body: {} })).status).toBe(403)
    const answer = await send(url, 'POST /__sandbox/login', { body: ADA })
    expect(json(answer)).toEqual({ token: expect.any(String) })
  })
})
