import type { RequestHandler } from 'express'

/** Tells every cache to ask again, with the three headers that json-server sends. */
export function noCache(): RequestHandler {
  return function noCacheMiddleware(_request, response, next) {
    response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('Pragma', 'no-cache')
    response.setHeader('Expires', '-1')
    next()
  }
}
