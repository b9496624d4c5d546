import { connect } from 'node:net'
import { Contexts } from '../../../../lib/auth/contexts'
import type { CurrentFaults } from '../../../../lib/options/faults/fault-rule'
import { makeFaultSteps } from '../../../../lib/options/faults/fault-steps'
import { createApp } from '../../../../server'
import { ADA, sampleData } from '../../../support/data'
import { ask, json, logInTo, send, serve, serveHandlers, type TestServer } from '../../../support/http'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  token = await logInTo(server.url)
})
afterEach(() => server.close())

async function setFaults(rules: unknown): Promise<void> {
  const answer = await send(server.url, 'PUT /__sandbox/faults', { sandbox: 'lab', token, body: rules })
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
}

async function statusOf(line: string, sender: { sandbox?: string; token?: string } = { sandbox: 'lab' }) {
  return (await send(server.url, line, { ...sender, body: line.includes('login') ? ADA : undefined })).status
}

const EVERYTHING = [
  { line: 'POST /auth/login', usual: 200 },
  { line: 'GET /blogs', usual: 200 },
  { line: 'GET /blogs/1', usual: 200 },
  { line: 'HEAD /blog/1', usual: 200 },
  { line: 'GET /api/users.php?id=1', usual: 200 },
  { line: 'GET /users', usual: 401 },
  { line: 'GET /nothing', usual: 401 },
]

test.each(EVERYTHING)(
  'a fault acts on $line; another sandbox and the main data notice nothing',
  async ({ line, usual }) => {
    await setFaults([{ path: '/*', status: 503 }])
    expect(await statusOf(line)).toBe(503)
    expect(await statusOf(line, { sandbox: 'lab', token })).toBe(503)
    expect(await statusOf(line, { sandbox: 'other' })).toBe(usual)
    expect(await statusOf(line, {})).toBe(usual)
  },
)

test('a fault never acts on the routes that remove it', async () => {
  await setFaults([{ path: '/*', drop: true }])
  await setFaults([])
  expect(await statusOf('GET /blogs')).toBe(200)
  await setFaults([{ path: '/*', drop: true }])
  expect(await statusOf('POST /__sandbox/reset', { sandbox: 'lab', token })).toBe(204)
  expect(await statusOf('GET /blogs')).toBe(200)
})

test('it acts on a request that names the sandbox by its token alone', async () => {
  const own = await logInTo(server.url, 'lab')
  await setFaults([{ path: '/users', status: 500 }])
  expect(await statusOf('GET /users', { token: own })).toBe(500)
})

test('times: 1 on the login -> 503 and then 200', async () => {
  await setFaults([{ method: 'POST', path: '/auth/login', status: 503, times: 1 }])
  expect([await statusOf('POST /auth/login'), await statusOf('POST /auth/login')]).toEqual([503, 200])
})

test('times are counted exactly, however many requests come at once', async () => {
  await setFaults([{ path: '/users', status: 500, times: 7 }])
  const all = await Promise.all(
    Array.from({ length: 20 }, () => statusOf('GET /users', { sandbox: 'lab', token })),
  )
  expect(all.filter((status) => status === 500)).toHaveLength(7)
  expect(all.filter((status) => status === 200)).toHaveLength(13)
})

test('the first rule that matches acts; when its times are used up, the next one', async () => {
  await setFaults([
    { path: '/blogs', status: 500, times: 1 },
    { path: '/blogs', status: 502, times: 1 },
    { path: '/:any', status: 504 },
  ])
  const seen = []
  for (let count = 0; count < 4; count += 1) seen.push(await statusOf('GET /blogs'))
  expect(seen).toEqual([500, 502, 504, 504])
})

test('new rules replace the old ones', async () => {
  await setFaults([{ path: '/blogs', status: 500 }])
  await setFaults([{ path: '/users', status: 500 }])
  expect(await statusOf('GET /blogs')).toBe(200)
})

test('status, body and headers are sent as given, with the name of the sandbox', async () => {
  const body = { code: 'E42', nested: [null, 'ä'] }
  await setFaults([{ path: '/blogs', status: 429, body, headers: { 'retry-after': 3, 'X-Why': 'because' } }])
  const answer = await send(server.url, 'GET /blogs', { sandbox: 'lab' })
  expect(answer.status).toBe(429)
  expect(json(answer)).toEqual(body)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(answer.bytes.length),
    'retry-after': '3',
    'x-why': 'because',
    'x-sandbox': 'lab',
    'cache-control': 'no-store',
  })
})

