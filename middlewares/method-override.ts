import type { RequestHandler } from 'express'
import overrideMethod from 'method-override'
import { HttpError } from './errors'

/**
 * Resolves X-HTTP-Method-Override on a POST, as json-server's router does, but ahead of every check by method.
 *
 * Passes on 400 for HEAD: the answer to what is really a POST would announce a body that never comes.
 */
export function methodOverride(): RequestHandler {
  const override = overrideMethod()
  return function methodOverrideMiddleware(request, response, next) {
    if (request.method !== 'POST') return next()
    override(request, response, () => {
      if (request.method !== 'HEAD') return next()
      next(new HttpError(400, 'X-HTTP-Method-Override cannot be HEAD: send a HEAD request.'))
    })
  }
}
