import type { Request, RequestHandler } from 'express'
import methodOverride from 'method-override'
import { hasMethodInHeader, METHOD_OVERRIDE, methodInHeader } from '../lib/http/overridden-method'

/** Gives a POST the method in its header, as json-server's router does. */
export function overrideMethod(): RequestHandler {
  return methodOverride(methodInHeader)
}

/**
 * Says that the response to a POST depends on that header. json-server's router does, and no middleware in
 * front of it.
 */
export function varyByMethod(): RequestHandler {
  return function varyByMethodMiddleware(request, response, next) {
    if (request.method === 'POST' || wasOverridden(request)) response.vary(METHOD_OVERRIDE)
    next()
  }
}

/** The library keeps the method that was sent. */
function wasOverridden(request: Request): boolean {
  return Reflect.get(request, 'originalMethod') === 'POST' && hasMethodInHeader(request)
}
