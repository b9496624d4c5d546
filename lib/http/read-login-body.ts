import { BODY_LIMITS } from './body-limits'
import { formParser, jsonParser } from './body-parsers'
import type { Handler } from './handler'

/**
 * Parses the JSON or form body of a login, unless another parser has read it: a body can be read only once. The
 * parser is not strict: a body such as `null` is JSON, so it is a login with missing fields.
 *
 * Passes on 400 and 413 when the body cannot be read.
 */
export function readLoginBody(): Handler {
  const parseJson = jsonParser({ limit: BODY_LIMITS.login, strict: false })
  const parseForm = formParser(BODY_LIMITS.login)
  return function readLoginBodyMiddleware(request, response, next) {
    if (!request.readable) return next()
    parseJson(request, response, (error) => (error ? next(error) : parseForm(request, response, next)))
  }
}
