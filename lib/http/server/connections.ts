import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { endConnection } from './end-connection'

/** How much later than its connection a request may arrive, in milliseconds. */
const GRACE = 20

/** How many requests of a connection may wait for their responses before no more are read from it. */
const MOST_WAITING = 100

interface Connection {
  /** The responses that are not complete yet. */
  readonly responses: Set<ServerResponse>
  /** The bytes received when the last response ended: if there are more, another request has begun. */
  bytesAtRest: number
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  #closing = false

  constructor(private readonly server: Server) {
    // Over TLS, each connection has two sockets: requests arrive on the one from `secureConnection`.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => this.#add(socket))
    }
    for (const event of ['request', 'checkExpectation']) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) =>
        this.#addResponse(request.socket, response),
      )
    }
    // `close` calls this. Node's own version cuts off a response whose last bytes are still in Node's buffer.
    server.closeIdleConnections = () => this.#destroyIdle()
  }

  /**
   * Accepts the requests that have already reached the machine, but no later ones, and waits until the last
   * byte of each response is sent.
   *
   * @param patience milliseconds after which the connections that are still open are cut off
   */
  async close(patience: number): Promise<void> {
    this.#closing = true
    for (const { responses } of this.#open.values()) responses.forEach(announceEnd)
    const end = performance.now() + patience
    // The server closes even if it cannot connect to itself.
    await this.#acceptQueue(AbortSignal.timeout(patience / 2)).catch(() => {})
    const cutOff = setTimeout(() => this.#destroyAll(), end - performance.now())
    await new Promise((resolve) => this.server.close(resolve))
    clearTimeout(cutOff)
  }

  /**
   * Resolves when all requests that had reached the machine are accepted and read: closing the listening
   * socket resets the connections in its queue, of which each tick accepts only one. Our own connection, last
   * in the queue, shows when it is empty. Of 2,000 requests on 100 connections each, opened just before the
   * end, all get their response; without this, none did.
   */
  async #acceptQueue(signal: AbortSignal): Promise<void> {
    const address = this.server.address()
    if (address === null || typeof address === 'string') return
    const host = ['0.0.0.0', '::'].includes(address.address) ? 'localhost' : address.address
    const last = connect({ port: address.port, host, signal })
    last.on('error', () => {})
    await once(last, 'connect', { signal })
    const isAccepted = () => [...this.#open.keys()].some(({ remotePort }) => remotePort === last.localPort)
    while (!isAccepted()) await once(this.server, 'connection', { signal })
    last.destroy()
    await sleep(GRACE)
    // On a busy machine the time may be up before the event loop has read any socket.
    await nextTick()
  }

  #add(socket: Socket): void {
    const responses = new Set<ServerResponse>()
    this.#open.set(socket, { responses, bytesAtRest: 0 })
    socket.once('close', () => this.#open.delete(socket))
    // Node has no listener on a socket that it has handed over (`connect`), and an error without a listener
    // ends the process.
    socket.on('error', () => {})
    // Node continues reading after each request.
    socket.on('resume', () => {
      if (responses.size >= MOST_WAITING) socket.pause()
    })
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.responses.add(response)
    if (connection.responses.size === MOST_WAITING) socket.pause()
    if (this.#closing) announceEnd(response)
    // A handler has written after the end. Without a listener, that would end the process.
    response.on('error', console.error)
    response.once('close', () => {
      connection.responses.delete(response)
      if (connection.responses.size === MOST_WAITING - 1) socket.resume()
      connection.bytesAtRest = socket.bytesRead
      if (this.#closing && connection.responses.size === 0) endConnection(socket)
    })
  }

  #destroyIdle(): void {
    for (const [socket, { responses, bytesAtRest }] of this.#open) {
      if (responses.size === 0 && socket.bytesRead === bytesAtRest) socket.destroy()
    }
  }

  #destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }
}

/** The client must not send another request on this connection. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
