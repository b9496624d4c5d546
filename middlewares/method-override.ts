import { METHODS } from 'node:http'
import type { RequestHandler } from 'express'

/**
 * Applies X-HTTP-Method-Override to a POST, as json-server's router does, but before any check looks at the
 * method. An unknown method is ignored.
 */
export function methodOverride(): RequestHandler {
  return function methodOverrideMiddleware(request, response, next) {
    const header = request.headers['x-http-method-override']
    if (request.method !== 'POST' || header === undefined) return next()
    response.vary('X-HTTP-Method-Override')
    // Node joins several headers of one name; the first counts.
    const [first = ''] = String(header).split(',')
    const method = first.trim().toUpperCase()
    // Not HEAD: Node would still send a body, because for Node the request is a POST.
    if (METHODS.includes(method)) request.method = method === 'HEAD' ? 'GET' : method
    next()
  }
}
