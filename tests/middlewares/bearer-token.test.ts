import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { RequestHandler } from 'express'
import fc from 'fast-check'
import jwt from 'jsonwebtoken'
import { bearerToken } from '../../server'
import { serveApp } from '../support/app'
import { ADA, sampleData } from '../support/data'
import { ask, json, logIn, serveHandlers, type TestServer } from '../support/http'
import { runs } from '../support/random'

const SECRET = 'the signing secret of these tests only'
const NOW = Date.UTC(2026, 0, 1) / 1000
const CLAIMS = { ...ADA, iat: NOW, exp: NOW + 3600 }
const TOKEN = jwt.sign(CLAIMS, SECRET)
const NO_TOKEN = /^Bearer$/
const INVALID_TOKEN = /^Bearer error="invalid_token", error_description="[^"\\]+"$/

let server: TestServer
let clock = NOW * 1000
let auths: unknown[] = []

/** Represents every protected handler: it must not run when the token is refused. */
const protectedHandler: RequestHandler = (request, _response, next) => {
  auths.push({ ...request.auth })
  // As a middleware does that counts time in milliseconds.
  if (request.auth !== undefined) request.auth.exp *= 1000
  next()
}

beforeAll(async () => {
  server = await serveApp({
    data: sampleData(),
    secret: SECRET,
    clock: () => clock,
    middlewares: [protectedHandler],
  })
})
beforeEach(() => {
  clock = NOW * 1000
  auths = []
})
afterAll(() => server.close())

