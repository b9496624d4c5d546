import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
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
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>()
  #closing = false

  constructor(private readonly server: Server) {
    // Over TLS, each connection has two sockets: requests arrive on the one from `secureConnection`.
    server.on('connection', (socket: Socket) => this.#add(socket))
    server.on('secureConnection', (socket: Socket) => this.#add(socket))
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#addResponse(request.socket, response),
    )
    // `close` calls this. Node's own version cuts off a response whose last bytes are still in Node's buffer.
    server.closeIdleConnections = () => {
      for (const { socket, responses, bytesAtRest } of this.#open.values())
        if (responses.size === 0 && socket.bytesRead === bytesAtRest) socket.destroy()
    }
  }

  /**
   * Ends a connection on which something else than a request has arrived. Where another response is under
   * way, the client would take this one for it: then it gets none.
   *
   * @param response a whole HTTP response
   */
  refuse(socket: Duplex, response: string): void {
    // What is no HTTP may also be the body of a request.
    const isFirst = ({ req, headersSent }: ServerResponse) => !req.complete && !headersSent
    if ([...(this.#open.get(socket)?.responses ?? [])].every(isFirst)) endConnection(socket, response)
    else socket.destroy()
  }

  /**
   * Accepts no more connections, and waits until the last byte of each response is sent.
   *
   * @param patience milliseconds after which the connections that are still open are cut off
   */
  async close(patience: number): Promise<void> {
    this.#closing = true
    for (const { responses } of this.#open.values()) responses.forEach(announceEnd)
    const start = performance.now()
    // What waits in the queue of the listening socket is under way, too: a turn accepts one connection.
    for (let turn = 0; turn < QUEUE_LENGTH && performance.now() < start + patience / 2; turn += 1)
      await nextTurn()
    await sleep(GRACE)
    // On a busy machine the time may be up before the event loop has looked at any socket.
    await nextTurn()
    const cutOff = setTimeout(
      () => {
        for (const socket of this.#open.keys()) socket.destroy()
      },
      start + patience - performance.now(),
    )
    await new Promise((resolve) => this.server.close(resolve))
    clearTimeout(cutOff)
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
      if (this.#closing && responses.size === 0) endConnection(socket)
    })
  }
}

/**
 * Handles the requests of a connection one after the other (RFC 9112 section 9.3.2), though a client may send
 * them without waiting for the responses. While a response waits for its turn, Node does not report that the
 * client has disconnected, so files that a handler had opened for it would stay open.
 *
 * Each begins in a turn of the event loop of its own, so that one connection does not keep others waiting.
 * Not a middleware: before the first one, Express parses the query, which may take milliseconds.
 */
export function inTurn(handler: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives the connection to one response at a time.
    if (response.socket !== null) handler(request, response)
    else response.once('socket', () => setImmediate(handler, request, response))
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
function endConnection(socket: Duplex, last = ''): void {
  if (socket.writableEnded) return
  socket.end(last)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
