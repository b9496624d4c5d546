import type { RequestHandler, Router } from 'express'

/** Whether a handler is a router of Express, which has handlers of its own. */
export function isRouter(handler: RequestHandler): handler is Router {
  return 'stack' in handler && Array.isArray(handler.stack)
}
