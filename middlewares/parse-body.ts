import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { fileError, formParser, jsonParser, MULTIPART, multipartParser } from '../lib/http/body-parsers'
import { inOrder } from '../lib/http/express/steps'
import { hasBody } from '../lib/http/request'
import { hasUnreadBody, rememberParsedBody, rememberRefusal } from '../lib/json-server/guards'

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

/**
 * Comes after the user's middlewares: reads `multipart/form-data` that none of them has read, where it holds texts alone.
 * Any other is refused where it would be stored.
 */
export function parseMultipart(): RequestHandler {
  const parse = multipartParser(BODY_LIMITS.form, fileError)
  return function parseMultipartMiddleware(request, response, next) {
    if (!hasBody(request) || !hasUnreadBody(request) || !request.is(MULTIPART)) return next()
    parse(request, response, (error) => {
      const isTooLarge = error instanceof HttpError && error.status === 413
      if (error) {
        // The parser may have left its bytes there.
        request.body = {}
        rememberRefusal(request, isTooLarge ? fileError() : error)
      }
      next()
    })
  }
}
