import { utimesSync } from 'node:fs'
import path from 'node:path'
import { ADA, newFolder } from '../support/data'
import { ask, authorized, logIn } from '../support/http'
import { killAll, Launched, PROGRAMS } from '../support/process'

afterEach(killAll)

/** JSON of this many bytes, nested 98 deep: with its indentation, a hundred times as long. */
const nested = (bytes: number) => `{"a":${'['.repeat(97)}${'0,'.repeat(bytes / 2)}0${']'.repeat(97)}}`
const flat = (item: string, bytes: number) =>
  `{"a":[${`${item},`.repeat(bytes / (Buffer.byteLength(item) + 1))}${item}]}`
const start = (folder: string) =>
  Launched.listening({
    program: ['--max-old-space-size=192', ...PROGRAMS.ours],
    folder,
    args: ['--quiet', '--sandboxes'],
  })

// With most of the records that there is room for at the start, few are left that are saved with all others.
test.each<[title: string, atStart: number, ...bodies: string[]]>([
  ['nested deep', 4, nested(200_000)],
  ['that take many times their length', 12, flat('{}', 400_000), flat('{}', 40_000)],
  ['of long texts', 40, `{"a":"${'a'.repeat(2_000_000)}"}`],
])(
  'a server with a heap of 192 MB takes records %s until it is full, and starts again',
  async (_title, atStart, ...bodies) => {
    const blogs = Array.from({ length: atStart }, (_, index) => ({
      id: index + 1,
      ...JSON.parse(bodies[0] ?? ''),
    }))
    const folder = await newFolder({
      'db.json': JSON.stringify({ users: [{ id: 1, ...ADA, name: '日本' }], blogs }),
    })
    const first = await start(folder)
    const headers = { ...authorized(await logIn(first.url)), 'Content-Type': 'application/json' }
    const post = (body: string) => ask(first.url, { method: 'POST', path: '/blogs', headers, body })
    for (const body of bodies) {
      let status = 201
      for (let count = 0; status === 201 && count < 100; count += 1) ({ status } = await post(body))
      expect(status).toBe(503)
    }
    expect((await ask(first.url, { method: 'DELETE', path: '/blogs/1', headers })).status).toBe(200)
    expect((await post('{}')).status).toBe(201)
    await first.stop('SIGKILL')

    const second = await start(folder)
    // As an editor that saves the same text: it needs no room for the data twice.
    utimesSync(path.join(folder, 'db.json'), new Date(), new Date())
    const change = { method: 'PATCH', path: '/users/1', headers, body: '{"name":"Ada"}' }
    expect((await ask(second.url, change)).status).toBe(200)
    expect((await ask(second.url, { path: '/blogs' })).status).toBe(200)
  },
)
