import jwt from 'jsonwebtoken'
import { signingKey } from '../../lib/auth/access-token'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { type Answer, ask, logIn, type TestServer } from '../support/http'
import '../support/rsa-key'

const SECRET = 'the signing secret of these tests only'
const OPENID = '/protocol/openid-connect'

/** What has the form of a token, and is none; each index gives another. */
const formed = (index: number) => `a.b.${String(index).padStart(43, '0')}`

/** Bytes of cookies: Node takes 16 kB of headers. */
const SIZE = 14_000

/** Makes a header of cookies with one name. */
const cookies = (makeValue: (index: number) => string) => (name: string) => {
  const pair = `${name}=${makeValue(0)};`
  return Array.from({ length: SIZE / pair.length }, (_, index) => `${name}=${makeValue(index)}`).join(';')
}

const KINDS = [
  { kind: 'texts that are no tokens', sent: cookies(() => 'a'), looked: 0 },
  { kind: 'equal ones', sent: cookies(() => formed(0)), looked: 1 },
  { kind: 'other ones', sent: cookies(formed), looked: 8 },
]

let server: TestServer
async function start(options: Partial<AppOptions>): Promise<void> {
  server = await serveApp({ data: sampleData(), secret: SECRET, ...options })
}
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

/** How often something is verified while a request is answered. */
async function verifications(headers: Record<string, string>, path: string): Promise<[Answer, number]> {
  const verify = jest.spyOn(jwt, 'verify')
  verify.mockClear()
  const answer = await ask(server.url, { path, headers })
  return [answer, verify.mock.calls.length]
}

describe('a header full of cookies', () => {
  test.each(KINDS)('$kind: $looked are looked at', async ({ sent, looked }) => {
    await start({
      login: '/login',
      refresh: '/refresh',
      logout: 'GET /logout',
      tokenIn: 'cookie:s',
      refreshIn: 'cookie:r',
    })
    for (const name of ['s', 'r'])
      for (const path of ['/users', '/logout']) {
        const [{ status }, verified] = await verifications({ Cookie: sent(name) }, path)
        expect(status).toBe(path === '/users' ? 401 : 200)
        // The token check reads it, and looks whether it was one of this server; a logout asks that twice of either kind.
        expect(verified).toBeLessThanOrEqual(8 * looked)
      }
  })

  test.each(KINDS)('of a browser that logs in by OpenID Connect, $kind', async ({ sent, looked }) => {
    await start({ openid: true })
    const headers = { Cookie: sent('openid_session') }
    for (const path of [
      `${OPENID}/auth?client_id=a&response_type=code&redirect_uri=http://localhost/`,
      `${OPENID}/logout`,
    ]) {
      const [{ status }, verified] = await verifications(headers, path)
      expect(status).toBe(200)
      // A logout reads an identity token as well.
      expect(verified).toBeLessThanOrEqual(1 + 8 * looked)
    }
  })

  test('a valid one is found among the first eight that have the form, and among any that have not', async () => {
    await start({ login: '/login', tokenIn: 'cookie:s' })
    const valid = `s=${await logIn(server.url)}`
    const others = Array.from({ length: 8 }, (_, index) => `s=${formed(index)}`)
    const noise = Array.from({ length: 100 }, (_, index) => `s=${index}`)
    for (const [cookies, expected] of [
      [[...noise, ...others.slice(1), valid], 200],
      [[...others, valid], 401],
    ] as const) {
      const { status } = await ask(server.url, { path: '/users', headers: { Cookie: cookies.join('; ') } })
      expect(status).toBe(expected)
    }
  })
})

test('other headers, a query and a body with many: eight of each are looked at', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  // Where nothing is logged, nobody asks where else a token may be.
  await start({ login: '/login', refresh: '/refresh', log: true })
  const many = Array.from({ length: 100 }, (_, index) => formed(index))
  const headers = Object.fromEntries(many.map((token, index) => [`x-${index}`, token]))
  const [inHeaders, ofHeaders] = await verifications(headers, '/users')
  expect([inHeaders.status, ofHeaders]).toEqual([401, 8])
  const [inQuery, ofQuery] = await verifications({}, `/users?a=${many.join('&a=')}`)
  expect([inQuery.status, ofQuery]).toEqual([401, 8])
  const verify = jest.spyOn(jwt, 'verify')
  verify.mockClear()
  const { status } = await ask(server.url, {
    method: 'POST',
    path: '/refresh',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(many.map((token, index) => [index, token]))),
  })
  expect(status).toBe(401)
  expect(verify.mock.calls.length).toBeLessThanOrEqual(8)
})

test('a token of another program that is signed with the secret is still one', async () => {
  await start({})
  const token = jwt.sign({ sub: '1' }, signingKey(SECRET), { expiresIn: 60 })
  expect(
    (await ask(server.url, { path: '/users', headers: { Authorization: `Bearer ${token}` } })).status,
  ).toBe(200)
})
