import type { RequestHandler } from 'express'
import { sandboxOf } from '../lib/sandboxes/request-sandbox'

/**
 * Gives a request for a sandbox that exists to the application of that sandbox. Any other request is passed
 * on.
 */
export function enterSandbox(): RequestHandler {
  return function enterSandboxMiddleware(request, response, next) {
    const application = sandboxOf(request)?.current?.application
    if (application === undefined) next()
    else application(request, response, next)
  }
}
