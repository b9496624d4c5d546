import type { OutgoingHttpHeaders } from 'node:http'

/** An option that cannot be used. The message is one sentence for the person who wrote it. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'
}

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
  /** The body as it is sent; the headers name its type. Default: the value as JSON, with two spaces. */
  text?: string
  /** What has led to it, which nobody is told. Default: none. */
  cause?: unknown
  /** What is wrong with each field, by the names that templates have for it. Default: nothing is said of fields. */
  details?: Readonly<Record<string, unknown>> | undefined
}

/** An error that holds its whole response: middlewares pass one to `next`, the error handler renders it. */
export class HttpError extends Error {
  readonly status: number
  readonly reason: string
  readonly headers: OutgoingHttpHeaders
  /** The body as it is sent. */
  readonly text: string
  /** Whether the body was given, and is not made from the message. */
  readonly hasOwnBody: boolean
  readonly details: HttpErrorOptions['details']

  constructor(options: HttpErrorOptions) {
    const { status, message, reason = message, headers = {}, body, text, cause, details } = options
    super(message, { cause })
    this.details = details
    this.name = new.target.name
    this.status = status
    this.reason = reason
    this.headers = headers
    this.hasOwnBody = body !== undefined || text !== undefined
    // JSON can hold null, but not undefined.
    this.text = text ?? JSON.stringify(body === undefined ? { error: message } : body, null, 2)
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

/** Why a request is refused with 401. */
export interface Refusal {
  /** A clause for the server's log. It holds no value that the request sent. */
  reason: string
  /**
   * Whether a token was sent and refused, which is RFC 6750's `invalid_token` (section 3.1). Then the client is told
   * the reason, too, so it holds no quotes or backslashes.
   */
  isInvalidToken?: true
  /** What the log says beside the reason, and the client is not told. */
  advice?: string
}

/** Why a token is refused that was sent. */
export function invalidToken(reason: string): Refusal {
  return { reason, isInvalidToken: true }
}

/**
 * 401 with the body `"Unauthorized"` (docs/promises.md, Errors).
 *
 * The challenge follows RFC 6750 section 3: the error code is given only when a token was sent and refused.
 */
export class UnauthorizedError extends HttpError {
  readonly refusal: Refusal

  /** @param more headers that are sent as well */
  constructor(refusal: Refusal = { reason: 'a token is needed' }, more: OutgoingHttpHeaders = {}) {
    const { reason, isInvalidToken, advice } = refusal
    const challenge = isInvalidToken
      ? {
          'WWW-Authenticate': `Bearer error="invalid_token", error_description="${reason}"`,
          // Without this, a page of another origin cannot read it.
          'Access-Control-Expose-Headers': 'WWW-Authenticate',
        }
      : { 'WWW-Authenticate': 'Bearer' }
    const logged = advice === undefined ? reason : `${reason}; ${advice}`
    super({
      status: 401,
      message: 'Unauthorized',
      reason: logged,
      headers: { ...challenge, ...more },
      body: 'Unauthorized',
    })
    this.refusal = refusal
  }
}
