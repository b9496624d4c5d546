import jwt from 'jsonwebtoken'
import { isRecord } from '../../lib/is-record'
import { type AppOptions, createApp } from '../../server'
import { CookieClient } from '../support/cookies'
import { ADA, sampleData } from '../support/data'
import { type Answer, ask, json, serve, type TestServer } from '../support/http'

const START = Date.UTC(2026, 0, 1)
const SECRET = 'the signing secret of these tests only'

let now: number
const servers: TestServer[] = []

beforeEach(() => {
  now = START
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: Partial<AppOptions> = {}): Promise<CookieClient> {
  const server = await serve(
    createApp({
      data: sampleData(),
      secret: SECRET,
      clock: () => now,
      log: false,
      login: '/login',
      refresh: '/refresh',
      logout: '/logout',
      ...options,
    }),
  )
  servers.push(server)
  return new CookieClient(server.url)
}

/** A field of a response. */
function field(answer: Answer, name: string): string {
  const body = json(answer)
  const value = isRecord(body) ? body[name] : undefined
  if (typeof value !== 'string') throw new Error(`No ${name} in ${answer.status} ${answer.text}`)
  return value
}

function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` }
}

async function statusWith(client: CookieClient, token: string, path = '/users'): Promise<number> {
  return (await client.send(`GET ${path}`, undefined, bearer(token))).status
}

async function logIn(
  client: CookieClient,
  path = 'POST /login',
): Promise<{ access: string; refresh: string }> {
  const answer = await client.send(path, ADA)
  return { access: field(answer, 'access_token'), refresh: field(answer, 'refresh_token') }
}

test('two logins of the specified shape in one second are two sessions', async () => {
  const client = await start()
  const [one = '', two = ''] = await Promise.all(
    [1, 2].map(async () => field(await client.send('POST /auth/login', ADA), 'access_token')),
  )
  expect((await client.send('POST /logout', undefined, bearer(one))).status).toBe(200)
  expect([await statusWith(client, one), await statusWith(client, two)]).toEqual([401, 200])
})

describe('a refresh', () => {
  test.each([
    { title: 'refreshToken', body: (token: string) => ({ refreshToken: token }) },
    { title: 'another field', body: (token: string) => ({ something: 'a.b.c', else: token, more: 1 }) },
    { title: 'a text', body: (token: string) => token },
    {
      title: '__proto__ beside it',
      body: (token: string) => JSON.parse(`{"__proto__": {"a": 1}, "t": "${token}"}`),
    },
  ])('takes the token of the body as $title', async ({ body }) => {
    const client = await start()
    const { refresh } = await logIn(client)
    const answer = await client.send('POST /refresh', body(refresh))
    expect(answer.status).toBe(200)
    expect(field(answer, 'refreshToken')).not.toBe(refresh)
    expect(json(answer)).toMatchObject({ user: { email: ADA.email }, expires_in: 3600 })
    expect(await statusWith(client, field(answer, 'token'))).toBe(200)
  })

  test('takes a form, and a token in the header', async () => {
    const client = await start()
    const { refresh } = await logIn(client)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = `grant_type=refresh_token&refresh_token=${refresh}`
    expect((await ask(client.url, { method: 'POST', path: '/refresh', headers: form, body })).status).toBe(
      200,
    )
    expect((await client.send('POST /refresh', undefined, bearer(refresh))).status).toBe(200)
  })

  test('renews an access token in the header as long as it is valid', async () => {
    const client = await start()
    const { access } = await logIn(client)
    now += 3599_000
    const answer = await client.send('POST /refresh', {}, bearer(access))
    expect(answer.status).toBe(200)
    now += 3000_000
    expect(await statusWith(client, access)).toBe(401)
    expect(await statusWith(client, field(answer, 'token'))).toBe(200)
    expect((await client.send('POST /refresh', {}, bearer(access))).status).toBe(401)
    expect((await client.send('POST /refresh', { t: field(answer, 'refresh_token') })).status).toBe(200)
  })

  test('after an hour, seven days, and with the method of the option', async () => {
    const client = await start({ refresh: 'GET /api/token' })
    const { access, refresh } = await logIn(client)
    now += 3600_000
    expect(await statusWith(client, access)).toBe(401)
    const answer = await client.send('GET /api/token', undefined, bearer(refresh))
    expect(answer.status).toBe(200)
    now += 7 * 24 * 3600_000
    expect((await client.send('GET /api/token', undefined, bearer(refresh))).status).toBe(401)
  })

  test.each([
    { body: undefined },
    { body: {} },
    { body: null },
    { body: [] },
    { body: { refreshToken: '' } },
    { body: { refreshToken: 'undefined' } },
    { body: { refreshToken: { length: 1 } } },
    { body: { t: `a.b.${'c'.repeat(43)}` } },
    { body: { long: 'x'.repeat(500) } },
  ])('without a token in $body -> 401 with a message', async ({ body }) => {
    const client = await start()
    const answer = await client.send('POST /refresh', body)
    expect(answer.status).toBe(401)
    expect(json(answer)).toMatchObject({ message: expect.any(String), error: expect.any(String) })
  })

  test('an access token in the body renews, and no refresh token passes for one', async () => {
    const client = await start()
    const { access, refresh } = await logIn(client)
    expect((await client.send('POST /refresh', { refreshToken: access })).status).toBe(200)
    now += 3600_000
    expect((await client.send('POST /refresh', { refreshToken: access })).status).toBe(401)
    expect(await statusWith(client, refresh)).toBe(401)
  })

  test('of a user that is gone, or whose id is another user by now -> 401', async () => {
    const users = [
      { id: 1, email: 'a@x.org', password: 'p' },
      { id: 2, ...ADA },
    ]
    const client = await start({ data: { users } })
    const { access, refresh } = await logIn(client)
    await client.send('DELETE /users/2', undefined, bearer(access))
    expect((await client.send('POST /refresh', { refresh })).status).toBe(401)
    await client.send('POST /users', { id: 2, email: 'b@x.org', password: 'p' }, bearer(access))
    expect((await client.send('POST /refresh', { refresh })).status).toBe(401)
  })

  test('a restart with the same secret ends no session; another secret does', async () => {
    const { access, refresh } = await logIn(await start())
    const again = await start()
    expect(await statusWith(again, access)).toBe(200)
    expect((await again.send('POST /refresh', { refresh })).status).toBe(200)
    const other = await start({ secret: 'another secret, of thirty-two bytes' })
    expect((await other.send('POST /refresh', { refresh })).status).toBe(401)
  })

  test('at the path of the login, where the body decides', async () => {
    const client = await start({ login: '/token', refresh: '/token' })
    const { refresh } = await logIn(client, 'POST /token')
    const grant = { grant_type: 'password' }
    expect((await client.send('POST /token', { ...ADA, ...grant })).status).toBe(200)
    expect((await client.send('POST /token', { refresh })).status).toBe(200)
    expect((await client.send('POST /token', { refresh, grant_type: 'refresh_token' })).status).toBe(200)
    expect((await client.send('POST /token', { refresh, ...grant })).status).toBe(401)
    expect((await client.send('POST /token', { ...ADA, grant_type: 'refresh_token' })).status).toBe(401)
  })
})

describe.each([{ refreshOnce: false }, { refreshOnce: true }])('rotation with $refreshOnce', (options) => {
  const once = options.refreshOnce

  async function refreshed(client: CookieClient, token: string): Promise<string | undefined> {
    const answer = await client.send('POST /refresh', { refreshToken: token })
    return answer.status === 200 ? field(answer, 'refreshToken') : undefined
  }

  test(`five at once: ${once ? 'one, and the session ends' : 'all'}`, async () => {
    const client = await start(options)
    const { access, refresh } = await logIn(client)
    const all = await Promise.all(Array.from({ length: 5 }, () => refreshed(client, refresh)))
    expect(all.filter((token) => token !== undefined)).toHaveLength(once ? 1 : 5)
    expect(await statusWith(client, access)).toBe(once ? 401 : 200)
    expect(await refreshed(client, all.find((token) => token !== undefined) ?? '')).toEqual(
      once ? undefined : expect.any(String),
    )
  })

  test('an old token after its successor was used ends the session, and no other', async () => {
    const client = await start(options)
    const other = await logIn(client)
    const { access, refresh } = await logIn(client)
    const second = (await refreshed(client, refresh)) ?? ''
    const third = (await refreshed(client, second)) ?? ''
    expect(third).not.toBe('')
    expect(await statusWith(client, access)).toBe(200)
    expect(await refreshed(client, refresh)).toBeUndefined()
    expect(await refreshed(client, third)).toBeUndefined()
    expect(await statusWith(client, access)).toBe(401)
    expect(await statusWith(client, other.access)).toBe(200)
    expect(await refreshed(client, other.refresh)).toBeDefined()
  })
})

describe('a logout', () => {
  test.each<{
    title: string
    sent(tokens: { access: string; refresh: string }): [unknown, Record<string, string>]
  }>([
    { title: 'the access token in the header', sent: ({ access }) => [undefined, bearer(access)] },
    { title: 'the refresh token in the body', sent: ({ refresh }) => [{ refreshToken: refresh }, {}] },
    { title: 'the access token in the body', sent: ({ access }) => [{ token: access }, {}] },
    { title: 'the refresh token in the header', sent: ({ refresh }) => [undefined, bearer(refresh)] },
  ])('with $title ends the session: both tokens are refused from then on', async ({ sent }) => {
    const client = await start()
    const other = await logIn(client)
    const tokens = await logIn(client)
    expect((await client.send('POST /logout', ...sent(tokens))).status).toBe(200)
    expect(await statusWith(client, tokens.access)).toBe(401)
    expect((await client.send('POST /refresh', { t: tokens.refresh })).status).toBe(401)
    expect((await client.send('POST /refresh', {}, bearer(tokens.access))).status).toBe(401)
    expect(await statusWith(client, other.access)).toBe(200)
  })

  test('with an access token that has expired ends the refresh token, too', async () => {
    const client = await start({ logout: 'DELETE /session' })
    const { access, refresh } = await logIn(client)
    now += 3600_000
    await client.send('DELETE /session', undefined, bearer(access))
    expect((await client.send('POST /refresh', { refresh })).status).toBe(401)
  })

  test.each([undefined, {}, { token: 'a.b.c' }])('without a token, with %j -> 200', async (body) => {
    const client = await start()
    const { access } = await logIn(client)
    expect((await client.send('POST /logout', body)).status).toBe(200)
    expect(await statusWith(client, access)).toBe(200)
  })

  test('with a token that somebody else has signed ends nothing', async () => {
    const client = await start()
    const { access } = await logIn(client)
    const [head, claims] = access.split('.')
    await client.send('POST /logout', undefined, bearer(`${head}.${claims}.${'A'.repeat(43)}`))
    expect(await statusWith(client, access)).toBe(200)
  })

  test('a token of the specified login ends as well, and with it no other', async () => {
    const client = await start()
    const one = field(await client.send('POST /auth/login', ADA), 'access_token')
    now += 1000
    const two = field(await client.send('POST /auth/login', ADA), 'access_token')
    await client.send('POST /logout', undefined, bearer(one))
    expect(await statusWith(client, one)).toBe(401)
    expect(await statusWith(client, two)).toBe(200)
  })

  test('with --allow, a token of an ended session is refused where no token is needed', async () => {
    const client = await start({ allow: ['GET /users'] })
    const { access } = await logIn(client)
    await client.send('POST /logout', undefined, bearer(access))
    expect((await client.send('GET /users')).status).toBe(200)
    expect(await statusWith(client, access)).toBe(401)
  })

  test('with --allow all, only who asks whose token it is learns that it has ended', async () => {
    const client = await start({ allow: 'all', me: '/me' })
    const { access } = await logIn(client)
    expect(await statusWith(client, access, '/me')).toBe(200)
    await client.send('POST /logout', undefined, bearer(access))
    expect(await statusWith(client, access, '/me')).toBe(401)
    expect(await statusWith(client, access, '/auth/me')).toBe(401)
    expect(await statusWith(client, access)).toBe(200)
  })
})

test('a logout ends the session in all data, also where it names a sandbox that nothing has changed', async () => {
  const client = await start({ sandboxes: true })
  const { access, refresh } = await logIn(client)
  const inSandbox = { 'X-Sandbox': 'one' }
  expect((await client.send('POST /logout', { refreshToken: refresh }, inSandbox)).status).toBe(200)
  expect(await statusWith(client, access)).toBe(401)
  const again = await client.send('GET /users', undefined, { ...bearer(access), ...inSandbox })
  expect(again.status).toBe(401)
})

describe('a refresh that is refused uses nothing up: with --refresh-once,', () => {
  test('one that does not name its sandbox can be sent again with the name', async () => {
    const client = await start({ sandboxes: true, refreshOnce: true })
    const inSandbox = { 'X-Sandbox': 'one' }
    const refresh = field(await client.send('POST /login', ADA, inSandbox), 'refresh_token')
    client.cookies.clear()
    expect((await client.send('POST /refresh', { refresh })).status).toBe(401)
    const answer = await client.send('POST /refresh', { refresh }, inSandbox)
    expect(answer.status).toBe(200)
    const again = { ...bearer(field(answer, 'token')), ...inSandbox }
    expect((await client.send('GET /users', undefined, again)).status).toBe(200)
  })

  test('a user who is locked and let in again goes on', async () => {
    const users = [
      { id: 1, ...ADA, active: true },
      { id: 2, email: 'admin@example.com', password: 'p', active: true },
    ]
    const client = await start({ data: { users }, refreshOnce: true, loginIf: { active: true } })
    const { access, refresh } = await logIn(client)
    const setActive = (active: boolean) => client.send('PATCH /users/1', { active }, bearer(access))
    await setActive(false)
    for (const _attempt of [1, 2]) expect((await client.send('POST /refresh', { refresh })).status).toBe(401)
    await setActive(true)
    expect((await client.send('POST /refresh', { refresh })).status).toBe(200)
    expect(await statusWith(client, access)).toBe(200)
  })

  test('a fault rule that fails it leaves the token as it was', async () => {
    const faults = [{ method: 'POST', path: '/refresh', status: 503, times: 1, when: { body: { a: 1 } } }]
    const client = await start({ refreshOnce: true, faults })
    const { refresh } = await logIn(client)
    expect((await client.send('POST /refresh', { refresh, a: 1 })).status).toBe(503)
    expect((await client.send('POST /refresh', { refresh, a: 1 })).status).toBe(200)
  })
})

describe('a token of another program with the same secret that is not valid yet', () => {
  const notYet = () =>
    jwt.sign({ sub: '1', email: ADA.email, nbf: START / 1000 + 60, exp: START / 1000 + 3600 }, SECRET)

  test('opens nothing, for a reason that says so', async () => {
    const client = await start()
    const answer = await client.send('GET /users', undefined, bearer(notYet()))
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('2026-01-01T00:01:00.000Z'),
    ])
  })

  test.each([0, 60_000])('is ended by a logout %i ms after the start', async (after) => {
    const client = await start()
    const token = notYet()
    now += after
    expect((await client.send('POST /logout', undefined, bearer(token))).status).toBe(200)
    now = START + 60_000
    expect(await statusWith(client, token)).toBe(401)
  })

  test('opens routes from then on', async () => {
    const client = await start()
    const token = notYet()
    now += 60_000
    expect(await statusWith(client, token)).toBe(200)
  })
})
