import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, createServer, Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Listening, listen } from '../../../../lib/http/server/listen'
import { refused } from '../../../support/http'

const HOST = '127.0.0.1'
const open: Listening[] = []
afterEach(async () => {
  jest.restoreAllMocks()
  for (const listening of open.splice(0)) await listening.close(0)
})

async function start(handler: RequestListener, host = HOST, port = 0): Promise<Listening> {
  const listening = await listen(handler, { port, host })
  open.push(listening)
  return listening
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No TCP port.')
  return address.port
}

/** A handler that responds when the test says so. */
function controlled() {
  let answer: () => void = () => {}
  let announce: () => void = () => {}
  const arrived = new Promise<void>((resolve) => {
    announce = resolve
  })
  const handler: RequestListener = (_request, response) => {
    answer = () => response.end('done')
    announce()
  }
  return { handler, arrived, answer: () => answer() }
}

const answerAtOnce: RequestListener = (_request, response) => {
  response.end('done')
}

async function keptAlive(port: number): Promise<Socket> {
  const socket = connect(port, HOST)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  return socket
}

describe('listen', () => {
  it('goes on, with a warning, when a connection cannot be accepted', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation()
    const listening = jest.spyOn(Server.prototype, 'listen')
    const { port } = await start(answerAtOnce)
    const [server] = listening.mock.contexts
    // The system gives such an error only when the whole machine is short of descriptors or of memory.
    if (server instanceof Server) server.emit('error', Object.assign(new Error(), { code: 'ENFILE' }))
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('(ENFILE)'))
    expect((await fetch(`http://${HOST}:${port}/`)).status).toBe(200)
  })

  it('finds a free port and returns it', async () => {
    const { port } = await start(answerAtOnce)
    expect(port).toBeGreaterThan(0)
    expect(await (await fetch(`http://${HOST}:${port}/`)).text()).toBe('done')
  })

  it('keeps an unused connection for longer than a test waits', async () => {
    const { port } = await start(answerAtOnce)
    const { headers } = await fetch(`http://${HOST}:${port}/`)
    expect(Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThanOrEqual(60)
  })

  it('binds localhost on both addresses that the machine has, on one port', async () => {
    const { port } = await start(answerAtOnce, 'localhost')
    const loopback = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ address }) => address === '127.0.0.1' || address === '::1')
    for (const { address, family } of loopback) {
      const host = family === 'IPv6' ? `[${address}]` : address
      expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('done')
    }
    expect(loopback).not.toEqual([])
  })

  it.each([HOST, 'localhost'])(
    'fails on %s when the port is taken, and holds on to nothing',
    async (host) => {
      const other = createServer().listen(0, HOST)
      await once(other, 'listening')
      const port = portOf(other)
      const bind = jest.spyOn(Server.prototype, 'listen')
      await expect(start(answerAtOnce, host, port)).rejects.toMatchObject({ code: 'EADDRINUSE', port })
      expect(bind.mock.contexts.map(({ listening }) => listening)).toEqual([false])
      other.close()
    },
  )

  it('lets go of 127.0.0.1 when the port is always taken on ::1', async () => {
    const bindReally = Server.prototype.listen
    const bind = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: Server,
      ...options
    ) {
      if (bind.mock.calls.length % 2 === 1) return Reflect.apply(bindReally, this, options)
      setImmediate(() => this.emit('error', Object.assign(new Error('taken'), { code: 'EADDRINUSE' })))
      return this
    })
    await expect(start(answerAtOnce, 'localhost')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const stillBound = bind.mock.contexts.filter(({ listening }) => listening)
    for (const server of stillBound) server.close()
    expect(stillBound).toHaveLength(0)
  })

  it('takes another free port when the first that it finds is taken on ::1', async () => {
    const other = createServer().on('error', () => {})
    jest.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server, ...options) {
      this.once('listening', () => other.listen(portOf(this), '::1'))
      return this.listen(...options)
    })
    try {
      expect((await start(answerAtOnce, 'localhost')).port).toBeGreaterThan(0)
    } finally {
      other.close()
    }
  })

  it('fails for an address of another machine', async () => {
    await expect(start(answerAtOnce, '192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })
})

describe('close', () => {
  it('finishes the requests under way, and accepts no more', async () => {
    const { handler, arrived, answer } = controlled()
    const { port, close } = await start(handler)
    const underWay = fetch(`http://${HOST}:${port}/`).then((response) => response.text())
    await arrived
    const closed = close(20_000)
    await refused(port)
    answer()
    expect(await underWay).toBe('done')
    await closed
  })

  it('cuts off the requests under way when the time is up', async () => {
    const { handler, arrived } = controlled()
    const listening = await start(handler)
    const underWay = fetch(`http://${HOST}:${listening.port}/`)
    const failure = expect(underWay).rejects.toThrow('fetch failed')
    await arrived
    await listening.close(0)
    await failure
  })

  it('does not wait for connections that are kept alive', async () => {
    const listening = await start(answerAtOnce)
    const socket = await keptAlive(listening.port)
    const ended = once(socket, 'close')
    await listening.close(25_000)
    await ended
  })

  it('closes a connection once the request on it has ended', async () => {
    const { handler, arrived, answer } = controlled()
    const listening = await start(handler)
    const connected = keptAlive(listening.port)
    await arrived
    const closed = listening.close(25_000)
    answer()
    await connected
    await closed
  })

  it('can be called twice', async () => {
    const listening = await start(answerAtOnce)
    await Promise.all([listening.close(0), listening.close(0)])
    await listening.close(0)
  })
})
