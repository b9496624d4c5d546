import compression from 'compression'
import type { RequestHandler } from 'express'

/**
 * Compresses responses, as json-server does. Requests that accept no encoding do not go through the library,
 * because wrapping a response takes a tenth of the time of a small one.
 */
export function gzip(): RequestHandler {
  const compress = compression()
  return function gzipMiddleware(request, response, next) {
    if (request.headers['accept-encoding'] !== undefined) return compress(request, response, next)
    response.vary('Accept-Encoding')
    next()
  }
}
