import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { endStream } from '../event-stream'
import { whenClosed } from '../response-end'

/** Milliseconds at a stop for requests that are on their way, if there is patience for them: of 3,000, the last took 14. */
const GRACE = 20

/** The open connections of a server, and the response that each of them is sending. */
export class Connections {
  readonly #server: Server
  /** Those of TCP, also before a handshake of TLS. */
  readonly #sockets = new Set<Socket>()
  readonly #unfinished = new Map<Duplex, ServerResponse>()
  #isClosing = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // `close` calls this. Node's own version takes a response for sent once `end` was called
    // (nodejs/node#43890), and cuts it off where its last bytes are still in Node's buffer.
    server.closeIdleConnections = () => {}
  }

  /** Takes note of a response that is the next to be sent on its connection. */
  begin(response: ServerResponse): void {
    const { socket } = response.req
    this.#unfinished.set(socket, response)
    if (this.#isClosing) announceEnd(response)
    whenClosed(response, () => {
      // The next response of the connection begins before this one has closed.
      if (this.#unfinished.get(socket) === response) this.#unfinished.delete(socket)
      this.#endIfIdle()
    })
  }

  /**
   * Ends a connection on which something else than a request has arrived. Where another response is under
   * way, the client would take this one for it: then it gets none.
   *
   * @param response a whole HTTP response
   */
  refuse(socket: Duplex, response: string): void {
    const current = this.#unfinished.get(socket)
    // The body of a request can be what is no HTTP: its own response, if it has not begun, is then this one.
    const isTaken = current !== undefined && (current.req.complete || current.headersSent)
    if (socket.writable && !isTaken) socket.end(response, () => socket.destroy())
    else socket.destroy()
  }

  /**
   * Accepts no more connections, and waits until the last byte of each response is sent. Node would also wait
   * for those on which a browser has sent nothing yet.
   *
   * @param patience milliseconds after which the connections that are still open are cut off; 0 for at once
   */
  async close(patience: number): Promise<void> {
    const cutOff = setTimeout(() => this.#endAll(), patience)
    for (const response of this.#unfinished.values()) announceEnd(response)
    const closed = new Promise((resolve) => this.#server.close(resolve))
    await sleep(Math.min(GRACE, patience))
    // On a busy machine the time may be up before the event loop has looked at any socket.
    await nextTurn()
    this.#isClosing = true
    this.#endIfIdle()
    await closed
    clearTimeout(cutOff)
  }

  #endIfIdle(): void {
    if (this.#isClosing && this.#unfinished.size === 0) this.#endAll()
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Announces that the client must not send another request, and ends a stream. */
function announceEnd(response: ServerResponse): void {
  endStream(response)
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
