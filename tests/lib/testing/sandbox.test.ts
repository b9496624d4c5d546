import { openSandbox, type Sandbox } from '../../../lib/testing'
import { createApp } from '../../../server'
import { ADA, sampleData } from '../../support/data'
import { serve, type TestServer } from '../../support/http'

let server: TestServer
beforeAll(async () => {
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
})
afterAll(() => server.close())

const open = (name: string) => openSandbox({ url: server.url, name, user: ADA })

test('a sandbox is reset, fails, lists its requests, and is forgotten', async () => {
  const sandbox = await open('one')
  const ask = async (path: string) => {
    const response = await fetch(server.url + path, { headers: sandbox.headers })
    return { status: response.status, body: await response.text() }
  }
  expect(sandbox.headers).toEqual({ 'X-Sandbox': 'one', Authorization: `Bearer ${sandbox.token}` })
  expect(await sandbox.requests()).toEqual([])
  await sandbox.reset({ tags: [] })
  expect(await ask('/tags')).toEqual({ status: 200, body: '[]' })
  await sandbox.fail([{ path: '/tags', status: 503 }])
  expect((await ask('/tags')).status).toBe(503)
  expect(await sandbox.requests({ path: '/:any', method: 'GET' })).toMatchObject([
    { status: 200 },
    { status: 503 },
  ])
  await sandbox.reset()
  expect((await ask('/tags')).body).toContain('a1b2')
  await sandbox.forget()
  // It starts again with the loaded data.
  expect(await sandbox.requests()).toEqual([])
})

test('a sandbox of the same name is replaced, whatever was left in it', async () => {
  const left = await open('left')
  await left.reset({ users: [] })
  await left.fail([{ path: '/*', drop: true }])
  const opened = await open('left')
  expect((await fetch(`${server.url}/users`, { headers: opened.headers })).status).toBe(200)
})

test('a sandbox without a name or an address, an option that is unknown or of another kind, and a filter that does not exist, are refused', async () => {
  // A test in JavaScript has no compiler that misses the name.
  const options = JSON.parse(JSON.stringify({ url: server.url, user: ADA }))
  await expect(openSandbox(options)).rejects.toThrow(TypeError)
  for (const url of ['', 'localhost:33000'])
    await expect(openSandbox({ ...options, url, name: 'x' })).rejects.toThrow(TypeError)
  for (const wrong of [{ users: ADA }, { user: ADA.email }, { token: 5 }])
    await expect(openSandbox({ ...options, name: 'x', ...wrong })).rejects.toThrow(TypeError)
  const nothing = JSON.parse('null')
  await expect(openSandbox(nothing)).rejects.toThrow('an object with url')
  const sandbox = await open('filtered')
  const typo = JSON.parse('{"mthod": "GET"}')
  await expect(sandbox.requests(typo)).rejects.toThrow('did you mean "method"?')
  const answer = await fetch(`${server.url}/__sandbox/requests?metod=GET`, { headers: sandbox.headers })
  expect(answer.status).toBe(400)
})

test('where all is allowed, a sandbox opens without a user', async () => {
  const open = await serve(createApp({ data: sampleData(), allow: 'all', sandboxes: true, log: false }))
  const sandbox = await openSandbox({ url: open.url, name: 'anybody' })
  await sandbox.reset({ tags: [] })
  expect(await (await fetch(`${open.url}/tags`, { headers: sandbox.headers })).json()).toEqual([])
  expect(await (await fetch(`${open.url}/tags`)).json()).not.toEqual([])
  await sandbox.forget()
  await open.close()
})

test.each<[string, (sandbox: Sandbox) => Promise<void>]>([
  ['an hour later', (sandbox) => sandbox.advance('61m')],
  ['after all sessions have ended', (sandbox) => sandbox.endSessions()],
])(
  '%s, a login renews the token and the headers, also where they were taken out before',
  async (_when, end) => {
    const sandbox = await open('late')
    const { headers, token } = sandbox
    const status = async () => (await fetch(`${server.url}/users`, { headers })).status
    expect(await status()).toBe(200)
    await end(sandbox)
    expect(await status()).toBe(401)
    await sandbox.logIn()
    expect(await status()).toBe(200)
    expect(sandbox.token).not.toBe(token)
    expect(sandbox.headers).toEqual({ 'X-Sandbox': 'late', Authorization: `Bearer ${sandbox.token}` })
    expect(await sandbox.requests({ method: 'GET' })).toHaveLength(3)
  },
)

describe('each failure is a sentence', () => {
  test.each([
    {
      how: 'the login',
      options: { user: { ...ADA, password: 'wrong' } },
      says: 'ada@example.com',
    },
    {
      how: 'a path in the URL that leads to no login',
      options: { url: 'URL/api' },
      says: 'URL',
    },
    {
      how: 'no user, where a token is needed',
      options: { user: undefined },
      says: 'user',
    },
    { how: 'the name', options: { name: 'a b' }, says: 'X-Sandbox' },
    {
      how: 'an unreachable mock',
      options: { url: 'http://127.0.0.1:1' },
      says: 'bad port',
    },
  ])('$how', async ({ options, says }) => {
    const asked = { url: server.url, name: 'failing', user: ADA, ...options }
    const opened = openSandbox({ ...asked, url: asked.url.replace('URL', server.url) })
    await expect(opened).rejects.toThrow(says)
  })

  test('a mock that resets its connections', async () => {
    const other = await serve(({ socket }) => socket.resetAndDestroy())
    const opened = openSandbox({ url: other.url, name: 'one', user: ADA })
    await expect(opened).rejects.toThrow(/\([A-Z_]+\)/)
    await other.close()
  })

  test('a login again without a user', async () => {
    const { name, token } = await open('given')
    const sandbox = await openSandbox({ url: server.url, name, token })
    await expect(sandbox.logIn()).rejects.toThrow('user')
  })

  test('rules and collections that cannot be used', async () => {
    const sandbox = await open('wrong')
    await expect(sandbox.fail([{ path: '/blogs' }])).rejects.toThrow('"status"')
    await expect(sandbox.reset({ blogs: 5 })).rejects.toThrow('"blogs"')
  })

  test('a mock without sandboxes, and a server that is not a mock', async () => {
    const plain = await serve(createApp({ data: sampleData(), log: false }))
    const opened = openSandbox({ url: plain.url, name: 'one', user: ADA })
    await expect(opened).rejects.toThrow('--sandboxes')
    await plain.close()
    const other = await serve((_request, response) => response.end('hello'))
    await expect(openSandbox({ url: other.url, name: 'one', user: ADA })).rejects.toThrow('another server')
    await other.close()
  })

  test.each(['hello', '{}', '[{}]'])('a server that is not a mock lists %s', async (text) => {
    const other = await serve((_request, response) => response.end(text))
    const sandbox = await openSandbox({ url: other.url, name: 'one', token: 'text' })
    await expect(sandbox.faults()).rejects.toThrow('/faults')
    await expect(sandbox.requests()).rejects.toThrow('/requests')
    await other.close()
  })
})
