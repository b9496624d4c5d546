import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { EventStream } from '../../../../lib/http/event-stream'
import { type Listening, listen } from '../../../../lib/http/server/listen'

const HOST = '127.0.0.1'
/** Longer than jest lets any test take: a close that takes this long has kept something open. */
const PATIENCE = 3_600_000
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const SIZE = 15_000_000
/** A certificate for this machine alone, and its key. */
const CERTIFICATE = readFileSync(path.join(__dirname, '../../../support/localhost.pem'))

const open: Listening[] = []
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close(0)
})

async function start(handler: RequestListener, protocol = 'http'): Promise<Listening> {
  const tls = protocol === 'https' && { tls: { cert: CERTIFICATE, key: CERTIFICATE } }
  const listening = await listen(handler, { port: 0, host: HOST, ...tls })
  open.push(listening)
  return listening
}

const respond: RequestListener = (_request, response) => {
  response.end('done')
}

/** Connects, sends these bytes and waits for the first that come back. */
async function exchange(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, HOST)
  socket.write(bytes)
  await once(socket, 'data')
  return socket
}

/** Everything that comes until the connection is closed. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

describe.each(['http', 'https'])('a server that is closed (%s)', (protocol) => {
  async function connected(handler: RequestListener): Promise<{ listening: Listening; socket: Socket }> {
    const listening = await start(handler, protocol)
    const { port } = listening
    const socket =
      protocol === 'https' ? connectTls({ port, host: HOST, rejectUnauthorized: false }) : connect(port, HOST)
    await once(socket, protocol === 'https' ? 'secureConnect' : 'connect')
    return { listening, socket }
  }

  it('sends a response to a slow reader to its last byte', async () => {
    const { listening, socket } = await connected((_request, response) => {
      response.end(Buffer.alloc(SIZE))
    })
    socket.write(GET)
    await once(socket, 'readable')
    const closed = listening.close(PATIENCE)
    let length = 0
    for await (const chunk of socket) {
      length += chunk.length
      await nextTurn()
    }
    expect(length).toBeGreaterThan(SIZE)
    await closed
  })

  it('does not wait for a connection that is kept alive, or on which nothing was sent', async () => {
    const { listening, socket } = await connected(respond)
    socket.write(GET)
    await once(socket, 'data')
    const silent = connect(listening.port, HOST)
    await once(silent, 'connect')
    await Promise.all([once(socket, 'close'), once(silent, 'close'), listening.close(PATIENCE)])
  })
})

describe('a request on a connection that is kept', () => {
  it.each([0, 100])('gets its response, even if nothing reads it for %d ms', async (busy) => {
    const listening = await start(respond)
    const kept = await Promise.all(Array.from({ length: 20 }, () => exchange(listening.port, GET)))
    for (const socket of kept) socket.write(GET)
    // The kernel takes the bytes during this tick; the server has seen none of them.
    const closed = listening.close(PATIENCE)
    const end = performance.now() + busy
    while (performance.now() < end);
    const texts = await Promise.all(kept.map(received))
    expect(texts.filter((text) => !text.includes('done'))).toEqual([])
    await closed
  })

  it('is told that the connection ends, while the stop waits for another response', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let waiting: ServerResponse | undefined
    const listening = await start((request, response) => {
      if (request.url === '/waits') {
        waiting = response
        arrived()
      } else response.end('done')
    })
    const kept = await exchange(listening.port, GET)
    const other = connect(listening.port, HOST)
    other.write(GET.replace('/', '/waits'))
    await arrival
    const closed = listening.close(PATIENCE)
    let text = ''
    while (!/^Connection: close\r$/m.test(text)) {
      kept.write(GET)
      text = String((await once(kept, 'data'))[0])
    }
    waiting?.end('done')
    await closed
  })
})

describe('a request for a tunnel', () => {
  it.each(['http', 'https'])(
    'does not end the process when the client resets the connection (%s)',
    async (protocol) => {
      const isSecure = protocol === 'https'
      const { port } = await start(respond, protocol)
      for (let round = 0; round < 20; round += 1) {
        const tcp = connect(port, HOST)
        const socket = isSecure ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp
        await once(socket, isSecure ? 'secureConnect' : 'connect')
        // TLS may still write when the connection under it is gone.
        socket.on('error', () => {})
        socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
        tcp.resetAndDestroy()
        await once(tcp, 'close')
      }
    },
  )
})

describe('a connection with a request that waits', () => {
  /** A server where `/wait` gets no response until the test sends it. */
  async function startWaiting() {
    const waiting: ServerResponse[] = []
    const { port } = await start((request, response) => {
      if (request.url === '/wait') waiting.push(response)
      else response.end(`done ${request.method}`)
    })
    const socket = connect(port, HOST)
    socket.on('error', () => {})
    const held = async (count: number) => {
      while (waiting.length < count) await nextTurn()
      return waiting
    }
    return { port, socket, held }
  }
  const wait = GET.replace('/', '/wait')

  it.each([
    ['requests', wait.repeat(200)],
    ['expectations', GET.replace('\r\n\r\n', '\r\nExpect: a miracle\r\n\r\n').repeat(200)],
  ])('is closed when its client goes, whatever follows: %s', async (_case, more) => {
    const { socket, held } = await startWaiting()
    socket.write(wait)
    const [first] = await held(1)
    socket.write(more)
    socket.end()
    if (first?.closed === false) await once(first, 'close')
  })

  it('gets the responses to all requests that are sent together, however many', async () => {
    const { socket, held } = await startWaiting()
    const answered = received(socket)
    socket.write(wait.repeat(300) + GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    for (let count = 1; count <= 300; count += 1) (await held(count)).at(-1)?.end('waited')
    const text = await answered
    expect(text.split('waited')).toHaveLength(301)
    expect(text).toMatch(/done GET$/)
  })

  const CONNECT = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'

  it('gets no second response when the rest of its body is no HTTP', async () => {
    const { port } = await start((_request, response) => {
      response.write('begun')
    })
    const socket = connect(port, HOST)
    const answered = received(socket)
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    await once(socket, 'data')
    socket.write('x\r\n')
    expect((await answered).match(/HTTP\/1.1 \d+|begun/g)).toEqual(['HTTP/1.1 200', 'begun'])
  })

  it.each([
    ['a request for a tunnel', CONNECT],
    ['no HTTP', 'garbage\r\n\r\n'],
  ])(
    'is ended by what is to be refused, and no response takes the place of another: %s',
    async (_case, bytes) => {
      const { socket } = await startWaiting()
      socket.write(wait + bytes)
      expect(await received(socket)).toBe('')
    },
  )
})

