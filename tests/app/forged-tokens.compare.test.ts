import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { isRecord } from '../../lib/is-record'
import { createApp } from '../../server'
import { CookieClient } from '../support/cookies'
import { ADA, sampleData } from '../support/data'
import { json, serve, type TestServer } from '../support/http'

const NOW = Date.UTC(2026, 0, 1)
const SECRET = 'the signing secret of these tests only'
const OTHER_SECRETS = [`${SECRET}!`, SECRET.slice(1), '', ' ', 'secret', 'json-server-bearer refresh token']

let server: TestServer
let access: string
let refresh: string

beforeAll(async () => {
  const app = createApp({
    data: sampleData(),
    secret: SECRET,
    clock: () => NOW,
    log: false,
    login: '/login',
    refresh: '/refresh',
    me: '/me',
    logout: '/logout',
    tokenIn: ['x-access-token', 'authorization', 'cookie:session'],
    refreshIn: 'cookie:refresh',
    loginResponse: { access: '$token', refresh: '$refresh' },
  })
  server = await serve(app)
  const answer = json(await new CookieClient(server.url).send('POST /login', ADA))
  if (!isRecord(answer)) throw new Error('The login gave no tokens.')
  access = String(answer.access)
  refresh = String(answer.refresh)
})
afterAll(() => server.close())

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token with any header and payload, and a signature over them. */
function craft(header: unknown, payload: unknown, sign: (signed: string) => string): string {
  const signed = `${base64(header)}.${base64(payload)}`
  return `${signed}.${sign(signed)}`
}

const hmac = (secret: string, hash = 'sha256') => {
  return (signed: string) =>
    createHmac(hash, secret || '\0')
      .update(signed)
      .digest('base64url')
}

function partsOf(token: string): [head: string, claims: string, signature: string] {
  const [head = '', claims = '', signature = ''] = token.split('.')
  return [head, claims, signature]
}

/** The tokens that are made from a token of either kind without its key. */
function* alterationsOf(token: string): Generator<string> {
  const [head, payload, signature] = partsOf(token)
  const claims = jwt.decode(token, { json: true }) ?? {}
  const header = { alg: 'HS256', typ: 'JWT' }
  // Headers: none at all, other algorithms, keys that the token itself brings.
  for (const alg of [
    'none',
    'None',
    'NONE',
    'nOnE',
    'HS1',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'PS256',
    'EdDSA',
    '',
    null,
    0,
    true,
    [],
    ['HS256'],
    {},
  ])
    for (const given of ['', signature, hmac(SECRET.slice(1))(`${base64({ alg })}.${payload}`)])
      yield craft({ ...header, alg }, claims, () => given)
  for (const more of [
    { kid: '../../dev/null' },
    { kid: "' OR 1=1" },
    { jwk: { kty: 'oct', k: base64('k') } },
    { jku: 'http://127.0.0.1/keys' },
    { x5u: 'http://127.0.0.1/key' },
    { crit: ['exp'] },
    { b64: false, crit: ['b64'] },
    { typ: 'refresh+jwt' },
    { typ: 'at+jwt' },
    { zip: 'DEF' },
  ])
    yield craft({ ...header, ...more }, claims, () => signature)
  // Secrets: other ones, and a public key as one.
  for (const secret of OTHER_SECRETS) yield craft(header, claims, hmac(secret))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  yield craft(header, claims, hmac(pem))
  yield jwt.sign(claims, privateKey, { algorithm: 'RS256' })
  // Claims under the signature of others.
  for (const altered of [
    { sub: '2' },
    { sub: 1 },
    { email: 'grace@example.com' },
    { exp: 9e9 },
    { exp: NOW },
    { exp: null },
    { exp: 'never' },
    { iat: 0 },
    { nbf: 0 },
    { sid: 'x' },
    { sid: null },
    { jti: 'x' },
    { sandbox: 'lab' },
    { series: 1 },
    { parent: 'x' },
    { role: 'admin' },
    { aud: 'x', iss: 'y' },
  ])
    for (const type of ['JWT', 'refresh+jwt'])
      yield craft({ ...header, typ: type }, { ...claims, ...altered }, () => signature)
  for (const name of Object.keys(claims))
    yield craft(header, { ...claims, [name]: undefined }, () => signature)
  for (const text of ['null', '[]', '""', '1', '{', '', '{"exp":1e999}'])
    yield craft(header, text, () => signature)
  // The parts, in other numbers and orders.
  yield* [head, `${head}.`, `${head}.${payload}`, `${head}.${payload}.`, `.${payload}.${signature}`]
  yield* [`${token}.`, `.${token}`, `${token}.${signature}`, `${payload}.${head}.${signature}`, `..`, `...`]
  yield* [
    `${token}A`,
    `A${token}`,
    `${token}=`,
    token.toLowerCase(),
    token.toUpperCase(),
    token.split('').reverse().join(''),
  ]
  yield* [
    `"${token}"`,
    `${token}%00`,
    encodeURIComponent(`${token}/`),
    `${head}.${payload}.${base64(signature)}`,
  ]
  // One character of the whole, here and there.
  for (let at = token.length - 1; at >= 0; at -= 3) {
    const other = token[at] === 'A' ? 'B' : 'A'
    if (token[at] !== '.') yield token.slice(0, at) + other + token.slice(at + 1)
  }
}

