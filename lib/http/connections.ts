import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { endConnection } from './end-connection'

/** So many rounds of so many milliseconds must bring nothing new before the server stops listening. */
const QUIET_ROUNDS = 5
const ROUND = 20

/** Milliseconds after which it stops listening all the same: new clients may never cease to come. */
const LONGEST_ARRIVAL = 2000

interface Connection {
  /** The responses under way on it. */
  readonly responses: Set<ServerResponse>
  /** How many bytes had been received when the last response ended; a request has begun when there are more. */
  bytesAtRest: number
}

/** The open connections of a server, each of which may fail at any moment without harm to the others. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  #closing = false
  /** Grows with every connection and every request. */
  #arrivals = 0

  constructor(private readonly server: Server) {
    // Over TLS there are two sockets: the one below belongs to no request, and its bytes are the handshake's first.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => this.#add(socket))
    }
    for (const event of ['request', 'checkExpectation']) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) =>
        this.#addResponse(request.socket, response),
      )
    }
    // Node's own, which `close` calls, cuts off a response as soon as its last byte is in Node's buffer.
    server.closeIdleConnections = () => this.#destroyIdle()
  }

  /**
   * Stops accepting, and lets what is under way end: requests that have reached the machine, and responses until their
   * last byte is sent.
   *
   * @param patience milliseconds after which whatever is still open is cut off
   */
  async close(patience: number): Promise<void> {
    this.#closing = true
    for (const { responses } of this.#open.values()) responses.forEach(announceEnd)
    const end = performance.now() + patience
    await this.#quiet(Math.min(patience / 2, LONGEST_ARRIVAL))
    const cutOff = setTimeout(() => this.#destroyAll(), end - performance.now())
    await new Promise((resolve) => this.server.close(resolve))
    clearTimeout(cutOff)
  }

  /**
   * Resolves when everything that had reached the machine is accepted and read: closing the listening socket resets the
   * connections in its queue, of which a turn of the event loop accepts only one.
   *
   * @param limit milliseconds to wait at most
   */
  async #quiet(limit: number): Promise<void> {
    const end = performance.now() + limit
    for (let quiet = 0; quiet < QUIET_ROUNDS && performance.now() < end; ) {
      const before = this.#arrivals
      await sleep(ROUND)
      // On a busy machine the time may be over before the event loop has looked at any socket.
      await nextTurn()
      quiet = this.#arrivals === before ? quiet + 1 : 0
    }
  }

  #add(socket: Socket): void {
    this.#arrivals += 1
    this.#open.set(socket, { responses: new Set(), bytesAtRest: 0 })
    socket.once('close', () => this.#open.delete(socket))
    // Node hands sockets over (`connect`) without a listener of its own, and an error that nobody hears ends the process.
    socket.on('error', () => {})
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    this.#arrivals += 1
    connection.responses.add(response)
    if (this.#closing) announceEnd(response)
    response.once('close', () => {
      connection.responses.delete(response)
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
