import type { RequestHandler } from 'express'
import { sandboxOf } from '../lib/sandboxes/request-sandbox'

/**
 * Passes a request for an existing sandbox to that sandbox's application, and any other request on.
 */
export function enterSandbox(): RequestHandler {
  return function enterSandboxMiddleware(request, response, next) {
    const application = sandboxOf(request)?.current?.application
    if (application === undefined) next()
    else application(request, response, next)
  }
}
