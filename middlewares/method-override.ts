import type { RequestHandler } from 'express'
import overrideMethod from 'method-override'

/** Resolves X-HTTP-Method-Override on a POST, as json-server's router does, but ahead of every check by method. */
export function methodOverride(): RequestHandler {
  const override = overrideMethod()
  return function methodOverrideMiddleware(request, response, next) {
    if (request.method !== 'POST') return next()
    override(request, response, () => {
      // To HEAD, the answer would announce a body that never comes: for Node the request is a POST still.
      if (request.method === 'HEAD') request.method = 'GET'
      next()
    })
  }
}
