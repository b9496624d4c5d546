import compression from 'compression'
import type { RequestHandler } from 'express'

/**
 * Compresses responses, as json-server does. Requests that accept no encoding do not go through it, because
 * wrapping a response costs as much as a small response itself.
 */
export function gzip(): RequestHandler {
  const compress = compression()
  return function gzipMiddleware(request, response, next) {
    if (request.headers['accept-encoding'] !== undefined) return compress(request, response, next)
    response.vary('Accept-Encoding')
    next()
  }
}
