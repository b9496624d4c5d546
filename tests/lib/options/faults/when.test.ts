import type { RequestHandler } from 'express'
import type { FaultRule } from '../../../../lib/options/faults/fault-rule'
import { agrees } from '../../../../lib/options/faults/when'
import { type AppOptions, createApp } from '../../../../server'
import { ADA, sampleData } from '../../../support/data'
import { ask, json, logIn, send, serve, type TestServer, until } from '../../../support/http'

const servers: TestServer[] = []
afterEach(async () => {
  for (const running of servers.splice(0)) await running.close()
})

async function start(faults: readonly FaultRule[], options: Partial<AppOptions> = {}) {
  const server = await serve(createApp({ data: sampleData(), faults, log: false, ...options }))
  servers.push(server)
  const token = await logIn(server.url)
  return {
    url: server.url,
    token,
    status: async (line: string, body?: unknown) => (await send(server.url, line, { token, body })).status,
  }
}

test.each([
  [1, '1', true],
  ['1', 1, true],
  [true, 'true', true],
  [1, '2', false],
  ['a', undefined, false],
  ['a', null, false],
  ['[object Object]', {}, false],
  [null, undefined, true],
  [null, null, true],
  [null, 'null', false],
  [[1, 2], ['1', '2'], true],
  [[1], '1', true],
  [[1, 2], ['1'], false],
  [[1, 2], ['2', '1'], false],
  [1, ['1'], false],
  [{ a: { b: 1 } }, { a: { b: '1', c: 2 }, d: 3 }, true],
  [{ a: { b: 1 } }, { a: { b: 2 } }, false],
  [{ a: { b: null } }, {}, true],
  [{ a: { b: 1 } }, { a: 'text' }, false],
  [{ constructor: null }, {}, true],
  [[{ a: 1 }], [{ a: 1, b: 2 }], true],
])('%j with %j: %j', (expected, sent, result) => {
  expect(agrees(expected, sent)).toBe(result)
})

test('a query, headers and a body: all of it must be in the request', async () => {
  const when = { query: { page: 2, tag: ['a', 'b'] }, headers: { 'X-Version': 2 }, body: { card: '0000' } }
  const { url, token } = await start([{ path: '/pay', status: 402, when }])
  const pay = async (path: string, version: string, card: string) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'x-version': version,
      'Content-Type': 'application/json',
    }
    return (await ask(url, { method: 'POST', path, headers, body: JSON.stringify({ card, n: 1 }) })).status
  }
  expect(await pay('/pay?page=2&tag=a&tag=b&x=1', '2', '0000')).toBe(402)
  expect(await pay('/pay?page=3&tag=a&tag=b', '2', '0000')).toBe(404)
  expect(await pay('/pay?page=2&tag=a', '2', '0000')).toBe(404)
  expect(await pay('/pay?page=2&tag=a&tag=b', '1', '0000')).toBe(404)
  expect(await pay('/pay?page=2&tag=a&tag=b', '2', '1111')).toBe(404)
})

test('one that does not agree counts nothing, and the next rule is asked', async () => {
  const { status } = await start([
    { path: '/pay', status: 402, times: 1, when: { body: { card: '0000' } } },
    { path: '/pay', status: 201, when: { body: { card: '1111' } } },
    { path: '/pay', status: 400 },
  ])
  expect(await status('POST /pay', { card: '1111' })).toBe(201)
  expect(await status('POST /pay', { card: '0000' })).toBe(402)
  expect(await status('POST /pay', { card: '0000' })).toBe(400)
  expect(await status('POST /pay', {})).toBe(400)
  expect(await status('POST /pay')).toBe(400)
})

test('one that does not agree draws nothing', async () => {
  const storm: FaultRule = {
    path: '/tags',
    status: 503,
    probability: 0.5,
    seed: 7,
    when: { query: { a: 1 } },
  }
  const seen = async (paths: readonly string[]) => {
    const { status } = await start([storm])
    const statuses = []
    for (const path of paths) statuses.push(await status(`GET ${path}`))
    return statuses
  }
  const ten = Array.from({ length: 10 }, () => '/tags?a=1')
  const others = ten.flatMap((path) => ['/tags?a=2', path])
  expect((await seen(others)).filter((_status, index) => index % 2 === 1)).toEqual(await seen(ten))
})