test('a handler may send back a body while it still arrives', async () => {
  const { port } = await start((request, response) => {
    request.pipe(response)
  })
  const body = Buffer.alloc(SIZE / 5)
  const response = await fetch(`http://${HOST}:${port}/`, { method: 'POST', body })
  expect((await response.arrayBuffer()).byteLength).toBe(body.length)
})

test('a handler that writes after the end of its response does not end the process: the error is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation()
  const { port } = await start((_request, response) => {
    response.end('done')
    response.write('more')
  })
  for (let round = 0; round < 2; round += 1)
    expect(await (await fetch(`http://${HOST}:${port}/`)).text()).toBe('done')
  expect(printed).toHaveBeenCalledWith(expect.objectContaining({ code: 'ERR_STREAM_WRITE_AFTER_END' }))
  printed.mockRestore()
})

test('a stream that begins while the server is being closed ends at once', async () => {
  const held: (() => void)[] = []
  const listening = await start((request, response) => {
    held.push(() => new EventStream(response, Buffer.from(request.url ?? ''), () => true))
  })
  const socket = connect(listening.port, HOST)
  socket.write(GET)
  while (held.length === 0) await nextTurn()
  const closed = listening.close(PATIENCE)
  const text = received(socket)
  for (const begin of held) begin()
  await closed
  expect(await text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})
