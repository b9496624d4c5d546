import { type Refusal, UnauthorizedError } from '../errors'
import type { ErrorBody } from '../http/error-body'
import { jsonText } from '../http/send-json'

/** How a request without a valid token is refused, for clients that read another response than `"Unauthorized"`. */
export interface TokenRefusal {
  /** In the place of 401. */
  readonly status: number
  /** Makes the body from a sentence that says why. */
  readonly body: (message: string) => unknown
}

/** Gives every 401 such a status and such a body. */
export function unauthorizedBody({ status, body }: TokenRefusal): ErrorBody {
  // A challenge is that of a 401.
  const headers = status === 401 ? {} : { 'WWW-Authenticate': undefined }
  return (error) => {
    if (!(error instanceof UnauthorizedError)) return undefined
    return { text: jsonText(body(sentenceFor(error.refusal))), status, headers }
  }
}

function sentenceFor({ reason, isInvalidToken }: Refusal): string {
  return isInvalidToken ? `The token is refused: ${reason}.` : 'Log in first: a token is needed.'
}
