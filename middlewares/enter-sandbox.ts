import type { RequestHandler } from 'express'

/** Hands a request of a sandbox that has begun over to the application of that sandbox. Any other request is passed on. */
export function enterSandbox(): RequestHandler {
  return function enterSandboxMiddleware(request, response, next) {
    const application = request.sandbox?.current?.application
    if (application === undefined) next()
    else application(request, response, next)
  }
}
