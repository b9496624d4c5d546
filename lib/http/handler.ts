import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * The parts of a request that the middlewares need: Express 4 and 5 both have them.
 */
export interface HttpRequest extends IncomingMessage {
  method: string
  url: string
  /** The URL as it was sent: no router has removed its prefix. */
  readonly originalUrl: string
  /** The path of the URL, still encoded. */
  readonly path: string
  /** The parsed query. */
  readonly query: object
  /** The parsed body. */
  body?: unknown
  /** The application, with its settings. */
  readonly app: { get(name: string): unknown }
  /** Whether the client's cached response is not stale. */
  readonly fresh: boolean
  /** The type of the body if it is of this one or one of these, false if it is of another, null if there is none. */
  is(type: string | string[]): string | false | null
  /** The encoding, or false when the client does not accept it. */
  acceptsEncodings(encoding: string): string | false
}

/** The parts of a response that the middlewares need. */
export interface HttpResponse extends ServerResponse {
  /** Adds a name to the Vary header. */
  vary(field: string): unknown
  /** Sends a value as JSON. */
  json(value: unknown): unknown
  /** Sends a value as JSON, or as a script that calls the function which the query names. */
  jsonp(value: unknown): unknown
  /** Sends a text or bytes. */
  send(body: unknown): unknown
  /** What middlewares hand on. */
  locals: Record<string, unknown>
}

/** A middleware for Express 4 and 5. */
export type Handler<Incoming extends HttpRequest = HttpRequest> = (
  request: Incoming,
  response: HttpResponse,
  next: (error?: unknown) => void,
) => void

/** An error handler for Express 4 and 5. */
export type ErrorHandler = (
  error: unknown,
  request: HttpRequest,
  response: HttpResponse,
  next: (error?: unknown) => void,
) => void
