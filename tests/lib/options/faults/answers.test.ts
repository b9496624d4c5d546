import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import type { FaultRule } from '../../../../lib/options/faults/fault-rule'
import { type AppOptions, createApp } from '../../../../server'
import { ADA, sampleData, tempFolders } from '../../../support/data'
import { type Answer, ask, json, logIn, send, serve, type TestServer, until } from '../../../support/http'

const newFolder = tempFolders()
const SECRET = 'the signing secret of these tests only'
/** What a rule sends, and nobody without a token may see. */
const BODY = { orderId: 7 }
const CHECKOUT = {
  method: 'POST',
  path: '/checkout',
  status: 201,
  body: BODY,
  headers: { Location: '/orders/7' },
}

const servers: TestServer[] = []
afterEach(async () => {
  for (const running of servers.splice(0)) await running.close()
})

async function start(options: Partial<AppOptions> = {}): Promise<{ url: string; token: string }> {
  const app = createApp({ data: sampleData(), secret: SECRET, sandboxes: true, log: false, ...options })
  const server = await serve(app)
  servers.push(server)
  return { url: server.url, token: await logIn(server.url) }
}

/** Sets the rules of the sandbox `lab`. */
async function setRules(url: string, token: string, body: unknown): Promise<void> {
  expect((await send(url, 'PUT /__sandbox/faults', { sandbox: 'lab', token, body })).status).toBe(204)
}

async function acted(url: string, token: string): Promise<unknown> {
  const rules = json(await send(url, 'GET /__sandbox/faults', { sandbox: 'lab', token }))
  return Array.isArray(rules) ? rules.map((rule) => rule.acted) : rules
}

const seen = ({ status, text }: Answer) => ({ status, text })

test('a rule answers for an endpoint that is no collection, with status, body and headers as given', async () => {
  const { url, token } = await start()
  await setRules(url, token, [CHECKOUT])
  const order = { items: [1, 2] }
  const answer = await send(url, 'POST /checkout', { sandbox: 'lab', token, body: order })
  expect({ status: answer.status, body: json(answer) }).toEqual({ status: 201, body: BODY })
  expect(answer.headers).toMatchObject({
    location: '/orders/7',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-sandbox': 'lab',
  })
  expect((await send(url, 'GET /checkout', { sandbox: 'lab', token })).status).toBe(404)
  expect((await send(url, 'POST /checkout', { sandbox: 'other', token, body: order })).status).toBe(404)
  expect((await send(url, 'POST /checkout', { token, body: order })).status).toBe(404)
  expect(
    json(await send(url, 'GET /__sandbox/requests?method=POST', { sandbox: 'lab', token })),
  ).toMatchObject([{ path: '/checkout', body: order, status: 201 }])
})

test('a rule of the main data answers, without sandboxes as well', async () => {
  for (const sandboxes of [true, false]) {
    const { url, token } = await start({ faults: [CHECKOUT], sandboxes })
    expect(json(await send(url, 'POST /checkout', { token, body: {} }))).toEqual(BODY)
    expect((await send(url, 'POST /checkout', { body: {} })).status).toBe(401)
  }
})

test('a rule answers at the path of who am I where a resource of the data has it', async () => {
  const data = () => ({ ...sampleData(), auth: [{ id: 'me', name: 'a record' }] })
  const faults = [{ method: 'GET', path: '/auth/me', status: 203, body: BODY }]
  const { url, token } = await start({ data: data(), faults })
  expect(await send(url, 'GET /auth/me', { token })).toMatchObject({ status: 203 })
  expect(await send(url, 'GET /auth/me')).toMatchObject({ status: 401 })
  await setRules(url, token, faults)
  expect(json(await send(url, 'GET /auth/me', { sandbox: 'lab', token }))).toEqual(BODY)
  const { url: without, token: other } = await start({ data: data() })
  expect(json(await send(without, 'GET /auth/me', { token: other }))).toEqual({ id: 'me', name: 'a record' })
  await expect(start({ faults })).rejects.toThrow(/^Rule 1 /)
})

