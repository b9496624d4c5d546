import { type Refusal, UnauthorizedError } from '../errors'
import { type ErrorBody, jsonErrorBody } from '../http/error-body'

/** Makes the body of a 401 from a sentence that says why. */
export type RefusalBody = (message: string) => unknown

/** Gives every 401 such a body, for clients that read another one than `"Unauthorized"`. */
export function unauthorizedBody(make: RefusalBody): ErrorBody {
  const inJson = (refusal: Refusal) => jsonErrorBody(() => make(sentenceFor(refusal)))
  return (error) => (error instanceof UnauthorizedError ? inJson(error.refusal)(error) : undefined)
}

function sentenceFor({ reason, isInvalidToken }: Refusal): string {
  return isInvalidToken ? `The token is refused: ${reason}.` : 'Log in first: a token is needed.'
}
