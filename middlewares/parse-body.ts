import { json, type Request, type RequestHandler, Router, urlencoded } from 'express'

/**
 * json-server's body parsers with their limits (10 MB of JSON, 100 kB of form), except that a JSON body that is not an
 * object is let through to the request guard, which can say so.
 */
export function parseBody(): RequestHandler {
  const parsers = Router().use(json({ limit: '10mb', strict: false }), urlencoded({ extended: false }))
  return function parseBodyMiddleware(request, response, next) {
    if (hasBody(request)) return parsers(request, response, next)
    request.body ??= {}
    next()
  }
}

/** Whether a request announces a body of at least one byte (RFC 9112 section 6.3). */
export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
