import { HttpError, type HttpErrorOptions } from '../../errors'

/** An error that clients read (RFC 6749 section 5.2). */
export class OAuthError extends HttpError {
  readonly #code: string

  /**
   * @param description a sentence that repeats nothing which was sent, for the client and the log
   * @param more another status than 400, headers, or another reason for the log
   */
  constructor(
    code: string,
    description: string,
    more: Partial<Pick<HttpErrorOptions, 'status' | 'headers' | 'reason'>> = {},
  ) {
    super({ status: 400, message: description, ...more })
    this.#code = code
  }

  /** The body of any error of an endpoint that clients ask. */
  static bodyOf(error: HttpError): object {
    const code = error.status >= 500 ? 'server_error' : 'invalid_request'
    return { error: error instanceof OAuthError ? error.#code : code, error_description: error.message }
  }
}

/**
 * A code, a refresh token or a password that is refused.
 *
 * @param reason for the log
 */
export function invalidGrant(description: string, reason = description): OAuthError {
  return new OAuthError('invalid_grant', description, { reason })
}