/** A token that jsonwebtoken itself would refuse to make. */
function craft(header: object, payload: unknown): string {
  const signed = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`
}

function alterPayload(token: string): string {
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ ...CLAIMS, email: 'grace@example.com' }))
  return [header, payload.toString('base64url'), signature].join('.')
}

async function expectRefusal(
  { path = '/users', headers }: { path?: string; headers: Record<string, string> },
  challenge: RegExp,
): Promise<void> {
  const answer = await ask(server.url, { path, headers })
  expect(answer.status).toBe(401)
  expect(answer.headers['www-authenticate']).toMatch(challenge)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.text).toBe('"Unauthorized"')
  expect(auths).toEqual([])
}

test.each<{ title: string; headers: Record<string, string> }>([
  { title: 'no header', headers: {} },
  { title: 'an empty header', headers: { Authorization: '' } },
  { title: 'the scheme alone', headers: { Authorization: 'Bearer' } },
  { title: 'an empty token', headers: { Authorization: 'Bearer ' } },
  { title: 'the token alone', headers: { Authorization: TOKEN } },
  { title: 'another scheme', headers: { Authorization: `Token ${TOKEN}` } },
  { title: 'Basic', headers: { Authorization: 'Basic YWRhQGV4YW1wbGUuY29tOmxvdmVsYWNl' } },
  { title: 'the scheme in lower case', headers: { Authorization: `bearer ${TOKEN}` } },
  { title: 'the scheme in upper case', headers: { Authorization: `BEARER ${TOKEN}` } },
  { title: 'a longer scheme', headers: { Authorization: `XBearer ${TOKEN}` } },
  { title: 'two spaces', headers: { Authorization: `Bearer  ${TOKEN}` } },
  { title: 'a tab', headers: { Authorization: `Bearer\t${TOKEN}` } },
  { title: 'no space', headers: { Authorization: `Bearer${TOKEN}` } },
  { title: 'a trailing word', headers: { Authorization: `Bearer ${TOKEN} more` } },
  { title: 'a trailing no-break space', headers: { Authorization: `Bearer ${TOKEN}\u00a0` } },
  { title: 'a cookie', headers: { Cookie: `access_token=${TOKEN}; Authorization=Bearer ${TOKEN}` } },
  { title: 'another header', headers: { 'X-Access-Token': TOKEN, 'Proxy-Authorization': `Bearer ${TOKEN}` } },
])('no token is read from $title -> 401', async ({ headers }) => {
  await expectRefusal({ headers }, NO_TOKEN)
})

test.each(['access_token', 'token', 'Authorization', 'authorization'])(
  'no token is read from the query parameter %s -> 401',
  async (name) => {
    await expectRefusal({ path: `/users?${name}=${TOKEN}`, headers: {} }, NO_TOKEN)
    await expectRefusal({ path: `/users?${name}=Bearer%20${TOKEN}`, headers: {} }, NO_TOKEN)
  },
)

const privateKey = readFileSync(path.join(__dirname, '../support/rsa.pem'))

test.each([
  { title: 'garbage', token: 'abc' },
  { title: 'three parts of garbage', token: 'a.b.c' },
  { title: 'an altered payload', token: alterPayload(TOKEN) },
  { title: 'no signature', token: TOKEN.replace(/[^.]*$/, '') },
  { title: 'a shortened signature', token: TOKEN.slice(0, -1) },
  { title: 'alg none', token: jwt.sign(CLAIMS, null, { algorithm: 'none' }) },
  { title: 'alg none with a signature', token: craft({ alg: 'none', typ: 'JWT' }, CLAIMS) },
  { title: 'HS384 with the secret', token: jwt.sign(CLAIMS, SECRET, { algorithm: 'HS384' }) },
  { title: 'HS512 with the secret', token: jwt.sign(CLAIMS, SECRET, { algorithm: 'HS512' }) },
  { title: 'RS256', token: jwt.sign(CLAIMS, privateKey, { algorithm: 'RS256' }) },
  { title: 'another secret', token: jwt.sign(CLAIMS, `${SECRET}!`) },
  { title: 'an expiry one second ago', token: jwt.sign({ ...CLAIMS, exp: NOW - 1 }, SECRET) },
  { title: 'an expiry before all dates', token: jwt.sign({ ...CLAIMS, exp: -1e18 }, SECRET) },
  { title: 'a beginning in the future', token: jwt.sign({ ...CLAIMS, nbf: NOW + 1 }, SECRET) },
  { title: 'a beginning after all dates', token: jwt.sign({ ...CLAIMS, nbf: 1e18 }, SECRET) },
  { title: 'an expiry at this second', token: jwt.sign({ ...CLAIMS, exp: NOW }, SECRET) },
  { title: 'no expiry', token: jwt.sign(ADA, SECRET) },
  { title: 'an expiry that is text', token: craft({ alg: 'HS256' }, { ...CLAIMS, exp: `${NOW + 3600}` }) },
  { title: 'an expiry of null', token: craft({ alg: 'HS256' }, { ...CLAIMS, exp: null }) },
  { title: 'a payload of text', token: jwt.sign('ada@example.com', SECRET) },
  { title: 'a payload of null', token: craft({ alg: 'HS256' }, null) },
  { title: 'a payload that is an array', token: craft({ alg: 'HS256' }, [CLAIMS]) },
])('a token with $title -> 401', async ({ token }) => {
  await expectRefusal({ headers: { Authorization: `Bearer ${token}` } }, INVALID_TOKEN)
})

test('a valid token -> 200, and the next handlers see its claims', async () => {
  const answer = await ask(server.url, { path: '/users', headers: { Authorization: `Bearer ${TOKEN}` } })
  expect(answer.status).toBe(200)
  expect(answer.headers['www-authenticate']).toBeUndefined()
  expect(json(answer)).toEqual(sampleData().users)
  expect(auths).toEqual([CLAIMS])
})

test('any valid token -> 200, whoever it names', async () => {
  const token = jwt.sign({ email: 'nobody@example.com', password: '', exp: NOW + 1 }, SECRET)
  const answer = await ask(server.url, { path: '/users/1', headers: { Authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
})

test.each([
  { seconds: 0, status: 200 },
  { seconds: 3599, status: 200 },
  { seconds: 3599.999, status: 200 },
  { seconds: 3600, status: 401 },
  { seconds: 3601, status: 401 },
  { seconds: 86400, status: 401 },
])('a token $seconds seconds after its login -> $status', async ({ seconds, status }) => {
  const token = await logIn(server.url)
  clock += seconds * 1000
  const answer = await ask(server.url, { path: '/users', headers: { Authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(status)
  expect(auths).toHaveLength(status === 200 ? 1 : 0)
  const challenge = answer.headers['www-authenticate']
  if (status === 200) expect(challenge).toBeUndefined()
  else expect(challenge).toMatch(INVALID_TOKEN)
})

test('a token that was accepted before -> 401 when its time is over', async () => {
  const headers = { Authorization: `Bearer ${await logIn(server.url)}` }
  expect((await ask(server.url, { path: '/users', headers })).status).toBe(200)
  clock += 3600 * 1000
  const answer = await ask(server.url, { path: '/users', headers })
  expect(answer.status).toBe(401)
  expect(answer.headers['www-authenticate']).toMatch(INVALID_TOKEN)
})

const headerCharacter = fc.oneof(
  fc.constantFrom(...' \t.=-_"', ...'Bearer'),
  fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? ' ' : String.fromCharCode(code))),
)

test.each([
  { title: 'any header', headers: fc.string({ unit: headerCharacter, maxLength: 200 }) },
  {
    title: 'any words after the scheme',
    headers: fc.string({ unit: headerCharacter, maxLength: 200 }).map((words) => `Bearer ${words}`),
  },
  {
    title: 'any three parts after the scheme',
    headers: fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => {
      return `Bearer ${parts.join('.')}`
    }),
  },
  {
    title: 'a valid token with one character replaced',
    headers: fc
      .tuple(fc.nat(TOKEN.length - 1), headerCharacter)
      .filter(([index, character]) => TOKEN[index] !== character)
      .map(([index, character]) => `Bearer ${TOKEN.slice(0, index)}${character}${TOKEN.slice(index + 1)}`)
      // Node trims blanks at the end of a header: what is left is shorter, but still not the token.
      .filter((header) => header.trim() !== `Bearer ${TOKEN}`),
  },
])('$title -> 401', async ({ headers }) => {
  await fc.assert(
    fc.asyncProperty(headers, async (header) => {
      const answer = await ask(server.url, { path: '/users', headers: { Authorization: header } })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer( error=.*)?$/)
      expect(answer.text).toBe('"Unauthorized"')
    }),
    runs(20),
  )
  expect(auths).toEqual([])
})

/** A claim of any kind; undefined for none. */
const claim = fc.oneof(
  fc.constantFrom(undefined, NOW - 1, NOW, NOW + 1, 8.64e12, -8.64e12, 1e18, -1e18, 1e300, -1e300),
  fc.double(),
  fc.jsonValue({ maxDepth: 1 }),
)

test('a token that our key has signed, with any claims -> 200, or 401 with a reason', async () => {
  const isMoment = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
  await fc.assert(
    fc.asyncProperty(
      fc.record({ exp: claim, nbf: claim, iat: claim, sandbox: claim, email: claim }),
      async (claims) => {
        const sent: Record<string, unknown> = JSON.parse(JSON.stringify(claims))
        const isValid =
          isMoment(sent.exp) &&
          Number(sent.exp) > NOW &&
          (sent.nbf === undefined || (isMoment(sent.nbf) && Number(sent.nbf) <= NOW))
        const headers = { Authorization: `Bearer ${craft({ alg: 'HS256' }, claims)}` }
        const { status, headers: received } = await ask(server.url, { path: '/users', headers })
        expect(status).toBe(isValid ? 200 : 401)
        if (!isValid) expect(received['www-authenticate']).toMatch(INVALID_TOKEN)
      },
    ),
    runs(50),
  )
})

test('an expiry beyond all numbers -> 401', async () => {
  const [header, payload] = ['{"alg":"HS256"}', '{"exp":1e999}'].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  const signature = createHmac('sha256', SECRET).update(`${header}.${payload}`).digest('base64url')
  await expectRefusal(
    { headers: { Authorization: `Bearer ${header}.${payload}.${signature}` } },
    INVALID_TOKEN,
  )
})

test.each([
  { headers: { 'X-Access-Token': TOKEN }, status: 200 },
  { headers: { Cookie: `session=${TOKEN}` }, status: 200 },
  { headers: { Cookie: `session=${TOKEN}`, 'Sec-Fetch-Site': 'cross-site' }, status: 401 },
  { headers: { Cookie: 'session=bad' }, status: 401 },
  { headers: { Token: TOKEN }, status: 401 },
])('in a server of one’s own, with tokenIn: $headers -> $status', async ({ headers, status }) => {
  const check = bearerToken({
    key: SECRET,
    clock: () => NOW * 1000,
    tokenIn: ['x-access-token', 'cookie:session'],
  })
  const own = await serveHandlers(check, (request, response) => response.json(request.auth))
  const answer = await ask(own.url, { path: '/', headers })
  expect(answer.status).toBe(status)
  if (status === 200) expect(json(answer)).toEqual(CLAIMS)
  await own.close()
})

test('what a middleware adds to the claims of a request is not in those of the next', async () => {
  const seen: unknown[] = []
  const roleAdder: RequestHandler = (request, _response, next) => {
    seen.push(structuredClone(request.auth))
    request.auth?.roles.push('owner')
    Object.assign(request.auth?.address, { city: 'London' })
    next()
  }
  const claims = { ...CLAIMS, roles: ['reader'], address: { city: 'Paris' } }
  const headers = { Authorization: `Bearer ${jwt.sign(claims, SECRET)}` }
  const options = { data: sampleData(), secret: SECRET, clock: () => NOW * 1000, middlewares: [roleAdder] }
  const adding = await serveApp(options)
  for (let count = 0; count < 3; count += 1)
    expect((await ask(adding.url, { path: '/users', headers })).status).toBe(200)
  expect(seen).toEqual([claims, claims, claims])
  await adding.close()
})
