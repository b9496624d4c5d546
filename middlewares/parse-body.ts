import { json, type RequestHandler, Router, urlencoded } from 'express'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { requireRoomFor } from '../lib/http/heap-room'
import { hasBody } from '../lib/http/request'

/**
 * json-server's body parsers with their limits. A body of another type stays unread, for the user's own
 * middlewares.
 */
export function parseBody(): RequestHandler {
  const parsers = Router().use(
    json({ limit: BODY_LIMITS.json, verify: requireRoomFor }),
    urlencoded({ limit: BODY_LIMITS.form, extended: false, verify: requireRoomFor }),
  )
  return function parseBodyMiddleware(request, response, next) {
    if (hasBody(request)) return parsers(request, response, next)
    request.body ??= {}
    next()
  }
}
