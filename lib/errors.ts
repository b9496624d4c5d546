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

/** Why a request is refused with 401. */
export interface Refusal {
  /** A clause for the log of whoever runs the server. It holds no value that the request has sent. */
  reason: string
  /**
   * A sentence for the client, where a token was sent and refused. It holds no quotes and no backslashes (RFC
   * 6750 section 3).
   */
  description?: string
}

/**
 * 401 with the body `"Unauthorized"` (docs/interface.md, Errors).
 *
 * The challenge follows RFC 6750 section 3: the error code is given only when a token was sent and refused.
 */
export class UnauthorizedError extends HttpError {
  readonly reason: string

  constructor({ reason, description }: Refusal = { reason: 'a token is needed' }) {
    const headers =
      description === undefined
        ? { 'WWW-Authenticate': 'Bearer' }
        : {
            'WWW-Authenticate': `Bearer error="invalid_token", error_description="${description}"`,
            // A page of another origin could not read it otherwise.
            'Access-Control-Expose-Headers': 'WWW-Authenticate',
          }
    super(401, 'Unauthorized', headers, 'Unauthorized')
    this.reason = reason
  }
}