describe('a rule that looks at the body', () => {
  const when = { body: { card: '0000' } }
  const body = { card: '0000' }

  test('opens nothing that needs a token', async () => {
    const { url } = await start([{ path: '/pay', status: 200, body: { secret: 1 }, when }])
    const answer = await send(url, 'POST /pay', { body })
    expect([answer.status, answer.text]).toEqual([401, '"Unauthorized"'])
  })

  test('a rule without it stays where it is', async () => {
    const { url } = await start([
      { path: '/tags', status: 503 },
      { path: '/pay', status: 402, when },
    ])
    expect((await send(url, 'POST /tags', { body })).status).toBe(503)
    // A request without a body has none that agrees.
    expect((await send(url, 'GET /tags')).status).toBe(503)
  })

  test('of a login is asked after the login has read it', async () => {
    const { url } = await start([{ path: '/auth/login', status: 423, when: { body: { email: 'locked' } } }])
    const status = async (body: object) => (await send(url, 'POST /auth/login', { body })).status
    expect(await status({ email: 'locked', password: 'x' })).toBe(423)
    expect(await status(ADA)).toBe(200)
    expect(await status({ ...ADA, password: 'x' })).toBe(401)
  })

  test('of a sign-up is asked after that has read it', async () => {
    const options = { login: ['/login'], signUp: ['/register'] }
    const rule = { path: '/register', status: 409, when: { body: { email: 'taken@example.com' } } }
    const { url } = await start([rule], options)
    const status = async (email: string) =>
      (await send(url, 'POST /register', { body: { email, password: 'x' } })).status
    expect(await status('taken@example.com')).toBe(409)
    expect(await status('new@example.com')).toBe(201)
  })

  test('of a search is asked before the body becomes a query', async () => {
    const { status } = await start([{ path: '/search', status: 402, when }], {
      routes: { 'POST /search': 'GET /tags' },
    })
    expect(await status('POST /search', body)).toBe(402)
    expect(await status('POST /search', { card: '1' })).toBe(200)
  })

  test('a form is compared as JSON', async () => {
    const { url, token } = await start([{ path: '/pay', status: 402, when: { body: { n: 1 } } }])
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await ask(url, { method: 'POST', path: '/pay', headers, body: 'n=1' })).status).toBe(402)
  })

  test('an answer comes after the middlewares of the user, and a failure before', async () => {
    const seen: string[] = []
    const middleware: RequestHandler = ({ path }, _response, next) => {
      seen.push(path)
      next()
    }
    const rules = [
      { path: '/pay', status: 201, when },
      { path: '/fail', status: 500, when },
    ]
    const { status } = await start(rules, { middlewares: [middleware] })
    expect([await status('POST /pay', body), await status('POST /fail', body)]).toEqual([201, 500])
    expect(seen).toEqual(['/pay'])
  })

  test('acts in a sandbox, whose journal names the rule', async () => {
    const { url, token } = await start([], { sandboxes: true })
    const sandbox = { sandbox: 'lab', token }
    const rules = [
      { path: '/x', status: 500 },
      { path: '/pay', status: 402, when },
    ]
    await send(url, 'PUT /__sandbox/faults', { ...sandbox, body: rules })
    expect((await send(url, 'POST /pay', { ...sandbox, body })).status).toBe(402)
    expect((await send(url, 'POST /pay', { ...sandbox, body: {} })).status).toBe(404)
    const journal = json(await send(url, 'GET /__sandbox/requests', sandbox))
    expect(journal).toEqual([
      expect.objectContaining({ path: '/pay', status: 402, faultRule: 2 }),
      expect.not.objectContaining({ faultRule: expect.anything() }),
    ])
    expect(json(await send(url, 'GET /__sandbox/faults', sandbox))).toMatchObject([
      { acted: 0 },
      { acted: 1 },
    ])
  })

  test('the log names it by its place', async () => {
    const lines: string[] = []
    const print = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text))
      return true
    })
    const { status } = await start(
      [
        { path: '/x', drop: true },
        { path: '/pay', status: 402, when },
      ],
      { log: true },
    )
    await status('POST /pay', body)
    await until(() => lines.join('').includes('/pay'))
    print.mockRestore()
    expect(lines.join('')).toMatch(/POST \/pay 402 .*\(fault rule 2\)/)
  })
})

test('"repeat" on the last rule of a path begins its list again', async () => {
  const { url, status, token } = await start([
    { path: '/jobs/1', status: 202, times: 2 },
    { path: '/other', status: 418, times: 1 },
    { path: '/jobs/1', status: 200, times: 1, repeat: true },
  ])
  const seen = []
  for (let count = 0; count < 7; count += 1) seen.push(await status('GET /jobs/1'))
  expect(seen).toEqual([202, 202, 200, 202, 202, 200, 202])
  expect([await status('GET /other'), await status('GET /other')]).toEqual([418, 404])
  const all = await Promise.all(
    Array.from({ length: 8 }, () => send(url, 'GET /jobs/1', { token }).then((answer) => answer.status)),
  )
  expect(all.filter((one) => one === 200)).toHaveLength(3)
})

test.each([
  [{ 'Content-Type': 'text/plain' }, 'Hello'],
  [{ 'content-type': 'text/html; charset=utf-8' }, '<p>Hello</p>'],
])('a text is sent as it is where headers name a type that is not JSON: %j', async (headers, body) => {
  for (const status of [200, 500]) {
    const { url, token } = await start([{ path: '/page', status, headers, body }])
    const answer = await send(url, 'GET /page', { token })
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      status,
      body,
      Object.values(headers)[0],
    ])
  }
})

test.each<Record<string, string>>([{}, { 'Content-Type': 'application/problem+json' }])(
  'any other is JSON: %j',
  async (headers) => {
    const { url, token } = await start([{ path: '/page', status: 200, headers, body: 'Hello' }])
    expect((await send(url, 'GET /page', { token })).text).toBe('"Hello"')
  },
)
