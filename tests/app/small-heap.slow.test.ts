import { once } from 'node:events'
import { connect } from 'node:net'
import { ADA, newFolder } from '../support/data'
import { ask, authorized, json, logIn } from '../support/http'
import { killAll, Launched, PROGRAMS } from '../support/process'

afterEach(killAll)

const start = (folder: string, ...flags: string[]) =>
  Launched.listening({
    program: ['--max-old-space-size=128', ...PROGRAMS.ours],
    folder,
    args: ['--quiet', ...flags],
  })

/** Posts a body until the response is not 201; gives its status, and how many were stored. */
async function fill(url: string, headers: Record<string, string>, bodies: readonly string[]) {
  let stored = 0
  for (let count = 0; count < 200; count += 1) {
    const body = bodies[count % bodies.length]
    const answer = await ask(url, { method: 'POST', path: '/blogs', headers, body }).catch(() => undefined)
    if (answer?.status !== 201) return { status: answer?.status, stored }
    stored += 1
  }
  return { status: 201, stored }
}

test('a server takes honest records until its memory is nearly full, and again when some are deleted', async () => {
  const folder = await newFolder({ 'db.json': JSON.stringify({ users: [{ id: 1, ...ADA }], blogs: [] }) })
  const first = await start(folder)
  const headers = { ...authorized(await logIn(first.url)), 'Content-Type': 'application/json' }
  const { status, stored } = await fill(first.url, headers, [
    JSON.stringify({ image: 'a'.repeat(3_000_000) }),
  ])
  expect(status).toBe(503)
  expect(stored).toBeGreaterThan(1)
  // What a query has looked at must not stay in memory when it is deleted.
  expect((await ask(first.url, { path: '/blogs?image_like=b$', headers })).status).toBe(200)
  expect((await ask(first.url, { path: '/blogs/?image_like=b$', headers })).status).toBe(200)
  for (let id = 1; id <= stored / 2; id += 1)
    expect((await ask(first.url, { method: 'DELETE', path: `/blogs/${id}`, headers })).status).toBe(200)
  // Each waits for a file of half of the memory that may be used.
  const small = 50
  for (let count = 0; count < small; count += 1) {
    const answer = await ask(first.url, {
      method: 'POST',
      path: '/blogs',
      headers,
      body: '{"title":"Small"}',
    })
    expect(answer).toMatchObject({ status: 201 })
  }
  await first.stop('SIGKILL')

  const second = await start(folder)
  const list = json(await ask(second.url, { path: '/blogs' }))
  expect(list).toHaveProperty('blogs.length', small + Math.ceil(stored / 2))
})

test('records that nearly fill the memory can be read, also with a character that takes two bytes', async () => {
  const folder = await newFolder({ 'db.json': JSON.stringify({ users: [{ id: 1, ...ADA }], blogs: [] }) })
  const server = await start(folder)
  const headers = { ...authorized(await logIn(server.url)), 'Content-Type': 'application/json' }
  const { status } = await fill(server.url, headers, [
    JSON.stringify({ title: '\u2192', text: 'a'.repeat(3_000_000) }),
  ])
  expect(status).toBe(503)
  for (const target of [
    '/blogs/',
    '/db',
    '/blogs/?_sort=title',
    '/blogs/?callback=show',
    '/blogs/?title_like=b',
  ])
    expect((await ask(server.url, { path: target, headers })).status).toBe(200)
})

test.each(['/blogs/1', '/blogs/', '/db'])(
  'a hundred clients that ask for %s with a record of 4 MB, and do not read it, do not end the process',
  async (target) => {
    const blogs = [{ id: 1, text: 'a'.repeat(4_000_000) }]
    const folder = await newFolder({ 'db.json': JSON.stringify({ users: [{ id: 1, ...ADA }], blogs }) })
    const server = await start(folder)
    const headers = authorized(await logIn(server.url))
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.Authorization}\r\n\r\n`
    const { port } = new URL(server.url)
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').pause())
    for (const socket of sockets) socket.write(head)
    // Each client has been answered when its first bytes are there to be read.
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    expect((await ask(server.url, { path: '/users', headers })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  },
)

test.each([
  // The response waits for its client, so that nothing reads the body.
  ['GET /blogs/1', 4_000_000],
  // The body waits for the rest of it.
  ['POST /blogs', 1],
])(
  'a hundred clients that send %s a body in chunks of one byte, and read nothing, do not end the process',
  async (line, length) => {
    const blogs = [{ id: 1, text: 'a'.repeat(length) }]
    const folder = await newFolder({ 'db.json': JSON.stringify({ users: [{ id: 1, ...ADA }], blogs }) })
    const server = await start(folder, '--allow', 'POST /blogs')
    const head =
      `${line} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const body = '1\r\n \r\n'.repeat(60_000)
    const { port } = new URL(server.url)
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').pause())
    for (const socket of sockets) socket.on('error', () => {})
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.write(head + body)
    // What a client that connects later is answered comes behind what all the others have sent.
    for (let count = 0; count < 3; count += 1)
      expect((await ask(server.url, { path: '/api/users.php?id=1' })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    expect((await ask(server.url, { path: '/blogs' })).status).toBe(200)
  },
)

test('JSON that is made to fill the memory costs nothing that was acknowledged', async () => {
  const folder = await newFolder({ 'db.json': JSON.stringify({ users: [{ id: 1, ...ADA }], blogs: [] }) })
  const first = await start(folder)
  const headers = { ...authorized(await logIn(first.url)), 'Content-Type': 'application/json' }
  const honest = await fill(first.url, headers, ['{"title":"Honest"}'])
  expect(honest).toEqual({ status: 201, stored: 200 })
  const fields = Array.from({ length: 600_000 }, (_, index) => `"${index * 1_000_003}":1`)
  const hostile = [`{"a":[${'{},'.repeat(3_000_000)}{}]}`, `{${fields.join()}}`]
  const { stored } = await fill(first.url, headers, hostile)
  await first.stop('SIGKILL')

  const second = await start(folder)
  const blogs = (await ask(second.url, { path: '/blogs' })).text.match(/"title": "Honest"/g)
  expect(blogs).toHaveLength(200)
  expect(stored).toBeLessThan(200)
  const change = { method: 'PATCH', path: '/blogs/1', headers, body: '{"title":"Changed"}' }
  expect([200, 503]).toContain((await ask(second.url, change)).status)
})
