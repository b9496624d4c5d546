import type { RequestHandler } from 'express'
import { formParser, jsonParser } from '../lib/http/body-parsers'
import { inOrder } from '../lib/http/express/steps'
import { hasBody } from '../lib/http/request'
import { rememberParsedBody } from '../lib/json-server/guards'

/**
 * json-server's body parsers with their limits. A body of another type stays unread, for the user's own
 * middlewares.
 */
export function parseBody(): RequestHandler {
  const parse = inOrder([jsonParser({ strict: true }), formParser(), rememberParsedBody])
  return function parseBodyMiddleware(request, response, next) {
    // This is what the parsers leave of a body that they do not read.
    request.body ??= {}
    // The parsers of Express 4 do not see that those of Express 5 have read a body. Asking them about a GET of
    // a record would take 2 % of it.
    if (hasBody(request) && !request.readableEnded) parse(request, response, next)
    else next()
  }
}
