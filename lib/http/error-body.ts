import type { HttpError } from '../errors'

const bodies = new WeakMap<object, (error: HttpError) => unknown>()

/**
 * Sets what the body of an error is, whatever goes wrong with a request: for routes whose clients read another one.
 *
 * @param makeBody gives any value that JSON can hold
 */
export function setErrorBody(response: object, makeBody: (error: HttpError) => unknown): void {
  bodies.set(response, makeBody)
}

/** The body of an error as it is sent. */
export function errorText(response: object, error: HttpError): string {
  const makeBody = bodies.get(response)
  return makeBody === undefined ? error.text : JSON.stringify(makeBody(error), null, 2)
}
