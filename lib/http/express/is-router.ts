import type { RequestHandler, Router } from 'express'

/** Whether a handler is an Express router, which has its own handlers. */
export function isRouter(handler: RequestHandler): handler is Router {
  return 'stack' in handler && Array.isArray(handler.stack)
}
