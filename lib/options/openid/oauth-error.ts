import { HttpError } from '../../errors'

/** An error that clients read (RFC 6749 section 5.2). */
export class OAuthError extends HttpError {
  private readonly code: string

  /** @param description a sentence that repeats nothing which was sent, for the client and the log */
  constructor(code: string, description: string) {
    super({ status: 400, message: description })
    this.code = code
  }

  /** The body of any error of an endpoint that clients ask. */
  static bodyOf(error: HttpError): object {
    const code = error.status >= 500 ? 'server_error' : 'invalid_request'
    return { error: error instanceof OAuthError ? error.code : code, error_description: error.message }
  }
}

/** A code or a refresh token that is refused. */
export function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description)
}
