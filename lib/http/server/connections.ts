import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection'

/** How many connections wait to be accepted at most: the default `backlog` of Node's `server.listen`. */
const QUEUE_LENGTH = 511

/** How much later than its connection a request may arrive, in milliseconds: of 3,000, the last took 14. */
const GRACE = 20

/** The open connections of a server. */
export class Connections {
  /** The sockets of TCP. Over TLS, requests arrive on others, which are the keys of the connections. */
  readonly #sockets = new Set<Socket>()
  readonly #connections = new Map<Duplex, Connection>()
  /** How many connections were accepted since the start. */
  #accepted = 0
  #isClosing = false

  /** @param event with which a connection is ready for requests */
  constructor(
    private readonly server: Server,
    event: 'connection' | 'secureConnection',
  ) {
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
   * Ends a connection on which something else than a request has arrived.
   *
   * @param response a whole HTTP response, for the client unless it waits for another
   */
  refuse(socket: Duplex, response: string): void {
    const connection = this.#connections.get(socket)
    if (connection) connection.refuse(response)
    else socket.destroy()
  }

  /**
   * Accepts no more connections, and waits until the last byte of each response is sent.
   *
   * @param patience milliseconds after which the connections that are still open are cut off
   */
  async close(patience: number): Promise<void> {
    this.#isClosing = true
    const start = performance.now()
    for (const connection of this.#connections.values()) connection.announceEnd()
    await this.#acceptAll(start + patience / 2)
    const closed = new Promise((resolve) => this.server.close(resolve))
    await sleep(GRACE)
    // On a busy machine the time may be up before the event loop has looked at any socket.
    await nextTurn()
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
    for (const [socket, connection] of this.#connections) if (connection.isIdle) socket.destroy()
    const cutOff = setTimeout(
      () => {
        for (const socket of this.#sockets) socket.destroy()
      },
      Math.max(0, start + patience - performance.now()),
    )
    await closed
    clearTimeout(cutOff)
  }

  /**
   * Accepts the connections that wait in the queue of the listening socket: closing it would reset them. In
   * each turn, the event loop accepts one if there is any.
   *
   * @param latest when no more are accepted, in milliseconds of `performance.now()`
   */
  async #acceptAll(latest: number): Promise<void> {
    // The turn in which this is called may have passed the listening socket already.
    await nextTurn()
    let before = -1
    for (let turn = 0; turn < QUEUE_LENGTH && before < this.#accepted; turn += 1) {
      before = this.#accepted
      if (performance.now() < latest) await nextTurn()
    }
  }

  #accept(socket: Socket): void {
    this.#accepted += 1
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    // An error without a listener ends the process, and Node removes its own from a socket that it has handed
    // over (`connect`). Over TLS, Node keeps another one.
    socket.on('error', () => {})
  }

  #add(socket: Socket): void {
    this.#connections.set(socket, new Connection(socket))
    socket.once('close', () => this.#connections.delete(socket))
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.addResponse(response, () => this.#isClosing)
    if (this.#isClosing) connection.announceEnd()
    // A handler that writes after the end causes an error, which would end the process without a listener.
    response.on('error', console.error)
  }
}
