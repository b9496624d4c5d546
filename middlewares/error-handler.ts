import { STATUS_CODES } from 'node:http'
import { HttpError, UnauthorizedError } from '../lib/errors'
import type { ErrorHandler } from '../lib/http/handler'
import { BAD_PATH } from '../lib/http/request'
import { sendJson } from '../lib/http/send-json'
import { isRecord } from '../lib/is-record'

/**
 * The one place that renders errors: always JSON, never a stack trace, a path of the machine or HTML, for every
 * value of NODE_ENV. An unexpected error is a 500, with its details on the console.
 */
export function errorHandler(): ErrorHandler {
  return function errorHandlerMiddleware(error, _request, response, _next) {
    // The client has gone away: it needs no response, and the errors that this causes are not the server's.
    if (response.destroyed) return
    const httpError = toHttpError(error)
    if (httpError.status >= 500 && !(error instanceof HttpError)) console.error(error)
    // Half of the response is sent: only a cut connection tells the client that the rest is missing.
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { 'Content-Type': contentType, ...headers } = httpError.headers
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) response.setHeader(name, value)
    sendJson(response, httpError.body, {
      status: httpError.status,
      indentation: httpError.indentation,
      ...(typeof contentType === 'string' && { contentType }),
    })
  }
}

/** Sentences for the errors of body-parser, by the `type` that it documents for them. */
const BODY_ERRORS = new Map(
  Object.entries({
    'entity.parse.failed': 'The request body must be valid JSON: an object, in braces.',
    'entity.too.large': 'The request body is larger than the server accepts.',
    'parameters.too.many': 'The form in the request body has too many fields.',
    'encoding.unsupported':
      'The Content-Encoding of the request body is not supported: use gzip, deflate, br or none.',
    'charset.unsupported': 'The charset of the request body is not supported: use UTF-8.',
    'request.aborted': 'The request ended before its body did.',
    'request.size.invalid': 'The request body is not as long as its Content-Length says.',
  }),
)

/** Express's own libraries put a `status` on their errors, and often a `type` (http-errors). */
function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const { status, type } = isRecord(error) ? error : {}
  if (status === 401) return new UnauthorizedError()
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const sentence = error instanceof URIError ? BAD_PATH : BODY_ERRORS.get(String(type))
    return new HttpError(status, sentence ?? `${STATUS_CODES[status] ?? 'Bad Request'}.`)
  }
  return new HttpError(500, 'The server could not handle this request; its console says why.')
}
