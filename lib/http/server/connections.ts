import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How many connections wait to be accepted at most: Node's default. */
const QUEUE_LENGTH = 511

/** How much later than its connection a request may arrive, in milliseconds. */
const GRACE = 20

/** How many requests of a connection may wait for their responses: one that sends more is ended. */
const MOST_WAITING = 1000

/** Milliseconds that a client gets to read the last bytes and to close its side. */
const LINGER = 1000

interface Connection {
  readonly socket: Socket
  /** The responses that are not complete yet. */
  readonly responses: Set<ServerResponse>
  /** The bytes received when the last response ended: if there are more, another request has begun. */
  bytesAtRest: number
  /** The response to bytes that are not HTTP: the last one of this connection. */
  refusal?: string
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>()
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
   * Ends a connection on which something else than a request has arrived, as soon as the complete requests
   * before that have their responses.
   *
   * @param response a whole HTTP response
   */
  refuse(socket: Duplex, response: string): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) {
      socket.destroy()
      return
    }
    if (connection.refusal !== undefined) return
    connection.refusal = response
    // Nobody needs the rest, but its end shows that the client has gone. Node itself has no listeners left on
    // a socket that it has handed over (`connect`).
    socket.once('end', () => socket.destroy())
    socket.on('drain', () => {
      for (const waiting of connection.responses) waiting.emit('drain')
    })
    socket.resume()
    for (const { req } of connection.responses) if (!req.complete) req.resume()
    this.#endIfDone(connection)
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
    const start = performance.now()
    await this.#acceptQueue(start + patience / 2)
    const cutOff = setTimeout(() => this.#destroyAll(), start + patience - performance.now())
    await new Promise((resolve) => this.server.close(resolve))
    clearTimeout(cutOff)
  }

  /**
   * Accepts the connections that wait in the queue of the listening socket, which closing it would reset:
   * each turn of the event loop accepts only one.
   *
   * @param end when to give up, by `performance.now`
   */
  async #acceptQueue(end: number): Promise<void> {
    for (let turn = 0; turn < QUEUE_LENGTH && performance.now() < end; turn += 1) await nextTurn()
    await sleep(GRACE)
    // On a busy machine the time may be up before the event loop has looked at any socket.
    await nextTurn()
  }

  #add(socket: Socket): void {
    this.#open.set(socket, { socket, responses: new Set(), bytesAtRest: 0 })
    socket.once('close', () => this.#open.delete(socket))
    // Node has no listener on a socket that it has handed over (`connect`), and an error without a listener
    // ends the process.
    socket.on('error', () => {})
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { responses } = connection
    responses.add(response)
    // Not paused: nobody would notice that its client has gone.
    if (responses.size > MOST_WAITING) socket.destroy()
    if (this.#closing) announceEnd(response)
    // A handler has written after the end. Without a listener, that would end the process.
    response.on('error', console.error)
    response.once('close', () => {
      responses.delete(response)
      connection.bytesAtRest = socket.bytesRead
      this.#endIfDone(connection)
    })
  }

  #endIfDone({ socket, responses, refusal }: Connection): void {
    // The bytes that are not HTTP may be the body of the last request.
    const isDone =
      refusal === undefined
        ? this.#closing && responses.size === 0
        : [...responses].every(({ req }) => !req.complete)
    const hasBegun = [...responses].some(({ headersSent }) => headersSent)
    if (isDone) endConnection(socket, hasBegun ? '' : refusal)
  }

  #destroyIdle(): void {
    for (const { socket, responses, bytesAtRest } of this.#open.values()) {
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

/**
 * Ends a connection so that the client still receives what was sent: destroying it with unread bytes would
 * reset it, and a reset discards what is on its way (RFC 9112 section 9.6).
 *
 * @param last the bytes to send before the end
 */
function endConnection(socket: Socket, last = ''): void {
  if (socket.writableEnded) return
  socket.end(last)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
