import type { Request, RequestHandler } from 'express'
import type { PathOf } from '../../http/handler'
import { hasBody } from '../../http/request'
import { isSandboxRoute } from './sandbox-routes'
import type { Sandboxes } from './sandboxes'

/**
 * Records each request for a sandbox as it was sent, its parsed body and the status of its response, except
 * the routes that control a sandbox. A browser's preflight names no sandbox (Fetch standard, CORS-preflight
 * request).
 *
 * @param rewrittenPath the path of a request behind the rewrite rules
 */
export function journalStep(sandboxes: Sandboxes, rewrittenPath: PathOf): RequestHandler {
  return function journalMiddleware(request, response, next) {
    const sandbox = sandboxes.ofRequest(request)
    if (sandbox === undefined || isSandboxRoute(request.path)) return next()
    const { method, path, query } = request
    const rewritten = rewrittenPath(request, response)
    const sent = { method, path, ...(rewritten !== path && { rewritten }), query }
    let entry = sandbox.current?.journal.add(sent)
    let body: unknown
    onParsedBody(request, (parsed) => {
      body = parsed
      if (entry !== undefined) sandbox.current?.journal.keepBody(entry, sent, parsed)
    })
    response.once('close', () => {
      // A login that has begun the sandbox is its first request.
      entry ??= sandbox.current?.journal.add(sent, body)
      if (entry !== undefined && response.headersSent) entry.status = response.statusCode
    })
    next()
  }
}

/**
 * Calls the listener with the parsed body at the moment of parsing, because a handler may change it later.
 * The property `body` is redefined because anybody may parse it: all that the login, the parsers and a user's
 * middleware have in common is that they set the property.
 */
function onParsedBody(request: Request, listener: (body: unknown) => void): void {
  let body: unknown = request.body
  // A server that contains this one may have parsed the body already.
  let isParsed = body !== undefined && hasBody(request)
  if (isParsed) listener(body)
  Object.defineProperty(request, 'body', {
    configurable: true,
    enumerable: true,
    get: () => body,
    set(value: unknown) {
      // A parser first sets an empty object, even if it then parses nothing (body-parser, lib/types/json.js).
      if (!isParsed && body !== undefined && value !== body) {
        isParsed = true
        listener(value)
      }
      body = value
    },
  })
}
