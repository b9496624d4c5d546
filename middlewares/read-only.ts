import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import { isRead, type RequestLine } from '../lib/http/request'

/**
 * json-server's `--read-only`: passes on a 403 for every method that may change something.
 *
 * @param changesNothing whether a request changes nothing whatever its method is, as a login
 */
export function readOnly(changesNothing: (request: RequestLine) => boolean): RequestHandler {
  return function readOnlyMiddleware(request, _response, next) {
    const { method } = request
    if (isRead(request) || method === 'OPTIONS' || changesNothing(request)) return next()
    next(new HttpError({ status: 403, message: `This server is read-only: ${method} is not allowed.` }))
  }
}
