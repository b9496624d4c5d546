import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { lingeringClose } from './lingering-close'

/** Milliseconds for requests that are on their way at a stop: of 3,000, the last took 14. */
const GRACE = 20

/** The open connections of a server. */
export class Connections {
  readonly #server: Server
  /** The sockets of TCP. Over TLS, requests arrive on others. */
  readonly #sockets = new Set<Socket>()
  /** For each socket on which requests arrive, the responses of which the last byte is not sent. */
  readonly #unfinished = new Map<Duplex, Set<ServerResponse>>()
  #isClosing = false

  /** @param event with which a connection is ready for requests */
  constructor(server: Server, event: 'connection' | 'secureConnection') {
    this.#server = server
    server.on('connection', (socket: Socket) => this.#accept(socket))
    server.on(event, (socket: Socket) => this.#add(socket))
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#addResponse(request.socket, response),
    )
    // `close` calls this. Node's own version takes a response for complete once `end` was called
    // (nodejs/node#43890), and cuts it off where its last bytes are still in Node's buffer.
    server.closeIdleConnections = () => {}
  }

  /**
   * Ends a connection on which something else than a request has arrived. Where another response is under
   * way, the client would take this one for it: then it gets none.
   *
   * @param response a whole HTTP response
   */
  refuse(socket: Duplex, response: string): void {
    // The body of a request can be what is no HTTP: its own response, if none has begun, is then this one.
    const isFirst = ({ req, headersSent }: ServerResponse) => !req.complete && !headersSent
    const unfinished = this.#unfinished.get(socket)
    if (unfinished && [...unfinished].every(isFirst)) lingeringClose(socket, response)
    else socket.destroy()
  }

  /**
   * Accepts no more connections, and waits until the last byte of each response is sent.
   *
   * @param patience milliseconds after which the connections that are still open are cut off
   */
  async close(patience: number): Promise<void> {
    this.#isClosing = true
    const cutOff = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, patience)
    for (const unfinished of this.#unfinished.values()) announceEnd(unfinished)
    const closed = new Promise((resolve) => this.#server.close(resolve))
    await sleep(GRACE)
    // On a busy machine the time may be up before the event loop has looked at any socket.
    await nextTurn()
    this.#closeIdle()
    await closed
    clearTimeout(cutOff)
  }

  #closeIdle(): void {
    for (const [socket, unfinished] of this.#unfinished) if (unfinished.size === 0) lingeringClose(socket)
    // No handshake of TLS has begun on these.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #add(socket: Socket): void {
    this.#unfinished.set(socket, new Set())
    socket.once('close', () => this.#unfinished.delete(socket))
    // Node calls this behind the last response of a connection.
    socket.destroySoon = () => lingeringClose(socket)
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const unfinished = this.#unfinished.get(socket)
    if (unfinished === undefined) return
    unfinished.add(response)
    if (this.#isClosing) announceEnd(unfinished)
    response.once('close', () => {
      unfinished.delete(response)
      if (this.#isClosing && unfinished.size === 0) lingeringClose(socket)
    })
    // A handler that writes after the end causes an error, which would end the process without a listener.
    response.on('error', console.error)
  }
}

/** Announces that the client must not send another request. */
function announceEnd(responses: Iterable<ServerResponse>): void {
  for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close')
}
