import type { RequestHandler } from 'express'

/** Gives a request for a sandbox that exists to the application of that sandbox. Any other request is passed on. */
export function enterSandbox(): RequestHandler {
  return function enterSandboxMiddleware(request, response, next) {
    const application = request.sandbox?.current?.application
    if (application === undefined) next()
    else application(request, response, next)
  }
}