/** Tokens that somebody who knows the secret has made wrongly. */
function* wrongOnes(): Generator<string> {
  const header = { alg: 'HS256', typ: 'JWT' }
  const claims = jwt.decode(access, { json: true }) ?? {}
  const now = NOW / 1000
  for (const exp of [undefined, null, 0, -1, now - 1, now, `${now + 60}`, {}, [now + 60], true])
    yield craft(header, { ...claims, exp }, hmac(SECRET))
  for (const hash of ['sha384', 'sha512'])
    yield craft({ ...header, alg: hash.replace('sha', 'HS') }, claims, hmac(SECRET, hash))
  yield craft(header, { ...claims, nbf: now + 1 }, hmac(SECRET))
}

/** All ways in which a token can be sent. */
const WAYS: readonly ((token: string) => Record<string, string>)[] = [
  (token) => ({ Authorization: `Bearer ${token}` }),
  (token) => ({ Authorization: token }),
  (token) => ({ Authorization: `Token ${token}` }),
  (token) => ({ 'X-Access-Token': token }),
  (token) => ({ Cookie: `session=${token}` }),
]

/** Whether Node sends the text as the value of a header. */
const isSendable = (token: string) => /^[\x21-\x7e]+$/.test(token)

test('five hundred forged and altered tokens let nobody in, wherever they are sent', async () => {
  const client = new CookieClient(server.url)
  const forged = [...alterationsOf(access), ...alterationsOf(refresh), ...wrongOnes(), refresh].filter(
    isSendable,
  )
  expect(new Set(forged).size).toBeGreaterThan(500)
  const letIn: string[] = []
  let way = 0
  for (const token of new Set(forged)) {
    if (token === access) continue
    const headers = WAYS[way % WAYS.length]?.(token)
    way += 1
    const path = way % 2 === 0 ? 'GET /users' : 'GET /me'
    const answer = await client.send(path, undefined, headers)
    if (answer.status !== 401 || answer.text !== '"Unauthorized"') letIn.push(token)
  }
  expect(letIn).toEqual([])
})

test('nor do they give new tokens', async () => {
  const forged = [...alterationsOf(refresh), ...alterationsOf(access), ...wrongOnes()]
  const given: string[] = []
  let way = 0
  for (const token of new Set(forged)) {
    if (token === access || token === refresh) continue
    way += 1
    const inCookie = way % 2 === 0 && isSendable(token)
    const answer = inCookie
      ? await new CookieClient(server.url).send('POST /refresh', undefined, { Cookie: `refresh=${token}` })
      : await new CookieClient(server.url).send('POST /refresh', { refreshToken: token })
    if (answer.status !== 401) given.push(token)
  }
  expect(given).toEqual([])
  // Neither of those that are valid has been harmed by all this: an access token in the body gives new ones as well.
  const client = new CookieClient(server.url)
  expect((await client.send('POST /refresh', { refreshToken: access })).status).toBe(200)
  expect((await client.send('POST /refresh', { refreshToken: refresh })).status).toBe(200)
  for (const headers of WAYS.map((send) => send(access)))
    expect((await client.send('GET /users', undefined, { Cookie: '', ...headers })).status).toBe(200)
})
