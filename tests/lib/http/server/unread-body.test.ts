import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'
import { type Listening, listen } from '../../../../lib/http/server/listen'

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
  beforeEach(() => {
    // However slow the machine is, the second in which the server waits for a body passes when a test says so.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] })
  })

  it('is read to its end, and the connection stays', async () => {
    const socket = await connected(refuse, protocol)
    for (let round = 0; round < 3; round += 1) {
      socket.write(post('Content-Length: 1000000'))
      expect(await response(socket)).toContain('Connection: keep-alive')
      socket.write('x'.repeat(1_000_000))
    }
    for (const milliseconds of [0, 1000]) {
      jest.advanceTimersByTime(milliseconds)
      socket.write(post('Content-Length: 0'))
      await response(socket)
    }
    socket.destroy()
  })

  it('ends the connection with the response where it does not say how long it is', async () => {
    const socket = await connected(refuse, protocol)
    socket.write(post('Transfer-Encoding: chunked'))
    expect(await response(socket)).toContain('Connection: close')
    if (!socket.closed) await once(socket, 'close')
  })

  it.each(['Content-Length: 65537', 'Transfer-Encoding: chunked'])(
    'ends the connection where its end does not come within a second: %s',
    async (header) => {
      const socket = await connected(refuse, protocol)
      // The client may have bytes on their way.
      socket.on('error', () => {})
      socket.write(post(header))
      await response(socket)
      jest.advanceTimersByTime(1000)
      if (!socket.closed) await once(socket, 'close')
    },
  )

  it.each([
    ['keep-alive', 'at once', refuse],
    ['keep-alive', 'while it arrives', refuseLater],
    ['close', 'at once', refuse],
    ['close', 'while it arrives', refuseLater],
  ])(
    'costs a client that reads nothing before it has sent all no response: Connection: %s, refused %s',
    async (connection, _when, handler) => {
      const socket = await connected(handler, protocol)
      socket.pause()
      const size = 20_000_000
      socket.write(post(`Content-Length: ${size}\r\nConnection: ${connection}`))
      await new Promise<void>((resolve, reject) => {
        socket.write(Buffer.alloc(size), (error) => (error ? reject(error) : resolve()))
      })
      socket.resume()
      expect(await response(socket)).toContain('401 Unauthorized')
      socket.destroy()
    },
  )
})

test('the connection stays where a body was read that does not say how long it is', async () => {
  const socket = await connected((request, response) => {
    request.resume().once('end', () => response.end('read'))
  })
  socket.write(`${post('Transfer-Encoding: chunked')}2\r\nab\r\n0\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toContain('Connection: keep-alive')
  socket.destroy()
})
