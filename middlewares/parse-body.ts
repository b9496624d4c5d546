import { json, type RequestHandler, urlencoded } from 'express'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { inOrder } from '../lib/http/express/steps'
import { requireRoomFor } from '../lib/http/heap-room'

/**
 * json-server's body parsers with their limits. A body of another type stays unread, for the user's own
 * middlewares.
 */
export function parseBody(): RequestHandler {
  return inOrder([
    json({ limit: BODY_LIMITS.json, verify: requireRoomFor }),
    urlencoded({ limit: BODY_LIMITS.form, extended: false, verify: requireRoomFor }),
  ])
}