test('an answer takes the place of a resource, which it neither reads nor changes', async () => {
  const { url, token } = await start()
  await setRules(url, token, [{ path: '/tags/:id', status: 202, body: null }])
  for (const line of ['DELETE /tags/a1b2', 'PUT /tags/a1b2', 'GET /tags/a1b2'])
    expect(seen(await send(url, line, { sandbox: 'lab', token, body: {} }))).toEqual({
      status: 202,
      text: 'null',
    })
  expect(json(await send(url, 'GET /db', { sandbox: 'lab', token }))).toEqual(sampleData())
})

test.each<{ rule: Omit<FaultRule, 'path'>; text: string; type: RegExp | undefined }>([
  { rule: { status: 200 }, text: '{}', type: /json/ },
  { rule: { status: 200, body: '' }, text: '""', type: /json/ },
  { rule: { status: 302, headers: { Location: '/x' } }, text: '{}', type: /json/ },
  { rule: { status: 204 }, text: '', type: undefined },
  { rule: { status: 205 }, text: '', type: undefined },
  { rule: { status: 304, headers: { ETag: '"a"' } }, text: '', type: undefined },
  { rule: { status: 200, headers: { 'content-type': 'application/hal+json' } }, text: '{}', type: /hal/ },
])('the answer $rule has the body $text', async ({ rule, text, type }) => {
  const { url, token } = await start({ faults: [{ path: '/checkout', ...rule }] })
  const answer = await send(url, 'GET /checkout', { token })
  expect(seen(answer)).toEqual({ status: rule.status, text })
  const received = answer.headers['content-type']
  if (type === undefined) expect(received).toBeUndefined()
  else expect(received).toMatch(type)
})

describe('what a token protects stays closed', () => {
  const EVERYTHING = [{ path: '/*', status: 200, body: BODY, headers: { 'X-Order': '7' } }]
  const ROUTES = {
    '/open/*': '/$1',
    '/articles': '/blogs',
    '/blogs/led-away': '/users/1',
    '/lookup': '/api/users.php',
    '/home': '/docs',
  }
  const OPTIONS: Partial<AppOptions> = {
    routes: ROUTES,
    allow: ['GET /posts', 'POST /tags'],
    login: '/api/login',
    me: '/api/me',
    docs: true,
  }

  test.each([
    'GET /users',
    'HEAD /users',
    'GET /checkout',
    'HEAD /checkout',
    'OPTIONS /users',
    'GET /open/users',
    'GET /open/checkout',
    'GET /blogs/led-away',
    'GET /lookup',
    'GET /home',
    'GET /posts/1/users',
    'GET /posts/1',
    'POST /posts',
    'GET /posts/',
    'GET /Posts',
    'GET //posts',
    'GET /blogs%2F1',
    'GET /blogs/1/users',
    'POST /blogs',
    'GET /auth/me',
    'GET /api/me',
    'GET /auth/login',
    'GET /__rules',
    'GET /__sandbox/faults',
    'GET /db',
  ])('%s without a token, or with one that is refused -> 401, and the rule has not acted', async (line) => {
    const { url, token } = await start({ ...OPTIONS, cors: false })
    await setRules(url, token, EVERYTHING)
    for (const wrong of [undefined, `${token}x`]) {
      const answer = await send(url, line, { sandbox: 'lab', ...(wrong !== undefined && { token: wrong }) })
      expect(answer.status).toBe(401)
      expect(answer.headers).not.toHaveProperty('x-order')
      expect(answer.text).not.toContain('orderId')
    }
    expect(await acted(url, token)).toEqual([0])
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'POST /tags with the method override %s needs a token, although POST /tags needs none',
    async (override) => {
      const { url, token } = await start({ ...OPTIONS, faults: EVERYTHING })
      const headers = { 'X-HTTP-Method-Override': override }
      const asked = { method: 'POST', path: '/tags', headers }
      expect((await ask(url, asked)).status).toBe(401)
      const known = { ...asked, headers: { ...headers, Authorization: `Bearer ${token}` } }
      expect((await ask(url, known)).headers).toHaveProperty('x-order')
    },
  )

  test.each([
    { line: 'GET /posts', text: /orderId/ },
    { line: 'HEAD /posts', text: /^$/ },
    { line: 'POST /tags', text: /orderId/ },
    { line: 'GET /blogs', text: /orderId/ },
    { line: 'HEAD /blogs/1', text: /^$/ },
    { line: 'GET /articles', text: /orderId/ },
    { line: 'GET /api/users.php', text: /orderId/ },
    { line: 'GET /docs', text: /orderId/ },
    { line: 'GET /openapi.json', text: /orderId/ },
  ])('$line needs no token, and gets its answer', async ({ line, text }) => {
    const { url } = await start({ ...OPTIONS, faults: EVERYTHING })
    const answer = await send(url, line)
    expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(text) })
    expect(answer.headers).toHaveProperty('x-order')
  })

  test('a refused token is 401 on an allowed path', async () => {
    const { url } = await start({ ...OPTIONS, faults: EVERYTHING })
    expect((await send(url, 'GET /posts', { token: 'none' })).status).toBe(401)
  })

  test('a file that anybody can read is answered for; a private one is not, and stays hidden', async () => {
    const folder = await newFolder()
    await mkdir(path.join(folder, 'app'))
    await writeFile(path.join(folder, 'config.json'), '{}')
    await writeFile(path.join(folder, '.env'), 'x')
    const { url } = await start({ faults: EVERYTHING, static: folder })
    expect(json(await send(url, 'GET /config.json'))).toEqual(BODY)
    for (const line of ['GET /.env', 'GET /none.json', 'GET /app', 'POST /config.json'])
      expect((await send(url, line)).status).toBe(401)
  })
})

