import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import { errorCode } from '../lib/error-code'
import { HttpError, UnauthorizedError } from '../lib/errors'
import { errorContentOf } from '../lib/http/error-body'
import { EXPOSED_HEADERS, exposeHeaders } from '../lib/http/exposed-headers'
import type { ErrorHandler, HttpResponse } from '../lib/http/handler'
import { notesOf } from '../lib/http/notes'
import { BAD_PATH } from '../lib/http/request'
import { JSON_TYPE, sendBody } from '../lib/http/send-json'
import { isSendable } from '../lib/http/sendable-headers'
import { isRecord } from '../lib/is-record'
import { forbidCaching } from './no-cache'

/**
 * The one place that renders errors: JSON, unless the route has another body for errors, and never a stack trace
 * or a path of the machine, for every value of NODE_ENV. An unexpected error is a 500, with its details on
 * the console. If an error has a status and headers, as those of Express's own libraries do, it uses them,
 * but not the message.
 *
 * @example
 * app.use(errorHandler()) // after all other middlewares
 */
export function errorHandler(): ErrorHandler {
  return function errorHandlerMiddleware(error, request, response, _next) {
    // The client has disconnected: it needs no response, and such errors are not the server's.
    if (response.destroyed) return
    try {
      const rendered = toHttpError(error)
      // The console shows why the response is a server error; the client must not see that. An HttpError says
      // all in its response.
      if (rendered !== error && rendered.status >= 500) console.error(error)
      else notesOf(request).reason = rendered.reason
      sendError(response, rendered)
    } catch (failure) {
      // A middleware may have put a header or a body into the error that cannot be sent.
      console.error(failure)
      sendError(response, UNEXPECTED)
    }
  }
}

const SEE_CONSOLE = 'The server could not handle this request; its console says why.'
const UNEXPECTED = new HttpError({ status: 500, message: SEE_CONSOLE })

function sendError(response: HttpResponse, error: HttpError): void {
  // Half of the response is sent: only a cut connection tells the client that the rest is missing.
  if (response.headersSent) {
    response.destroy()
    return
  }
  // These headers describe the response that would have been sent without the error.
  for (const name of ['ETag', 'Last-Modified', 'Location']) response.removeHeader(name)
  forbidCaching(response)
  const { text, headers, status = error.status } = errorContentOf(response.req, error)
  response.statusCode = status
  response.setHeader('Content-Type', JSON_TYPE)
  for (const [name, value] of Object.entries({ ...error.headers, ...headers }))
    if (value !== undefined && name.toLowerCase() === EXPOSED_HEADERS.toLowerCase())
      exposeHeaders(response, value)
    else if (value !== undefined) response.setHeader(name, value)
  sendBody(response, Buffer.from(text))
}

const BROKEN_COMPRESSION = 'The request body is not compressed as its Content-Encoding says.'

/** Sentences for the errors of body-parser, by their `type`, and of zlib, by their `code`. */
const BODY_ERRORS = new Map([
  ['entity.too.large', 'The request body is larger than the server accepts.'],
  [
    'entity.parse.failed',
    'The request body must be valid JSON: an object in braces, with names and texts in double quotes.',
  ],
  ['parameters.too.many', 'The form in the request body has too many fields.'],
  [
    'encoding.unsupported',
    'The Content-Encoding of the request body must be gzip or deflate, or be left out.',
  ],
  ['charset.unsupported', 'The charset of the request body is not supported: use UTF-8.'],
  ['Z_DATA_ERROR', BROKEN_COMPRESSION],
  ['Z_BUF_ERROR', BROKEN_COMPRESSION],
])

/** Express's own libraries put a `status` on their errors, and often a `type` and `headers` (http-errors). */
function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const { status, statusCode, type, headers } = isRecord(error) ? error : {}
  const code = [status, statusCode].find(isErrorStatus)
  if (code === undefined) return UNEXPECTED
  const ownHeaders = sendableHeaders(headers)
  if (code === 401) return new UnauthorizedError({ reason: 'Unauthorized' }, ownHeaders)
  const sentence = error instanceof URIError ? BAD_PATH : BODY_ERRORS.get(String(type ?? errorCode(error)))
  const message = code >= 500 ? SEE_CONSOLE : (sentence ?? `${STATUS_CODES[code] ?? 'Bad Request'}.`)
  return new HttpError({ status: code, message, headers: ownHeaders })
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value < 600
}

/**
 * The headers of another library's error that the response can carry; the body and its content type are ours.
 */
function sendableHeaders(headers: unknown): OutgoingHttpHeaders {
  const sendable: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(isRecord(headers) ? headers : {}))
    if (isSendable(name, value) && !/^content-(type|encoding)$/i.test(name)) sendable[name] = value
  return sendable
}
