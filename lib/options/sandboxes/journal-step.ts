import type { Request, RequestHandler } from 'express'
import type { PathOf } from '../../http/handler'
import { hasBody } from '../../http/request'
import { sandboxOf } from './request-sandbox'
import { isSandboxRoute } from './sandbox-routes'

/**
 * Records each request for a sandbox as it was sent, its parsed body and the status of its response, except
 * the routes that control a sandbox. A browser's preflight names no sandbox (Fetch standard, CORS-preflight
 * request).
 *
 * @param rewrittenPath the path of a request behind the rewrite rules
 */
export function journal(rewrittenPath: PathOf): RequestHandler {
  return function journalMiddleware(request, response, next) {
    const sandbox = sandboxOf(request)
    if (sandbox === undefined || isSandboxRoute(request.path)) return next()
    const { method, path, query } = request
    const rewritten = rewrittenPath(request, response)
    const asked = { method, path, ...(rewritten !== path && { rewritten }), query }
    let entry = sandbox.current?.journal.add(asked)
    let body: unknown = null
    const keepBody = (): void => {
      if (entry !== undefined) sandbox.current?.journal.keepBody(entry, body)
    }
    whenParsed(request, (parsed) => {
      body = parsed
      keepBody()
    })
    response.once('close', () => {
      if (entry === undefined) {
        // A login that has begun the sandbox is its first request.
        entry = sandbox.current?.journal.add(asked)
        keepBody()
      }
      if (entry !== undefined && response.headersSent) entry.status = response.statusCode
    })
    next()
  }
}

/**
 * Reports the parsed body at the moment of parsing, because a handler may change it later. A parser first
 * sets an empty object, even if it then parses nothing; the value that replaces this object is the body.
 */
function whenParsed(request: Request, tell: (body: unknown) => void): void {
  // The server that contains this one has already parsed it.
  if (request.body !== undefined && hasBody(request)) {
    tell(request.body)
    return
  }
  let body: unknown = request.body
  Object.defineProperty(request, 'body', {
    configurable: true,
    enumerable: true,
    get: () => body,
    set(value: unknown) {
      const isParsed = body !== undefined && value !== body
      body = value
      if (!isParsed) return
      Object.defineProperty(request, 'body', { value, writable: true, enumerable: true, configurable: true })
      tell(value)
    },
  })
}
