import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * What the middlewares need of a request: Express 4 and 5 both have it, so that the middlewares fit either.
 */
export interface HttpRequest extends IncomingMessage {
  method: string
  url: string
  /** The URL as it was sent: no router has removed its prefix. */
  readonly originalUrl: string
  /** The path of the URL, still encoded. */
  readonly path: string
  /** The parsed body. */
  body?: unknown
  /** Whether the client's cached response is not stale. */
  readonly fresh: boolean
  /** The encoding, or false when the client does not accept it. */
  acceptsEncodings(encoding: string): string | false
}

/** What the middlewares need of a response. */
export interface HttpResponse extends ServerResponse {
  /** Adds a name to the Vary header. */
  vary(field: string): unknown
  /** Sends a value as JSON. */
  json(value: unknown): unknown
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
