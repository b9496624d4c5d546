import { STATUS_CODES } from 'node:http'
import { HttpError, UnauthorizedError } from '../lib/errors'
import type { ErrorHandler } from '../lib/http/handler'
import { sendJson } from '../lib/http/send-json'
import { isRecord } from '../lib/is-record'

/**
 * The one place that renders errors: always JSON, never a stack trace, a path of the machine or HTML, whatever
 * NODE_ENV is. An error nobody foresaw is a 500; its details go to the console of whoever runs the server.
 */
export function errorHandler(): ErrorHandler {
  return function errorHandlerMiddleware(error, _request, response, _next) {
    // A client that has gone away needs no response, and what fails because of that is no fault of the server.
    if (response.destroyed) return
    const httpError = toHttpError(error)
    if (httpError.status >= 500 && !(error instanceof HttpError)) console.error(error)
    // A response half sent cannot be turned into an error: cutting it off is the only honest end.
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

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (isHttpFailure(error) && error.status === 401) return new UnauthorizedError()
  if (isHttpFailure(error) && error.status >= 400 && error.status < 500) {
    return new HttpError(error.status, clientSentence(error))
  }
  return new HttpError(500, 'The server could not handle this request; its console says why.')
}

interface HttpFailure {
  status: number
  type?: unknown
}

/** The convention of Express's own libraries (http-errors): a `status`, and often a `type`, on the error. */
function isHttpFailure(error: unknown): error is HttpFailure {
  return isRecord(error) && typeof error.status === 'number'
}

function clientSentence(error: HttpFailure): string {
  if (error instanceof URIError)
    return 'The path is not valid: a % in it must begin the code of a UTF-8 character.'
  const sentence = BODY_ERRORS.get(String(error.type))
  if (sentence !== undefined) return sentence
  return `${STATUS_CODES[error.status] ?? 'Bad Request'}.`
}
