import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import { toOriginForm } from '../lib/http/server/request-target'

/**
 * Refuses malformed requests that Node accepts: HTTP/1.1 without a Host header (RFC 9112 section 3.2),
 * and a target that is neither a path nor an HTTP address. Passes on 400.
 */
export function refuseMalformed(): RequestHandler {
  return function refuseMalformedMiddleware({ headers, httpVersion, originalUrl }, _response, next) {
    if (headers.host === undefined && httpVersion !== '1.0')
      return next(malformed('The request has no Host header.'))
    if (toOriginForm(originalUrl) === undefined)
      return next(malformed('The address of the request is not valid.'))
    next()
  }
}

function malformed(sentence: string): HttpError {
  return new HttpError({ status: 400, message: sentence, headers: { Connection: 'close' } })
}
