import type { Request, RequestHandler } from 'express'
import methodOverride from 'method-override'

const METHOD_OVERRIDE = 'X-HTTP-Method-Override'

const HEADER = METHOD_OVERRIDE.toLowerCase()

/**
 * Gives a POST the method in its header, as json-server's router does, but never HEAD: Express would then
 * announce a body that it leaves out, and the client, or a proxy in front of many, would take the next
 * response for it.
 */
export function overrideMethod(): RequestHandler {
  return methodOverride((request) => {
    const [method = ''] = String(request.headers[HEADER]).split(',')
    return /^\s*HEAD\s*$/i.test(method) ? undefined : method.trim()
  })
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
  return request.headers[HEADER] !== undefined && Reflect.get(request, 'originalMethod') === 'POST'
}
