import type { OutgoingHttpHeaders } from 'node:http'

/**
 * An error that owns its whole response: middlewares pass one to `next`, the error handler renders it.
 *
 * @param status HTTP status code, 400 to 599
 * @param message one sentence that tells a person what was wrong and what to do next
 * @param headers sent with the response
 * @param body any value that JSON can hold
 * @param indentation spaces in the body; json-server uses two
 */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: OutgoingHttpHeaders = {},
    readonly body: unknown = { error: message },
    readonly indentation = 2,
  ) {
    super(message)
    this.name = new.target.name
  }
}

/**
 * 401 with the body `"Unauthorized"` (docs/interface.md, Errors).
 *
 * The challenge follows RFC 6750 section 3: the error code is given only when a token was sent and refused.
 */
export class UnauthorizedError extends HttpError {
  constructor(reason: 'no token' | 'invalid token' = 'no token') {
    const challenge = reason === 'invalid token' ? 'Bearer error="invalid_token"' : 'Bearer'
    super(401, 'Unauthorized', { 'WWW-Authenticate': challenge }, 'Unauthorized')
  }
}
