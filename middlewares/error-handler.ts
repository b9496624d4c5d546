import { STATUS_CODES } from 'node:http'
import { HttpError, UnauthorizedError } from '../lib/errors'
import type { ErrorHandler, HttpResponse } from '../lib/http/handler'
import { BAD_PATH } from '../lib/http/request'
import { isRecord } from '../lib/is-record'

/**
 * The one place that renders errors: always JSON, never a stack trace, a path of the machine or HTML, for every
 * value of NODE_ENV. An unexpected error is a 500, with its details on the console.
 */
export function errorHandler(): ErrorHandler {
  return function errorHandlerMiddleware(error, _request, response, _next) {
    // The client has gone away: it needs no response, and the errors that this causes are not the server's.
    if (response.destroyed) return
    try {
      const expected = toHttpError(error)
      if (expected === undefined) print(error)
      send(response, expected ?? UNEXPECTED)
    } catch (failure) {
      // An error can be anything, and may throw when it is looked at or sent.
      print(failure)
      send(response, UNEXPECTED)
    }
  }
}

const UNEXPECTED = new HttpError(500, 'The server could not handle this request; its console says why.')

function print(error: unknown): void {
  try {
    console.error(error)
  } catch {
    console.error('A request failed with an error that cannot be printed.')
  }
}

function send(response: HttpResponse, { status, headers, body, indentation }: HttpError): void {
  // Half of the response is sent: only a cut connection tells the client that the rest is missing.
  if (response.headersSent) {
    response.destroy()
    return
  }
  const json = Buffer.from(JSON.stringify(body, null, indentation))
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.setHeader(name, value)
  response.setHeader('Content-Length', json.length)
  response.statusCode = status
  response.end(json)
}

/** Sentences for the errors of body-parser, by the `type` that it documents for them. */
const BODY_ERRORS = new Map([
  ['entity.parse.failed', 'The request body must be valid JSON: an object, in braces.'],
  ['entity.too.large', 'The request body is larger than the server accepts.'],
  ['parameters.too.many', 'The form in the request body has too many fields.'],
  [
    'encoding.unsupported',
    'The Content-Encoding of the request body is not supported: use gzip, deflate, br or none.',
  ],
  ['charset.unsupported', 'The charset of the request body is not supported: use UTF-8.'],
  ['request.size.invalid', 'The request body is not as long as its Content-Length says.'],
])

/**
 * Express's own libraries put a `status` on their errors, and often a `type` (http-errors).
 *
 * @returns undefined for an error that nobody expected
 */
function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error
  const { status, type } = isRecord(error) ? error : {}
  if (status === 401) return new UnauthorizedError()
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined
  const sentence = error instanceof URIError ? BAD_PATH : BODY_ERRORS.get(String(type))
  return new HttpError(status, sentence ?? `${STATUS_CODES[status] ?? 'Bad Request'}.`)
}