test('--read-only refuses a change ahead of an answer, and lets a read have it', async () => {
  const { url, token } = await start({ faults: [{ path: '/checkout', status: 200 }], readOnly: true })
  expect((await send(url, 'POST /checkout', { token, body: {} })).status).toBe(403)
  expect((await send(url, 'GET /checkout', { token })).status).toBe(200)
})

test("the user's middlewares see the request ahead of an answer, and may respond", async () => {
  const { url, token } = await start({
    faults: [{ path: '/checkout', status: 201, times: 1 }],
    middlewares: [
      ({ body, auth }, response, next) => {
        if (body?.isOurs) response.json({ from: auth?.email })
        else next()
      },
    ],
  })
  const ours = await send(url, 'POST /checkout', { token, body: { isOurs: true } })
  expect(json(ours)).toEqual({ from: ADA.email })
  expect((await send(url, 'POST /checkout', { token, body: {} })).status).toBe(201)
  expect((await send(url, 'POST /checkout', { token, body: {} })).status).toBe(404)
})

test('a malformed body is 400, as elsewhere', async () => {
  const { url, token } = await start({ faults: [CHECKOUT] })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  expect((await ask(url, { method: 'POST', path: '/checkout', headers, body: '{' })).status).toBe(400)
})

test('times counts what acted: a request that is refused leaves its turn to the next', async () => {
  const { url, token } = await start()
  await setRules(url, token, [
    { path: '/checkout', status: 201, times: 2 },
    { path: '/checkout', status: 202 },
  ])
  const statuses = []
  for (const sent of [undefined, token, undefined, token, token, undefined])
    statuses.push((await send(url, 'GET /checkout', { sandbox: 'lab', ...(sent && { token: sent }) })).status)
  expect(statuses).toEqual([401, 201, 401, 201, 202, 401])
  expect(await acted(url, token)).toEqual([2, 1])
})

test('a request whose client has gone leaves its turn to the next, also where a middleware has waited', async () => {
  let proceed: (() => void) | undefined
  let closed: Promise<unknown> | undefined
  const { url, token } = await start({
    middlewares: [
      (request, response, next) => {
        if (request.query.waits === undefined) return next()
        closed = once(response, 'close')
        proceed = next
      },
    ],
  })
  await setRules(url, token, [{ path: '/checkout', status: 201, times: 1 }])
  const headers = { Authorization: `Bearer ${token}`, 'X-Sandbox': 'lab' }
  const gone = request(url, { path: '/checkout?waits', headers, agent: false }).on('error', () => {})
  gone.end()
  await until(() => proceed !== undefined)
  gone.destroy()
  await closed
  expect((await send(url, 'GET /checkout', { sandbox: 'lab', token })).status).toBe(201)
  proceed?.()
  expect(await acted(url, token)).toEqual([1])
})