test.each([
  { body: null, text: 'null' },
  { body: 'Unauthorized', text: '"Unauthorized"' },
  { body: false, text: 'false' },
  { body: [], text: '[]' },
  { body: undefined, text: expect.stringMatching(/^\{\n {2}"error": ".*rule.*"\n\}$/) },
])('the body $body', async ({ body, text }) => {
  await setFaults([{ path: '/users', status: 401, body }])
  expect((await send(server.url, 'GET /users', { sandbox: 'lab' })).text).toEqual(text)
})

test('a page of another origin can read a fault', async () => {
  await setFaults([{ path: '/blogs', status: 500 }])
  const headers = { 'X-Sandbox': 'lab', Origin: 'https://app.example' }
  const answer = await ask(server.url, { path: '/blogs', headers })
  expect(answer.headers['access-control-allow-origin']).toBe('https://app.example')
})

test('a preflight never fails: it gets its response before any sandbox can act', async () => {
  await setFaults([{ path: '/*', status: 500 }])
  const headers = {
    'X-Sandbox': 'lab',
    Origin: 'https://app.example',
    'Access-Control-Request-Method': 'POST',
  }
  expect((await ask(server.url, { method: 'OPTIONS', path: '/blogs', headers })).status).toBe(204)
})

test.each([{ status: 500 }, { drop: true }, { status: 500, delay: 1 }, { drop: true, delay: 1 }])(
  'a request that fails by %j has changed nothing',
  async (fault) => {
    await setFaults([{ path: '/*', times: 3, ...fault }])
    for (const line of ['POST /tags', 'DELETE /tags/a1b2', 'PUT /blogs/1'])
      await send(server.url, line, { sandbox: 'lab', token, body: { title: 'changed' } }).catch(() => {})
    expect(json(await send(server.url, 'GET /db', { sandbox: 'lab', token }))).toEqual(sampleData())
  },
)

test.each([{}, { delay: 1 }])('a dropped connection is closed without a byte %j', async (fault) => {
  await setFaults([{ path: '/blogs', drop: true, ...fault }])
  const received = await new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write('GET /blogs HTTP/1.1\r\nHost: localhost\r\nX-Sandbox: lab\r\n\r\n')
  })
  expect(received).toHaveLength(0)
})

test('a delayed request waits as long as the rule says, and then does what it should', async () => {
  await setFaults([{ method: 'POST', path: '/tags', delay: 50, times: 1 }])
  const timers = jest.spyOn(globalThis, 'setTimeout')
  const delayed = await send(server.url, 'POST /tags', { sandbox: 'lab', token, body: { id: 'late' } })
  expect(timers).toHaveBeenCalledWith(expect.any(Function), 50)
  timers.mockRestore()
  expect(delayed.status).toBe(201)
  expect(await statusOf('GET /tags/late', { sandbox: 'lab', token })).toBe(200)
})

test('a delayed request delays neither other requests nor the end of the server', async () => {
  await setFaults([{ path: '/blogs', delay: 60_000 }])
  const cut = send(server.url, 'GET /blogs', { sandbox: 'lab' }).then(
    () => 'answered',
    () => 'cut off',
  )
  expect(await statusOf('GET /tags', { sandbox: 'lab', token })).toBe(200)
  expect(await statusOf('GET /blogs', { sandbox: 'other' })).toBe(200)
  expect(await statusOf('GET /blogs', {})).toBe(200)
  await server.close()
  expect(await cut).toBe('cut off')
  server = await serve(createApp({ data: sampleData(), log: false }))
})

test('a delayed request whose client has gone away is not handled', async () => {
  const handled: string[] = []
  const own = await serveHandlers(
    ({ path, socket }, _response, next) => {
      if (path === '/gone') socket.destroy()
      next()
    },
    makeFaultSteps({
      contexts: new Contexts(),
      rewrittenLine: ({ method, path }) => ({ method, path }),
      isAccount: () => false,
      builtInRoutes: [],
    }).chooseForMain([{ path: '/*', delay: 20 }]),
    ({ path }, response) => {
      handled.push(path)
      response.end()
    },
  )
  await ask(own.url, { path: '/gone' }).catch(() => {})
  // The other would have had its turn before this one, which waits as long.
  await ask(own.url, { path: '/here' })
  expect(handled).toEqual(['/here'])
  await own.close()
})

test('a request that is delayed while its sandbox is forgotten reaches neither the main data nor a new sandbox', async () => {
  const own = await logInTo(server.url, 'lab')
  await setFaults([{ path: '/tags', delay: 100, times: 2 }])
  const late = [
    send(server.url, 'POST /tags', { token: own, body: { id: 'late' } }),
    send(server.url, 'POST /tags', { sandbox: 'lab', token, body: { id: 'later' } }),
  ]
  await statusOf('GET /blogs')
  await send(server.url, 'DELETE /__sandbox', { token: own })
  await Promise.all(late)
  for (const sandbox of [undefined, 'lab'])
    expect(JSON.parse((await send(server.url, 'GET /tags', { sandbox, token })).text)).toHaveLength(1)
})

