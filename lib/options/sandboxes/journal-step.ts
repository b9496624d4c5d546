import type { Request, RequestHandler } from 'express'
import type { PathOf } from '../../http/handler'
import { hasBody } from '../../http/request'
import type { Journal } from './journal'

/**
 * Records each request for a sandbox as it was sent, its parsed body and the status of its response. A browser's
 * preflight names no sandbox (Fetch standard, CORS-preflight request).
 *
 * @param journalFor the journal of the sandbox that a request is for, if it is for one
 * @param rewrittenPath the path of a request after the rewrite rules
 */
export function journalStep(
  journalFor: (request: Request) => Journal | undefined,
  rewrittenPath: PathOf,
): RequestHandler {
  return function journalMiddleware(request, response, next) {
    const journal = journalFor(request)
    if (journal === undefined) return next()
    const { method, path, query } = request
    const rewritten = rewrittenPath(request, response)
    const sent = { method, path, ...(rewritten !== path && { rewritten }), query }
    const entry = journal.add(sent)
    onParsedBody(request, (body) => journal.keepBody(entry, sent, body))
    response.once('close', () => {
      if (response.headersSent) entry.status = response.statusCode
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
