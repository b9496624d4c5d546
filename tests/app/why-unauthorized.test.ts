import jwt from 'jsonwebtoken'
import { type AppOptions, createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import { ask, logIn, type Question, serve, type TestServer, until } from '../support/http'

const SECRET = 'the signing secret of these tests only'
const PASSWORD = 'correct horse'

let server: TestServer
let lines: string[]
beforeEach(async () => {
  lines = []
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  server = await start()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

function start(options: Partial<AppOptions> = {}): Promise<TestServer> {
  return serve(createApp({ data: sampleData(), secret: SECRET, log: true, ...options }))
}

async function refused(question: Question) {
  const answer = await ask(server.url, question)
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: '"Unauthorized"' })
  await until(() => lines.join('').includes('401'))
  return { challenge: answer.headers['www-authenticate'], headers: answer.headers, log: lines.join('') }
}

const MOMENT = Math.floor(Date.UTC(2026, 0, 1) / 1000)
const sign = (claims: object, secret = SECRET) => jwt.sign({ ...ADA, ...claims }, secret)

test.each<[string, string | undefined, RegExp, RegExp]>([
  ['no header', undefined, /\(.*Authorization/, /^Bearer$/],
  ['the scheme in lower case', `bearer ${sign({ exp: 9e9 })}`, /\(.*capital/, /^Bearer$/],
  ['another scheme', 'Basic YWRhOmxvdmVsYWNl', /\(.*"Bearer"/, /^Bearer$/],
  ['no token after Bearer', 'Bearer ', /\(.*no token/, /^Bearer$/],
  ['two spaces', `Bearer  ${sign({ exp: 9e9 })}`, /\(.*one space/, /^Bearer$/],
  ...[
    ['an expired token', sign({ exp: MOMENT }), String.raw`.*expired.* 2026-01-01T00:00:00\.000Z`],
    ['a token from before a restart', sign({ exp: 9e9 }, 'the secret before'), '.*JWT_SECRET.*'],
    ['a word that is not a token', 'lovelace', '.*did not make.*'],
    ['a token without an expiry', sign({}), '.*expiry'],
    [
      'a token with another algorithm',
      jwt.sign({ ...ADA, exp: 9e9 }, SECRET, { algorithm: 'HS512' }),
      '.*HS256.*',
    ],
    ['the word undefined', 'undefined', '.*undefined.*access_token'],
    ['the word null', 'null', '.*null.*access_token'],
    ...[`"${sign({ exp: 9e9 })}"`, `'${sign({ exp: 9e9 })}'`, '"undefined"'].map((quoted) => [
      `${quoted.slice(0, 5)} in quotation marks`,
      quoted,
      '.*quotation.*',
    ]),
  ].map(([title = '', token, reason]): [string, string, RegExp, RegExp] => [
    title,
    `Bearer ${token}`,
    new RegExp(`\\(${reason}\\)\n`),
    new RegExp(`error="invalid_token", error_description="${reason}"$`),
  ]),
])('%s: the log and the challenge say why', async (_title, authorization, logged, challenged) => {
  const headers = authorization === undefined ? {} : { Authorization: authorization }
  const { challenge, headers: sent, log } = await refused({ path: '/users', headers })
  expect(log).toMatch(logged)
  expect(challenge).toMatch(challenged)
  expect(sent['access-control-expose-headers']).toBe(
    String(challenge).includes('error') ? 'WWW-Authenticate' : undefined,
  )
  expect(log).not.toMatch(/eyJ|lovelace|YWRh/)
})

const JSON_TEXT = JSON.stringify({ email: 'ada@example.com', password: PASSWORD })

test.each<[string, string | undefined, string, RegExp]>([
  ['text', 'text/plain;charset=UTF-8', JSON_TEXT, /\(.*text\/plain/],
  ['JSON as a form', 'application/x-www-form-urlencoded', JSON_TEXT, /\(.*as a form/],
  [
    'FormData without an email',
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${PASSWORD}\r\n--x--\r\n`,
    /\(.*"email"/,
  ],
  ['no content type', undefined, JSON_TEXT, /\(.*Content-Type/],
  ['nothing', 'application/json', '', /\(.*no fields/],
  ...['username', 'login', 'user', 'mail'].map((name): [string, string, string, RegExp] => [
    name,
    'application/json',
    JSON.stringify({ [name]: 'ada', password: PASSWORD }),
    new RegExp(`\\(.*"${name}".*"email"`),
  ]),
  [
    'the fields in an object',
    'application/json',
    JSON.stringify({ user: { email: 'ada@example.com', password: PASSWORD } }),
    /\(.*"user".*"email"/,
  ],
  ...[{ [PASSWORD]: 1 }, { email: 'ada@example.com' }, { email: 1, password: 'horse' }].map(
    (fields): [string, string, string, RegExp] => [
      `the fields ${Object.keys(fields)}`,
      'application/json',
      JSON.stringify(fields),
      /\(.*"password"/,
    ],
  ),
  [
    'JSON as a form that cuts it',
    'application/x-www-form-urlencoded',
    '{"email": "ada@example.com", "password": "correct&horse"}',
    /\(.*as a form/,
  ],
  [
    'a form with brackets in its names',
    'application/x-www-form-urlencoded',
    'user[email]=ada@example.com&user[password]=horse',
    /\(.*"email"/,
  ],
  ['a wrong password', 'application/json', JSON_TEXT, /\(no user/],
])('a login with %s: the log says why, the client learns nothing', async (_title, type, body, logged) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
  const { challenge, log } = await refused({ method: 'POST', path: '/auth/login', headers, body })
  expect(log).toMatch(logged)
  expect(challenge).toBe('Bearer')
  expect(log).not.toMatch(/correct|horse|ada@|boundary/)
})

test('an error of the page of another origin can read the challenge', async () => {
  const { headers } = await refused({
    path: '/users',
    headers: { Origin: 'https://app.example', Authorization: 'Bearer x' },
  })
  expect(headers['access-control-allow-origin']).toBe('https://app.example')
  expect(headers['access-control-expose-headers']).toBe('WWW-Authenticate')
})

test('a request that succeeds has no reason in the log', async () => {
  const headers = { Authorization: `Bearer ${await logIn(server.url)}` }
  expect((await ask(server.url, { path: '/users', headers })).status).toBe(200)
  await until(() => lines.join('').includes('/users'))
  expect(lines.join('')).not.toContain('(')
})

test.each([
  ['/login', /POST \/auth\/login.*--login \/login/],
  ['/signin', /POST \/auth\/login.*--login \/signin/],
  ['/api/Login/', /POST \/auth\/login.*--login \/api\/Login\//],
  ['/auth/register', /--sign-up \/auth\/register/],
  ['/logout', /--logout \/logout/],
  ['//login', /POST \/auth\/login\)/],
])('POST %s: the log says which flag gives such a route, the client learns nothing', async (path, clause) => {
  const { challenge, log } = await refused({ method: 'POST', path })
  expect(log).toMatch(clause)
  expect(challenge).toBe('Bearer')
})

test.each([
  ['POST', '/"/login', /--login \/"\/login/],
  ['GET', '/me', /--me \/me/],
])(
  '%s %s with a token that is refused: the client is told of the token alone',
  async (method, path, clause) => {
    const { challenge, log } = await refused({ method, path, headers: { Authorization: 'Bearer null' } })
    expect(log).toMatch(clause)
    expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]*null[^"\\]*"$/)
    expect(challenge).not.toMatch(/--|auth/)
  },
)

test.each(['GET', 'HEAD'])('%s /auth/me is what was sought', async (method) => {
  await ask(server.url, { method, path: '/auth/me' })
  await until(() => lines.join('').includes('401'))
  expect(lines.join('')).toMatch(/\(there is no Authorization header\)/)
})

test('a path that may hold a secret is not shown', async () => {
  const { log } = await refused({ method: 'POST', path: '/password=lovelace/login' })
  expect(log).not.toContain('lovelace')
})

test.each(['GET', 'PUT'])('%s /auth/login: the log says how to log in', async (method) => {
  const { log } = await refused({ method, path: '/auth/login' })
  expect(log).toMatch(/\(.*POST \/auth\/login\)/)
})

test.each(['GET /login', 'POST /logins', 'POST /users'])('%s: no word about the login', async (line) => {
  const [method = '', path = ''] = line.split(' ')
  expect((await refused({ method, path })).log).not.toContain('POST /auth/login')
})

const VALID = sign({ exp: 9e9 })

test.each<[string, Question, RegExp]>([
  ['in a header', { path: '/users', headers: { 'X-Auth-Token': VALID } }, /\(.*--token-in x-auth-token/],
  [
    'after another word',
    { path: '/users', headers: { Authorization: `Token ${VALID}` } },
    /\(.*one space.*--token-in authorization/,
  ],
  ['in the query', { path: `/users?a=1&access_token=${VALID}` }, /\(.*query/],
])('a valid token %s: the log says where it is, the client learns nothing', async (_title, sent, logged) => {
  const { challenge, log } = await refused(sent)
  expect(log).toMatch(logged)
  expect(challenge).toBe('Bearer')
  expect(log).not.toContain(VALID)
})

test.each([
  { 'X-Auth-Token': sign({ exp: 9e9 }, 'another secret') },
  { 'X-Auth-Token': sign({ exp: MOMENT }) },
  { 'X-Auth-Token': `Bearer  ${VALID}` },
  { Authorization: `Basic ${VALID}` },
])('a header %j holds no token that a flag would read', async (headers) => {
  expect((await refused({ path: '/users', headers })).log).not.toContain('--token-in')
})

test.each([
  ['POST /signin', 'is PUT /in or POST /auth/login'],
  ['POST /register', 'is POST /join'],
  ['POST /in', ' PUT /in'],
  ['GET /out/', ' POST /out'],
  ['POST /me', ' GET /me'],
  ['PUT /api/who?a=1', ' GET /api/who'],
])('%s, where logins have paths of their own: the log says%s', async (line, said) => {
  await server.close()
  const routes = { '/api/*': '/$1' }
  server = await start({ login: 'PUT /in', signUp: '/join', logout: '/out', me: ['/me', '/api/who'], routes })
  const [method = '', path = ''] = line.split(' ')
  expect((await refused({ method, path })).log).toContain(said)
  const headers = { Authorization: `Bearer ${VALID}` }
  expect((await ask(server.url, { method, path, headers })).status).toBe(404)
  await until(() => lines.join('').includes('404'))
  expect(lines.join('').split('404')[1]).toContain(said)
})

test('a login that an option names is said once, also where every server has it', async () => {
  await server.close()
  server = await start({ login: ['/auth/login', '/in'] })
  expect((await refused({ method: 'POST', path: '/signin' })).log).toMatch(
    /is POST \/auth\/login or POST \/in,/,
  )
})

test.each(['GET /me', 'HEAD /me', 'GET /session'])('%s is right, and only lacks a token', async (line) => {
  await server.close()
  server = await start({ login: '/session', me: ['/me', 'GET /session'] })
  const [method = '', path = ''] = line.split(' ')
  const { status } = await ask(server.url, { method, path })
  await until(() => lines.join('').includes('401'))
  expect(status).toBe(401)
  expect(lines.join('')).not.toMatch(/the login|the route/)
})

test('who am I says it as well, where it is the only path that needs a token', async () => {
  await server.close()
  server = await start({ allow: 'all' })
  const { challenge, log } = await refused({ path: '/auth/me', headers: { Authorization: 'Bearer null' } })
  expect(log).toMatch(/\(.*null/)
  expect(challenge).toContain('null')
})

test('a record that is sent as JSON in a form is refused, and the log says why, and nothing of it', async () => {
  const token = await logIn(server.url)
  lines.length = 0
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const sent = { method: 'POST', path: '/users', headers, body: '{"password": "s3cret"}' }
  expect((await ask(server.url, sent)).status).toBe(400)
  await until(() => lines.join('').includes('400'))
  expect(lines.join('')).toMatch(/400.*\(.*as a form/)
  expect(lines.join('')).not.toContain('s3cret')
})
