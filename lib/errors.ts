import type { OutgoingHttpHeaders } from 'node:http'

/** What {@link HttpError} is made of. */
export interface HttpErrorOptions {
  /** HTTP status code, 400 to 599. */
  status: number
  /** One sentence that tells a person what was wrong and what to do next. */
  message: string
  /** Why, for the server's log, which repeats nothing that a request sent. Default: the message. */
  reason?: string
  /** Sent with the response. Default: none. */
  headers?: OutgoingHttpHeaders
  /** Any value that JSON can hold. Default: an object with the message as its `error`. */
  body?: unknown
  /** What is sent in place of JSON; the headers name its type. Default: nothing. */
  text?: string | undefined
  /** Spaces in the body. Default: two, as json-server's. */
  indentation?: number
}

/** An error that holds its whole response: middlewares pass one to `next`, the error handler renders it. */
export class HttpError extends Error {
  readonly status: number
  readonly reason: string
  readonly headers: OutgoingHttpHeaders
  readonly body: unknown
  /** Whether the body was given, and is not made from the message. */
  readonly hasOwnBody: boolean
  readonly text: string | undefined
  readonly indentation: number

  constructor(options: HttpErrorOptions) {
    const { status, message, reason = message, headers = {}, indentation = 2 } = options
    super(message)
    this.name = new.target.name
    this.status = status
    this.reason = reason
    this.headers = headers
    // JSON cannot hold undefined.
    this.hasOwnBody = options.body !== undefined
    this.body = this.hasOwnBody ? options.body : { error: message }
    this.text = options.text
    this.indentation = indentation
  }
}

/**
 * @param message one sentence that tells a person what was wrong and what to do next
 * @param reason for the server's log, where the message repeats something that the request sent
 */
export function badRequest(message: string, reason = message): HttpError {
  return new HttpError({ status: 400, message, reason })
}

/** With a 503: the request may succeed in a moment, when others are done. */
export const RETRY_SOON = { 'Retry-After': '1' }

/** With a 503: the request may succeed when somebody has made room. */
export const RETRY_LATER = { 'Retry-After': '60' }

/** A body that is no JSON, with the headers that it needs. */
export interface Page {
  readonly text: string
  readonly headers: OutgoingHttpHeaders
}

/** Why a request is refused with 401. */
export interface Refusal {
  /** A clause for the server's log. It holds no value that the request sent. */
  reason: string
  /**
   * A sentence for the client, if a token was sent and refused. It must not hold quotes or backslashes (RFC
   * 6750 section 3).
   */
  description?: string
}

/**
 * 401 with the body `"Unauthorized"` (docs/interface.md, Errors).
 *
 * The challenge follows RFC 6750 section 3: the error code is given only when a token was sent and refused.
 *
 * @param more headers that are sent as well, and a text that is sent in place of that body
 */
export class UnauthorizedError extends HttpError {
  constructor({ reason, description }: Refusal = { reason: 'a token is needed' }, more?: Partial<Page>) {
    const challenge =
      description === undefined
        ? { 'WWW-Authenticate': 'Bearer' }
        : {
            'WWW-Authenticate': `Bearer error="invalid_token", error_description="${description}"`,
            // Without this, a page of another origin cannot read it.
            'Access-Control-Expose-Headers': 'WWW-Authenticate',
          }
    const headers = { ...challenge, ...more?.headers }
    super({ status: 401, message: 'Unauthorized', reason, headers, body: 'Unauthorized', text: more?.text })
  }
}
