import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { STREAM_BEGUN, whenClosed } from './response-end'

const TYPE = 'text/event-stream'

/** `no-transform` keeps compression, here and in a proxy, from holding events back; the third is nginx's. */
const HEADERS = {
  'Content-Type': TYPE,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** Milliseconds between two signs of life: proxies cut off what is silent for 30 s or longer. */
const HEARTBEAT = 15_000

/** An event, so that a page can tell a connection that has been lost unnoticed from one on which nothing happens. */
const SIGN_OF_LIFE = eventText('heartbeat', {})

/** Milliseconds after which a browser connects again. */
const RETRY = 1000

/** Bytes that a client may leave unread, beside what its stream begins with. */
const MOST_UNREAD = 1024 * 1024

const open = new WeakMap<ServerResponse, EventStream>()

/**
 * Whether a request asks for events rather than for anything else. A browser's EventSource accepts nothing else; others
 * that accept events as well go on to get JSON.
 */
export function asksForStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.trimStart().toLowerCase().startsWith(TYPE) === true
}

/** One event as it is sent. JSON without indentation has no line breaks. */
export function eventText(name: string, content: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(content)}\n\n`
}

/** Ends the stream of a response, if it is one: it would never end by itself. */
export function endStream(response: ServerResponse): void {
  open.get(response)?.end()
}

/** A response of server-sent events (WHATWG HTML, section 9.2), which stays open until one of both ends it. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #mayStay: () => boolean
  readonly #mostUnread: number

  /**
   * Sends the first events.
   *
   * @param first are the same bytes for all streams that begin with them: of a text, each connection would keep a copy
   * @param mayStay asked before anything else is sent: whether the request would still be let in
   */
  constructor(response: ServerResponse, first: Buffer, mayStay: () => boolean) {
    this.#response = response
    this.#mayStay = mayStay
    this.#mostUnread = MOST_UNREAD + first.length
    const heartbeat = setInterval(() => this.send(SIGN_OF_LIFE), HEARTBEAT).unref()
    whenClosed(response, () => clearInterval(heartbeat))
    open.set(response, this)
    response.writeHead(200, HEADERS)
    response.write(`retry: ${RETRY}\n`)
    this.send(first)
    response.emit(STREAM_BEGUN)
  }

  /** Sends events, unless the client may not hear them any more, does not read them, or the server closes. */
  send(events: string | Buffer): void {
    const response = this.#response
    // One that does not read does not see the end of the stream either.
    if (response.writableEnded || response.writableLength > this.#mostUnread) response.destroy()
    else if (isClosing(response.req) || !this.#mayStay()) this.end()
    else response.write(events)
  }

  end(): void {
    this.#response.end()
  }
}

/** Whether the server of a request accepts nothing more: it may wait until every response has ended. */
function isClosing({ socket }: IncomingMessage): boolean {
  return 'server' in socket && socket.server instanceof Server && !socket.server.listening
}
