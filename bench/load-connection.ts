import { connect, type Socket } from 'node:net'
import { HOST } from './exchange'
import { ResponseReader } from './response-reader'

/** Bytes that one read may bring: with Node's usual 64 kB, a list would take the generator many reads. */
const READ_SIZE = 256 * 1024

export interface ConnectionEvents {
  /** The answer to the last request has come whole. */
  onAnswer: (status: number, connection: LoadConnection) => void
  /** The connection cannot be used any more. It is called after `end`, too. */
  onError: (error: Error) => void
}

/** A connection with at most one request under way. */
export class LoadConnection {
  /** Resolves when requests can be sent. */
  readonly connected: Promise<void>
  readonly #reader = new ResponseReader()
  readonly #events: ConnectionEvents
  readonly #socket: Socket

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events
    // One buffer for all reads: a new one for each would keep the generator busy with collecting garbage.
    const buffer = Buffer.allocUnsafe(READ_SIZE)
    const callback = (length: number): boolean => {
      this.#receive(buffer.subarray(0, length))
      return true
    }
    this.#socket = connect({ host: HOST, port, noDelay: true, onread: { buffer, callback } })
    this.#socket.on('error', events.onError)
    this.#socket.on('close', () => events.onError(new Error('The server ended a connection during the run.')))
    this.connected = new Promise((resolve, reject) => {
      this.#socket.once('connect', resolve)
      this.#socket.once('error', reject)
    })
  }

  /** @param request one character a byte */
  send(request: string): void {
    this.#socket.write(request, 'latin1')
  }

  end(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    try {
      const status = this.#reader.push(bytes)
      if (status !== undefined) this.#events.onAnswer(status, this)
    } catch (error) {
      this.#events.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
