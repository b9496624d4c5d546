import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { HttpError } from '../errors'

/** What is sent of an error in the place of its own body. */
interface ErrorContent {
  readonly text: string
  /** Default: that of the error. */
  readonly status?: number
  /** In addition to those of the error; undefined for one that is left out. */
  readonly headers?: OutgoingHttpHeaders
}

/** Gives an error the body that the clients of a route read; undefined for one that it leaves alone. */
export type ErrorBody = (error: HttpError) => ErrorContent | undefined

const ofRoutes = new WeakMap<IncomingMessage, ErrorBody>()
const ofAllRoutes = new WeakMap<IncomingMessage, ErrorBody>()

/** Gives every error of a request the body of its route, whatever goes wrong from now on. */
export function setErrorBody(request: IncomingMessage, body: ErrorBody): void {
  ofRoutes.set(request, body)
}

/** Gives an error that its route leaves alone, or that is of none, the body that it has on all routes. */
export function setCommonErrorBody(request: IncomingMessage, body: ErrorBody): void {
  ofAllRoutes.set(request, body)
}

/** Lets every error of a route keep its own body. */
export const OWN_ERROR_BODY: ErrorBody = (error) => error

/** What is sent of an error of a request. */
export function errorContentOf(request: IncomingMessage, error: HttpError): ErrorContent {
  return ofRoutes.get(request)?.(error) ?? ofAllRoutes.get(request)?.(error) ?? error
}

/** An error body in JSON, with two spaces; undefined where an error is left alone. */
export function jsonErrorBody(make: (error: HttpError) => unknown): ErrorBody {
  return (error) => {
    const body = make(error)
    return body === undefined ? undefined : { text: JSON.stringify(body, null, 2) }
  }
}
