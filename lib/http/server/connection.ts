import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { inLaterTurn } from './later-turns'

/** What ends the headers of a request. */
const BLANK_LINE = Buffer.from('\r\n\r\n')

/**
 * How many bytes the parser gets at once at least. A call of it takes about a microsecond, so a body of blank
 * lines must not be parsed four bytes at a time (0.3 s for 10 MB instead of 8 s); 128 bytes hold seven
 * requests.
 */
const SMALLEST_PIECE = 128

/** How many bytes may wait to be parsed before no more are read. */
const MOST_UNPARSED = 16_384

/** Milliseconds that a client gets to read the last bytes and to close its side. */
const LINGER = 1000

const NOTHING = Buffer.alloc(0)

/**
 * A connection on which Node's HTTP parser gets one request at a time: the next one once the response to the
 * one before is complete. A client may send thousands without waiting for the responses, and Node would make
 * about 5 kB of objects for each of them as soon as it arrives, before any handler could refuse.
 */
export class Connection {
  /** The responses that are not complete yet. */
  readonly #responses = new Set<ServerResponse>()
  /** Node's own listener, which gives bytes to the parser. */
  readonly #parse: (bytes: Buffer) => void
  #unparsed: Buffer = NOTHING
  /**
   * Whether nothing more is read because too many bytes are unparsed. Node pauses a socket for other reasons,
   * too.
   */
  #isFull = false
  /** Whether nothing has been parsed since the last response was complete. */
  #isAtRest = true

  /** @param socket one for which Node's HTTP server has already made a parser */
  constructor(private readonly socket: Socket) {
    const [listener] = socket.listeners('data')
    this.#parse = (bytes) => listener?.call(socket, bytes)
    socket.removeAllListeners('data')
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('drain', () => this.#parseMore())
    // Node resumes a socket for reasons of its own, while too many bytes are unparsed.
    socket.on('resume', () => {
      if (this.#isFull) socket.pause()
    })
  }

  /** Whether no request is under way on it, nor a part of one. */
  get isIdle(): boolean {
    return this.#isAtRest && this.#responses.size === 0 && this.#unparsed.length === 0
  }

  /**
   * Holds back the next request until this response is complete.
   *
   * @param isClosing says whether the server is being closed: the connection then ends with the response
   */
  addResponse(response: ServerResponse, isClosing: () => boolean): void {
    this.#responses.add(response)
    response.once('close', () => {
      this.#responses.delete(response)
      this.#isAtRest = true
      if (isClosing() && this.isIdle) this.end()
      else if (this.#unparsed.length > 0) inLaterTurn(() => this.#parseMore())
    })
  }

  /** Announces that the client must not send another request. */
  announceEnd(): void {
    for (const response of this.#responses)
      if (!response.headersSent) response.setHeader('Connection', 'close')
  }

  /**
   * Ends the connection, on which something else than a request has arrived. Where another response is under
   * way, the client would take this one for it: then it gets none.
   *
   * @param response a whole HTTP response
   */
  refuse(response: string): void {
    // The body of a request can be what is no HTTP: its own response, if none has begun, is then this one.
    const isFirst = ({ req, headersSent }: ServerResponse) => !req.complete && !headersSent
    if ([...this.#responses].every(isFirst)) this.end(response)
    else this.socket.destroy()
  }

  /**
   * Ends the connection so that the client still receives what was sent: destroying it with unread bytes
   * would reset it, and a reset discards what is on its way (RFC 9112 section 9.6).
   *
   * @param last the bytes to send before the end
   */
  end(last = ''): void {
    const { socket } = this
    if (socket.writableEnded) return
    socket.end(last)
    this.#isFull = false
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER)
    socket.once('close', () => clearTimeout(timer))
  }

  #receive(bytes: Buffer): void {
    // After the end nothing more is parsed: Node may already have given the parser to another connection.
    if (this.socket.writableEnded) return
    this.#unparsed = this.#unparsed.length === 0 ? bytes : Buffer.concat([this.#unparsed, bytes])
    this.#parseMore()
    // The socket is paused only now: as long as it reads, Node notices at once that the client has gone.
    this.#isFull = this.#unparsed.length > MOST_UNPARSED
    if (this.#isFull) this.socket.pause()
  }

  /** Gives the parser the next pieces: each goes to the end of a request's headers, or has none in it. */
  #parseMore(): void {
    while (this.#unparsed.length > 0 && this.#mayParse()) {
      const bytes = this.#unparsed
      const blankLine = bytes.indexOf(BLANK_LINE, SMALLEST_PIECE - BLANK_LINE.length)
      const end = blankLine === -1 ? bytes.length : blankLine + BLANK_LINE.length
      const isLast = end === bytes.length
      // An empty part of a buffer would keep the whole buffer in memory.
      this.#unparsed = isLast ? NOTHING : bytes.subarray(end)
      this.#isAtRest = false
      this.#parse(isLast ? bytes : bytes.subarray(0, end))
    }
    if (this.#isFull && this.#unparsed.length <= MOST_UNPARSED) {
      this.#isFull = false
      this.socket.resume()
    }
  }

  #mayParse(): boolean {
    const { writableEnded, destroyed, writableNeedDrain } = this.socket
    // While bytes of responses wait for their client, Node asserts that its parser gets nothing more
    // (`socketOnData` in its lib/_http_server.js).
    if (writableEnded || destroyed || writableNeedDrain) return false
    for (const { req } of this.#responses) if (req.complete) return false
    return true
  }
}