test('times is exact, however many requests come at once', async () => {
  const { url, token } = await start({ faults: [{ path: '/checkout', status: 201, times: 7, delay: 5 }] })
  const all = await Promise.all(Array.from({ length: 20 }, () => send(url, 'GET /checkout', { token })))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(7)
  expect(all.filter(({ status }) => status === 404)).toHaveLength(13)
})

test('the first rule that matches is chosen once: the second does not act on what the first leaves to the check', async () => {
  const { url, token } = await start()
  await setRules(url, token, [
    { path: '/users', status: 200, body: [] },
    { path: '/users', status: 503 },
  ])
  expect((await send(url, 'GET /users', { sandbox: 'lab' })).status).toBe(401)
  expect((await send(url, 'GET /users', { sandbox: 'lab', token })).text).toBe('[]')
})

describe('a login', () => {
  const OPTIONS = { login: '/api/login', signUp: '/join', refresh: '/renew', logout: '/leave', me: '/api/me' }

  test.each([
    'POST /auth/login',
    'GET /auth/me',
    'POST /api/login',
    'POST /join',
    'POST /renew',
    'POST /leave',
    'GET /api/me',
  ])('%s takes no rule that answers, and one that fails', async (line) => {
    const [method, path] = line.split(' ')
    const { url, token } = await start(OPTIONS)
    const refused = await send(url, 'PUT /__sandbox/faults', {
      sandbox: 'lab',
      token,
      body: [{ method, path, status: 200 }],
    })
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(`"path\\" ${path}`) })
    expect(() => createApp({ data: {}, ...OPTIONS, faults: [{ path: String(path), status: 200 }] })).toThrow(
      path,
    )
    await setRules(url, token, [{ method, path, status: 503 }])
    expect((await send(url, line, { sandbox: 'lab', token, body: {} })).status).toBe(503)
  })

  test('responds itself below a pattern, and the next rule can make it fail', async () => {
    const { url, token } = await start({ ...OPTIONS, routes: { '/enter': '/api/login' } })
    await setRules(url, token, [
      { path: '/*', status: 204 },
      { path: '/auth/login', status: 503, times: 1 },
      { path: '/enter', status: 503, times: 1 },
    ])
    for (const line of ['POST /auth/login', 'POST /enter'])
      for (const status of [503, 200])
        expect(await send(url, line, { sandbox: 'lab', body: ADA })).toMatchObject({ status })
    expect((await send(url, 'POST /api/login', { sandbox: 'lab', body: ADA })).status).toBe(200)
    const eve = { email: 'eve@example.com', password: 'apple' }
    expect((await send(url, 'POST /join', { sandbox: 'lab', body: eve })).status).toBe(201)
    expect((await send(url, 'GET /api/me', { sandbox: 'lab', token })).status).toBe(200)
  })

  test.each([
    {
      what: 'a rewrite rule',
      line: 'POST /enter',
      headers: {},
      options: { routes: { '/enter': '/api/login' } },
    },
    {
      what: 'a method override',
      line: 'POST /session',
      headers: { 'X-HTTP-Method-Override': 'PUT' },
      options: { login: 'PUT /session' },
    },
  ])('that $what leads to responds itself', async ({ line, headers, options }) => {
    const { url } = await start({ ...OPTIONS, ...options, faults: [{ path: '/*', status: 204 }] })
    const [method, path = ''] = line.split(' ')
    const sent = { 'Content-Type': 'application/json', ...headers }
    const answer = await ask(url, { method: String(method), path, headers: sent, body: JSON.stringify(ADA) })
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('access_token') })
  })
})

test('the routes of the sandboxes are exempt', async () => {
  const { url, token } = await start()
  await setRules(url, token, [{ path: '/*', status: 200, body: BODY }])
  expect(json(await send(url, 'GET /__sandbox/requests', { sandbox: 'lab', token }))).toEqual([])
  expect((await send(url, 'POST /__sandbox/reset', { sandbox: 'lab', token })).status).toBe(204)
  expect((await send(url, 'GET /checkout', { sandbox: 'lab', token })).status).toBe(404)
})
