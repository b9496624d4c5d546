import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { makeFolder, sampleData } from '../support/data'
import { logIn } from '../support/http'
import { killAll, Launched } from '../support/process'

let server: Launched
let token: string

async function launch(): Promise<Launched> {
  const folder = await makeFolder()
  await writeFile(path.join(folder, 'db.json'), JSON.stringify(sampleData()))
  return Launched.listening({ folder, args: ['--docs', '--port', '0', '--host', '127.0.0.1'] })
}

beforeAll(async () => {
  server = await launch()
  token = await logIn(server.url)
})
afterAll(killAll)

const PATHS = ['/', '/blogs', '/blogs/1', '/users?_delay=20', '/auth/login', '/api/users.php', '/docs', '*']

function requestText(method: string, target: string, headers: readonly string[]): string {
  const body = '{"email": "ada@example.com", "password": "lovelace"}'
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers]
  return [...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n')
}

/** How a client disconnects: in an orderly way or by a reset, at once or when the response begins. */
const ENDS = ['close', 'reset', 'reset at the response'] as const

async function goAway(text: string, end: (typeof ENDS)[number]): Promise<void> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  if (end === 'reset at the response') {
    // An incomplete request gets no response.
    socket.end()
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
  if (end === 'close') socket.destroy()
  else socket.resetAndDestroy()
  if (!socket.closed) await once(socket, 'close')
}

// Those that Node treats alike, the next test takes at random.
it.each(['GET', 'POST', 'CONNECT'])(
  'survives a client of %s that disconnects at any byte',
  async (method) => {
    const text = requestText(method, method === 'CONNECT' ? 'a:80' : '/blogs', [
      'Upgrade: h2c',
      'Connection: Upgrade',
    ])
    for (let length = 0; length <= text.length; length += 1) {
      await goAway(text.slice(0, length), 'reset')
      if (length % 50 === 0) expect((await fetch(`${server.url}/blogs/1`)).status).toBe(200)
    }
  },
)

it('survives clients that disconnect in any way', async () => {
  const request = fc
    .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...PATHS))
    .map(([method, target]) => requestText(method, target, [`Authorization: Bearer ${token}`]))
  const client = fc.tuple(request, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...ENDS))
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 20 }), async (clients) => {
      await Promise.all(
        clients.map(([text, part, end]) => goAway(text.slice(0, Math.ceil(part * text.length)), end)),
      )
      // The list as it was loaded: a client may have removed any blog before it disconnected.
      expect((await fetch(`${server.url}/blogs`)).status).toBe(200)
    }),
    { numRuns: 100 },
  )
})

it('stops in time, whatever connections are still open', async () => {
  const stopped = await launch()
  const { hostname, port } = new URL(stopped.url)
  for (const text of ['', 'GET /blogs', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 'garbage\r\n\r\n']) {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
  }
  expect(await stopped.stop()).toBe(0)
})
