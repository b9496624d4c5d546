import { json, type RequestHandler, Router, urlencoded } from 'express'
import { hasBody } from '../lib/http/request'

/**
 * json-server's body parsers with their limits (10 MB of JSON, 100 kB of form), except that a JSON body that is not an
 * object is let through to the request guard, which can say so.
 */
export function parseBody(): RequestHandler {
  const parsers = Router().use(json({ limit: '10mb', strict: false }), urlencoded({ extended: false }))
  return function parseBodyMiddleware(request, response, next) {
    if (hasBody(request)) return parsers(request, response, next)
    request.body ??= {}
    next()
  }
}
