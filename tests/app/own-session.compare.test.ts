/**
 * What an application with a login must stand, each in a sandbox of its own on one server: many at once, and at many
 * times. The program that a reader can copy is `docs/examples/refresh.mjs`.
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
    const tokens = this.#tokens
    const first = await this.#ask(path)
    if (first !== 401) return first
    await this.#refresh(tokens).catch(() => {})
    return this.#ask(path)
  }

  /** @param tokens those with which a request was refused */
  async #refresh(tokens: Tokens): Promise<void> {
    if (this.#refreshes === 'for each') return this.#renew(tokens)
    // Another request has refreshed them in the meantime.
    if (tokens !== this.#tokens) return
    this.#refreshing ??= this.#renew(tokens).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #renew({ refreshToken }: Tokens): Promise<void> {
    this.#tokens = await this.#tokensOf('/api/refresh', { refreshToken })
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

/** Five requests at once, after the token has expired: their statuses, and those of the refreshes. */
async function fiveAfterAnHour(sandbox: Sandbox, refreshes: 'once for all' | 'for each') {
  const client = new Client(sandbox, refreshes)
  await client.logIn()
  expect(await all(client)).toEqual([200, 200, 200, 200, 200])
  await sandbox.advance('61m')
  const statuses = await all(client)
  const asked = await sandbox.requests({ path: '/api/refresh' })
  return { statuses, refreshes: asked.map(({ status }) => status).toSorted(), client }
}

const SESSIONS: { title: string; run(sandbox: Sandbox): Promise<void> }[] = [
  {
    title: 'with strict rotation, a client that refreshes once for all passes, with exactly one refresh',
    async run(sandbox) {
      await sandbox.refreshOnce()
      const { statuses, refreshes } = await fiveAfterAnHour(sandbox, 'once for all')
      expect(statuses).toEqual([200, 200, 200, 200, 200])
      expect(refreshes).toEqual([200])
    },
  },
  {
    title: 'with strict rotation, a client that refreshes for each 401 loses the session',
    async run(sandbox) {
      await sandbox.refreshOnce()
      const { refreshes, client } = await fiveAfterAnHour(sandbox, 'for each')
      expect(refreshes).toEqual([200, 401, 401, 401, 401])
      expect(await all(client)).toEqual([401, 401, 401, 401, 401])
    },
  },
  {
    title: 'without strict rotation, a client that refreshes for each 401 passes as well',
    async run(sandbox) {
      const { statuses, refreshes } = await fiveAfterAnHour(sandbox, 'for each')
      expect(statuses).toEqual([200, 200, 200, 200, 200])
      expect(refreshes).toEqual([200, 200, 200, 200, 200])
    },
  },
  {
    title: 'where all sessions are ended elsewhere, the next request is 401, and so is the refresh',
    async run(sandbox) {
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
      expect((await sandbox.requests({ path: '/users' })).map(({ status }) => status)).toEqual([
        401, 401, 200,
      ])
    },
  },
]

test.each(SESSIONS)('$title', ({ run }) => inSandbox('alone', run))

test('a hundred of these at once on one server do not disturb each other', async () => {
  const hundred = Array.from({ length: 25 }, () => SESSIONS).flat()
  await Promise.all(hundred.map(({ run }, index) => inSandbox(`parallel-${index}`, run)))
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
