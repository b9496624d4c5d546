import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stagedWrite } from '../crash/staged-write'
import { ADA, sampleData, tempFolders } from '../support/data'
import { listenTo } from '../support/events'
import { authorized, logIn } from '../support/http'
import { killAll, Launched, type LaunchOptions } from '../support/process'

const newFolder = tempFolders()
afterEach(killAll)

async function newProject(data: unknown = sampleData()): Promise<string> {
  const folder = await newFolder()
  await writeFile(path.join(folder, 'db.json'), typeof data === 'string' ? data : JSON.stringify(data))
  return folder
}

async function saved(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(folder, 'db.json'), 'utf8'))
}

async function listen(options: LaunchOptions) {
  const server = await Launched.listening(options)
  const token = await logIn(server.url)
  const send = (method: string, target: string, body?: unknown) =>
    fetch(server.url + target, {
      method,
      headers: authorized(token),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { server, token, send }
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('finishes the requests under way, saves, and exits with 0', async () => {
    const folder = await newProject()
    const { server, send } = await listen({ folder })
    const reading = send('GET', '/posts/1?_delay=400')
    const writing = send('POST', '/posts?_delay=400', { title: 'Late' })
    await server.until(() => server.timers.filter((milliseconds) => milliseconds === 400).length === 2)
    server.kill(signal)
    expect((await reading).status).toBe(200)
    expect((await writing).status).toBe(201)
    expect(await server.exited).toBe(0)
    expect(await saved(folder)).toMatchObject({
      posts: expect.arrayContaining([{ id: 3, title: 'Late' }]),
    })
  })

  it('ends streams, which hold up nothing, and after a restart each begins anew', async () => {
    const folder = await newProject()
    const { server, token, send } = await listen({ folder, env: { JWT_SECRET: 'a secret of these tests' } })
    const listener = await listenTo(server.url, '/posts', authorized(token))
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
    expect(await listener.heard(2)).toEqual(['loaded', 'deleted 1'])
    server.kill(signal)
    await listener.ended
    expect(listener.isWhole()).toBe(true)
    expect(await server.exited).toBe(0)
    const again = await listen({ folder, env: { JWT_SECRET: 'a secret of these tests' } })
    const { events } = await listenTo(again.server.url, '/posts', authorized(token))
    expect(events).toMatchObject([{ name: 'loaded', data: [{ id: 2 }] }])
  })

  it('finishes a write under way, responds, and exits with 0', async () => {
    const ballast = Array.from({ length: 4000 }, (_item, id) => ({ id, text: 'x'.repeat(1000) }))
    const folder = await newProject({ ...sampleData(), ballast })
    const { server, send } = await listen({ folder })
    const writing = stagedWrite(folder)
    const answer = send('POST', '/tags', { id: 'late' })
    await writing
    server.kill(signal)
    expect((await answer).status).toBe(201)
    expect(await server.exited).toBe(0)
    expect(await readdir(folder)).toEqual(['db.json'])
  })

  it('sends a response to a slow reader to its last byte', async () => {
    const ballast = Array.from({ length: 15_000 }, (_item, id) => ({ id, text: 'x'.repeat(1000) }))
    const { server, token } = await listen({ folder: await newProject({ ...sampleData(), ballast }) })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /ballast HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await once(socket, 'readable')
    server.kill(signal)
    let length = 0
    for await (const chunk of socket) {
      length += chunk.length
      await nextTurn()
    }
    expect(length).toBeGreaterThan(15_000_000)
    expect(await server.exited).toBe(0)
  })

  it('does not wait for a connection that is kept alive', async () => {
    const server = await Launched.listening({ folder: await newProject() })
    const { hostname, port } = new URL(server.url)
    const idle = connect(Number(port), hostname)
    idle.write('GET /blogs/1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(idle, 'data')
    expect(await server.stop(signal)).toBe(0)
    idle.destroy()
  })
})

test('a second signal cuts no request under way off, as when a terminal sends it through npx as well', async () => {
  const { server, send } = await listen({ folder: await newProject() })
  const reading = send('GET', '/posts/1?_delay=1000')
  await server.until(() => server.timers.includes(1000))
  server.kill('SIGINT')
  server.kill('SIGTERM')
  expect((await reading).status).toBe(200)
  expect(await server.exited).toBe(0)
})

it('ends within five seconds under a request that takes longer, which is cut off', async () => {
  const { server, send } = await listen({ folder: await newProject() })
  const reading = expect(send('GET', '/posts/1?_delay=10000')).rejects.toThrow('fetch failed')
  await server.until(() => server.timers.includes(10_000))
  const before = server.timers.length
  expect(await server.stop()).toBe(0)
  await reading
  expect(server.timers.slice(before).filter((milliseconds) => milliseconds > 5000)).toEqual([])
})

describe('a start that cannot succeed', () => {
  it.each<[string, unknown, Omit<LaunchOptions, 'folder'>, RegExp]>([
    ['is truncated', '{"blogs": [{"id": 1', {}, /^Error: db\.json .* line 1, column \d+: .+\n$/],
    ['holds an array', '[]', {}, /^Error: db\.json .*array\.\n$/],
    ['holds a number', { blogs: 1 }, {}, /^Error: db\.json .*"blogs".+\n$/],
    ['is not there', {}, { args: ['other.json'] }, /^Error: other\.json .+\n$/],
    ['is fine, but the host is unknown', {}, { args: ['--host', '192.0.2.1'] }, /^Error: .*host.+\n$/],
  ])('exits with 1 and one sentence when the data file %s', async (_case, data, options, sentence) => {
    const folder = await newProject(data)
    const before = await readFile(path.join(folder, 'db.json'), 'utf8')
    const server = new Launched({ folder, ...options })
    expect(await server.exited).toBe(1)
    expect(server.output).toMatch(sentence)
    expect(await readFile(path.join(folder, 'db.json'), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['db.json'])
  })

  it('exits with 1 and one sentence when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('No TCP port.')
    const server = new Launched({
      folder: await newProject(),
      env: { PORT: String(address.port) },
    })
    expect(await server.exited).toBe(1)
    expect(server.output).toMatch(new RegExp(`^Error: .*${address.port} .* --port .*\\n$`))
    other.close()
  })
})

describe('what is printed', () => {
  it('never holds a password or a token', async () => {
    const folder = await newProject()
    const { server, send, token } = await listen({ folder })
    const answered = [
      await send('GET', `/users?password=${ADA.password}`),
      await send('GET', `/posts?access_token=${token}`),
      await send('POST', '/users', { id: 3, ...ADA, password: 'another-secret' }),
      await fetch(`${server.url}/auth/login?password=${ADA.password}`, { method: 'POST' }),
      await fetch(`${server.url}/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"password": "${ADA.password}`,
      }),
    ]
    expect(answered.map(({ status }) => status)).toEqual([200, 200, 201, 401, 400])
    await server.stop()
    expect(server.output).toContain('GET /users')
    for (const secret of [ADA.password, 'another-secret', token, 'long enough for HS256']) {
      expect(server.output).not.toContain(secret)
    }
  })
})

describe('a data file that is empty at the start', () => {
  it('has no collections, and is left alone', async () => {
    const folder = await newProject('')
    const server = await Launched.listening({ folder })
    expect((await fetch(`${server.url}/blogs`)).status).toBe(401)
    expect(await server.stop()).toBe(0)
    expect(await readFile(path.join(folder, 'db.json'), 'utf8')).toBe('')
  })
})

describe('a disk that is full', () => {
  it('fails the write that does not fit, keeps the file, and continues with what fits', async () => {
    const folder = await newProject()
    const { server, send } = await listen({ folder, fileSizeLimit: 40 })
    const tooLarge = await send('POST', '/tags', { id: 'large', text: 'x'.repeat(50_000) })
    expect(tooLarge.status).toBe(500)
    expect(await tooLarge.json()).toEqual({ error: expect.stringContaining('not made') })
    expect(await saved(folder)).toEqual(sampleData())
    expect((await send('GET', '/tags/large')).status).toBe(404)
    expect((await send('POST', '/tags', { id: 'small' })).status).toBe(201)
    expect(await readdir(folder)).toEqual(['db.json'])
    await server.stop()
    expect(await saved(folder)).toMatchObject({ tags: [{ id: 'a1b2', label: 'tea' }, { id: 'small' }] })
  })
})

it('leaves the working folder alone when the data file lies elsewhere', async () => {
  const folder = await newProject()
  await mkdir(path.join(folder, 'work'))
  const { server, send } = await listen({
    folder: path.join(folder, 'work'),
    args: ['../db.json', '--host', '127.0.0.1'],
  })
  expect((await send('POST', '/tags', { id: 'new' })).status).toBe(201)
  await server.stop()
  expect(await readdir(path.join(folder, 'work'))).toEqual([])
  expect(await saved(folder)).toMatchObject({ tags: [{ id: 'a1b2', label: 'tea' }, { id: 'new' }] })
})