test.each([
  { rule: { path: '/blogs/:id', status: 500 }, line: 'GET /blogs/1?x=/y', acts: true },
  { rule: { path: '/blogs/1', status: 500 }, line: 'GET /blogs/%31', acts: false },
  { rule: { path: '/blogs/%31', status: 500 }, line: 'GET /blogs/%31', acts: true },
  { rule: { path: '/(a+)+$', status: 500 }, line: `GET /${'a'.repeat(5000)}`, acts: false },
  { rule: { method: 'GET', path: '/blogs', status: 500 }, line: 'HEAD /blogs', acts: false },
  { rule: { method: 'POST', path: '/blogs', status: 500 }, line: 'GET /blogs', acts: false },
  { rule: { method: 'PATCH', path: '/blogs/:id', status: 500 }, line: 'PATCH /blogs/1', acts: true },
])('$rule on $line: $acts', async ({ rule, line, acts }) => {
  await setFaults([rule])
  expect((await statusOf(line)) === 500).toBe(acts)
})

describe('rules for the main data', () => {
  async function restart(faults: CurrentFaults, sandboxes = true): Promise<void> {
    await server.close()
    server = await serve(createApp({ data: sampleData(), faults, sandboxes, log: false }))
  }

  test.each([true, false])(
    'act on all requests, and on none that names a sandbox; sandboxes: %s',
    async (on) => {
      await restart([{ path: '/*', status: 503 }], on)
      for (const { line } of EVERYTHING) expect(await statusOf(line, {})).toBe(503)
      expect(await statusOf('GET /blogs')).toBe(on ? 200 : 503)
      expect(await statusOf('POST /auth/login')).toBe(on ? 200 : 503)
    },
  )

  test('changed rules restart their counts', async () => {
    const rule = { path: '/blogs', status: 500, times: 1 }
    let rules = [rule]
    await restart(() => rules)
    const both = async () => [await statusOf('GET /blogs', {}), await statusOf('GET /blogs', {})]
    expect(await both()).toEqual([500, 200])
    rules = [rule]
    expect(await both()).toEqual([500, 200])
  })

  test('a rule that cannot be used makes the start fail, as any other option', () => {
    const start = () => createApp({ data: {}, faults: [{ path: 'blogs', status: 500 }] })
    expect(start).toThrow(TypeError)
    expect(start).toThrow('"path"')
  })

  test('a rule that cannot be used any more is a failure of the server, not of the request', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation()
    let rules = [{ path: '/blogs', status: 503 }]
    await restart(() => rules)
    rules = [{ path: 'blogs', status: 503 }]
    expect(await statusOf('GET /blogs', {})).toBe(500)
    expect(printed).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringMatching(/^Rule 1 /) }),
    )
    printed.mockRestore()
  })
})

test('a rule matches the path as it was sent, and as the rewrite rules make it', async () => {
  for (const path of ['/api/posts', '/posts']) {
    const app = createApp({
      data: sampleData(),
      routes: { '/api/*': '/$1' },
      faults: [{ path, status: 503 }],
      sandboxes: true,
      log: false,
    })
    const rewriting = await serve(app)
    expect((await send(rewriting.url, 'GET /api/posts')).status).toBe(503)
    const inSandbox = { sandbox: 'lab', token: await logInTo(rewriting.url, 'lab') }
    await send(rewriting.url, 'PUT /__sandbox/faults', { ...inSandbox, body: [{ path, status: 500 }] })
    expect((await send(rewriting.url, 'GET /api/posts', inSandbox)).status).toBe(500)
    expect((await send(rewriting.url, 'GET /api/users', inSandbox)).status).toBe(200)
    await rewriting.close()
  }
})

test('GET /__sandbox/faults lists the rules with the number of requests on which each has acted', async () => {
  const sender = { sandbox: 'lab', token }
  const list = async () => json(await send(server.url, 'GET /__sandbox/faults', sender))
  const [first, second] = [
    { path: '/posts', status: 503, times: 1 },
    { path: '/*', delay: 1 },
  ]
  await send(server.url, 'DELETE /__sandbox', sender)
  expect(await list()).toEqual([])
  await send(server.url, 'PUT /__sandbox/faults', { ...sender, body: [first, second] })
  for (let count = 0; count < 3; count += 1) await send(server.url, 'GET /posts', sender)
  expect(await list()).toEqual([
    { ...first, acted: 1 },
    { ...second, acted: 2 },
  ])
})
