import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { tempFolders } from '../support/data'
import { ask, askJson } from '../support/http'
import { testOfLinux } from '../support/platform'
import { killAll, Launched, PROGRAMS } from '../support/process'

const MEGABYTE = 1024 * 1024
const newFolder = tempFolders()
afterEach(killAll)

/** Bytes of memory that a process has. */
async function memoryOf({ pid }: Launched): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Opens streams of which nothing is read after their first bytes. */
function listenWithoutReading(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write('GET /blogs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }),
  )
}

testOfLinux(
  'a hundred connections that read nothing of a public list of 10 MB add less than 60 MB, and six events less than 50',
  async () => {
    const folder = await newFolder()
    const blogs = Array.from({ length: 1000 }, (_item, id) => ({ id, title: 'x'.repeat(10_000) }))
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ blogs, users: [] }))
    const server = await Launched.listening({
      folder,
      program: ['--max-old-space-size=256', ...PROGRAMS.ours],
      args: ['--port', '0', '--host', '127.0.0.1', '--allow', 'all', '--quiet'],
    })
    /** Six changes, which are six events of 900 kB. */
    const change = async (letter: string) => {
      const headers = { 'Content-Type': 'application/json' }
      const body = { title: letter.repeat(900_000) }
      for (let id = 0; id < 6; id += 1)
        expect(
          (await askJson(server.url, { method: 'PATCH', path: `/blogs/${id}`, headers, body })).status,
        ).toBe(200)
    }
    // What a change takes by itself, it takes without streams as well.
    await change('x')
    const [first] = await listenWithoutReading(server.url, 1)
    const before = await memoryOf(server)
    const sockets = await listenWithoutReading(server.url, 99)
    const listening = await memoryOf(server)
    expect(listening - before).toBeLessThan(60 * MEGABYTE)
    await change('y')
    expect((await memoryOf(server)) - listening).toBeLessThan(50 * MEGABYTE)
    expect((await ask(server.url, { path: '/blogs/1' })).status).toBe(200)
    for (const socket of [first, ...sockets]) socket?.destroy()
  },
)
