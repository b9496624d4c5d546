import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { MULTIPART, multipartParser } from '../lib/http/body-parsers'
import { hasUnreadBody, rememberRefusal } from '../lib/json-server/guards'

/**
 * Comes after the user's middlewares: reads `multipart/form-data` that none of them has read, where it holds texts alone.
 * Any other is refused where it would be stored.
 */
export function parseMultipart(): RequestHandler {
  const parse = multipartParser(BODY_LIMITS.form, refuseFile)
  return function parseMultipartMiddleware(request, response, next) {
    if (!hasUnreadBody(request) || !request.is(MULTIPART)) return next()
    parse(request, response, (error) => {
      const isTooLarge = error instanceof HttpError && error.status === 413
      if (error) {
        // The parser may have left its bytes there.
        request.body = {}
        rememberRefusal(request, isTooLarge ? refuseFile() : error)
      }
      next()
    })
  }
}

function refuseFile(): HttpError {
  return new HttpError({
    status: 415,
    message:
      `A form with a file, or of more than ${BODY_LIMITS.form / 1024} kB, needs a middleware that stores it: ` +
      '"Upload of pictures" in docs/recipes.md.',
  })
}
