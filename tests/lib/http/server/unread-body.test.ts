import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'
import { type Listening, listen } from '../../../../lib/http/server/listen'
import { ask, serve } from '../../../support/http'

const HOST = '127.0.0.1'
/** A certificate for this machine alone, and its key. */
const CERTIFICATE = readFileSync(path.join(__dirname, '../../../support/localhost.pem'))

const open: Listening[] = []
afterEach(async () => {
  jest.useRealTimers()
  for (const listening of open.splice(0)) await listening.close(0)
})

/** Connects to a server with this handler. */
async function connected(handler: RequestListener, protocol = 'http'): Promise<Socket> {
  const tls = protocol === 'https' && { tls: { cert: CERTIFICATE, key: CERTIFICATE } }
  const listening = await listen(handler, { port: 0, host: HOST, ...tls })
  open.push(listening)
  const { port } = listening
  const socket = tls ? connectTls({ port, host: HOST, rejectUnauthorized: false }) : connect(port, HOST)
  await once(socket, tls ? 'secureConnect' : 'connect')
  return socket
}

const refuse: RequestListener = (_request, response) => {
  response.statusCode = 401
  response.end('refused')
}

/** Refuses when the part of the body that is read ahead has arrived, and Node has paused the connection. */
const refuseLater: RequestListener = async (request, response) => {
  while (!request.socket.isPaused()) await new Promise(setImmediate)
  refuse(request, response)
}

const post = (header: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`

/** The text of a response, of which the body is `refused`. */
async function response(socket: Socket): Promise<string> {
  let text = ''
  while (!text.includes('refused')) text += String((await once(socket, 'data'))[0])
  return text
}

describe.each(['http', 'https'])('a refused body (%s)', (protocol) => {
  it('is read to its end where it says that it is short, and the connection stays', async () => {
    const socket = await connected(refuse, protocol)
    for (let round = 0; round < 3; round += 1) {
      socket.write(post('Content-Length: 65536'))
      expect(await response(socket)).toContain('Connection: keep-alive')
      socket.write('x'.repeat(65_536))
    }
    socket.destroy()
  })

  it.each([
    ['is long', 'Content-Length: 65537'],
    ['does not say its length', 'Transfer-Encoding: chunked'],
  ])('ends the connection where it %s', async (_case, header) => {
    const socket = await connected(refuse, protocol)
    socket.write(post(header))
    expect(await response(socket)).toContain('Connection: close')
    await once(socket, 'close')
  })

  it.each([
    ['at once', refuse],
    ['while it arrives', refuseLater],
  ])(
    'costs a client that reads nothing before it has sent all no response: refused %s',
    async (_when, handler) => {
      // However slow the machine is, the second in which the server waits for the client does not pass.
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] })
      const socket = await connected(handler, protocol)
      socket.pause()
      const size = 20_000_000
      socket.write(post(`Content-Length: ${size}`))
      await new Promise((resolve) => socket.write(Buffer.alloc(size), resolve))
      socket.resume()
      expect(await response(socket)).toContain('401 Unauthorized')
    },
  )
})

test('a refused body is not parsed behind its response', async () => {
  let chunks = 0
  const socket = await connected((request, answer) => {
    request.on('data', () => {
      chunks += 1
    })
    refuse(request, answer)
  })
  const ended = once(socket, 'close')
  socket.write(post('Transfer-Encoding: chunked'))
  await response(socket)
  socket.write('1\r\nx\r\n'.repeat(10_000))
  await ended
  expect(chunks).toBe(0)
})

test('a body that has arrived before its response does not end the connection, however long it is', async () => {
  const server = await serve((request, answer) => {
    request.resume().once('end', () => answer.end('received'))
  })
  for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
    const answer = await ask(server.url, { method: 'POST', path: '/', headers, body: 'x'.repeat(3_000_000) })
    expect(answer.headers.connection).toBe('keep-alive')
  }
  await server.close()
})
