import { json, type RequestHandler, Router, urlencoded } from 'express'
import { countBody } from '../lib/http/count-body'
import { hasBody } from '../lib/http/request'

/**
 * json-server's body parsers with their limits: 10 MB of JSON, 100 kB of a form; and JSON is counted ahead of parsing it. A body
 * of another type stays unread, for the user's own middlewares.
 */
export function parseBody(): RequestHandler {
  const parsers = Router().use(json({ limit: '10mb', verify: countBody }), urlencoded({ extended: false }))
  return function parseBodyMiddleware(request, response, next) {
    if (hasBody(request)) return parsers(request, response, next)
    request.body ??= {}
    next()
  }
}
