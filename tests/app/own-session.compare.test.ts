/**
 * What an application with a login must stand, each in a sandbox of its own on one server: a reader can copy this file.
 * `openSandbox` is that of `json-server-bearer/testing`.
 */
import { openSandbox, type Sandbox } from '../../lib/testing'
import { createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

const PATHS = { login: '/api/login', refresh: '/api/refresh', logout: '/api/logout' }

let mock: TestServer
beforeAll(async () => {
  mock = await serve(createApp({ data: sampleData(), sandboxes: true, ...PATHS, log: false }))
})
afterAll(() => mock.close())

/** A sandbox, which is forgotten when the test has used it. */
async function inSandbox(name: string, use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await openSandbox({ url: mock.url, name, user: ADA })
  try {
    await use(sandbox)
  } finally {
    await sandbox.forget()
  }
}

type Tokens = { accessToken: string; refreshToken: string }

/** The part of an application that talks to its server: it logs in once, and refreshes after a 401. */
class Client {
  #tokens: Tokens = { accessToken: '', refreshToken: '' }
  #refreshing: Promise<void> | undefined
  readonly #sandbox: string
  readonly #refreshes: 'once for all' | 'for each'

  constructor({ name }: Sandbox, refreshes: 'once for all' | 'for each') {
    this.#sandbox = name
    this.#refreshes = refreshes
  }

  async logIn(): Promise<void> {
    this.#tokens = await this.#tokensOf('/api/login', ADA)
  }

  /** The status of a request, which is sent again after a refresh. */
  async get(path: string): Promise<number> {
    const first = await this.#ask(path)
    if (first !== 401) return first
    await this.#refresh().catch(() => {})
    return this.#ask(path)
  }

  #refresh(): Promise<void> {
    if (this.#refreshes === 'for each') return this.#renew()
    this.#refreshing ??= this.#renew().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #renew(): Promise<void> {
    this.#tokens = await this.#tokensOf('/api/refresh', { refreshToken: this.#tokens.refreshToken })
  }

  async #ask(path: string): Promise<number> {
    const headers = { 'X-Sandbox': this.#sandbox, Authorization: `Bearer ${this.#tokens.accessToken}` }
    return (await fetch(mock.url + path, { headers })).status
  }

  async #tokensOf(path: string, body: object): Promise<Tokens> {
    const headers = { 'X-Sandbox': this.#sandbox, 'Content-Type': 'application/json' }
    const response = await fetch(mock.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
    return JSON.parse(await response.text())
  }
}

const FIVE = ['/blogs/1/comments', '/users', '/tags', '/posts', '/users/1']
const all = (client: Client) => Promise.all(FIVE.map((path) => client.get(path)))

/** Five requests at once, after the token has expired. */
async function fiveAfterAnHour(sandbox: Sandbox, refreshes: 'once for all' | 'for each') {
  await sandbox.refreshOnce()
  const client = new Client(sandbox, refreshes)
  await client.logIn()
  expect(await all(client)).toEqual([200, 200, 200, 200, 200])
  await sandbox.advance('61m')
  const statuses = await all(client)
  const asked = await sandbox.requests({ path: '/api/refresh' })
  return { statuses, refreshes: asked.map(({ status }) => status), client }
}

test('with strict rotation, a client that refreshes once for all passes, with exactly one refresh', () =>
  inSandbox('once', async (sandbox) => {
    const { statuses, refreshes } = await fiveAfterAnHour(sandbox, 'once for all')
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(refreshes).toEqual([200])
  }))

test('with strict rotation, a client that refreshes for each 401 loses the session', () =>
  inSandbox('each', async (sandbox) => {
    const { refreshes, client } = await fiveAfterAnHour(sandbox, 'for each')
    expect(refreshes.toSorted()).toEqual([200, 401, 401, 401, 401])
    expect(await all(client)).toEqual([401, 401, 401, 401, 401])
  }))

test('a hundred of these at once on one server do not disturb each other', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `parallel-${index}`)
  await Promise.all(
    names.map((name, index) =>
      inSandbox(name, async (sandbox) => {
        const isGood = index % 2 === 0
        const { refreshes } = await fiveAfterAnHour(sandbox, isGood ? 'once for all' : 'for each')
        expect(refreshes.toSorted()).toEqual(isGood ? [200] : [200, 401, 401, 401, 401])
      }),
    ),
  )
})

test('a session of an hour ends at its time, and no sooner', () =>
  inSandbox('hour', async (sandbox) => {
    const client = new Client(sandbox, 'once for all')
    await client.logIn()
    await sandbox.advance('59m')
    expect(await client.get('/users')).toBe(200)
    expect(await sandbox.requests({ path: '/api/refresh' })).toEqual([])
    await sandbox.advance('2m')
    expect(await client.get('/users')).toBe(200)
    expect(await sandbox.requests({ path: '/api/refresh' })).toHaveLength(1)
    // A refresh token lasts for seven days.
    await sandbox.advance('8d')
    expect(await client.get('/users')).toBe(401)
  }))

test('where all sessions are ended elsewhere, the next request is 401, and so is the refresh', () =>
  inSandbox('ended', async (sandbox) => {
    const client = new Client(sandbox, 'once for all')
    await client.logIn()
    await sandbox.endSessions()
    expect(await client.get('/users')).toBe(401)
    await client.logIn()
    expect(await client.get('/users')).toBe(200)
    expect(await sandbox.requests({ method: 'POST' })).toMatchObject([
      { path: '/api/login', status: 200, body: { email: 'ada@example.com', password: '***' } },
      { path: '/api/refresh', status: 401, body: { refreshToken: '***' } },
      { path: '/api/login', status: 200 },
    ])
    expect((await sandbox.requests({ path: '/users' })).map(({ status }) => status)).toEqual([401, 401, 200])
  }))

test('fifty sandboxes at fifty times', async () => {
  const minutes = Array.from({ length: 50 }, (_, index) => index + 36)
  await Promise.all(
    minutes.map((minute) =>
      inSandbox(`minute-${minute}`, async (sandbox) => {
        await sandbox.advance(`${minute}m`)
        const status = (await fetch(`${mock.url}/users`, { headers: sandbox.headers })).status
        expect({ minute, status }).toEqual({ minute, status: minute < 60 ? 200 : 401 })
      }),
    ),
  )
})
