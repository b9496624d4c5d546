import { json, urlencoded } from 'express'
import { BODY_LIMITS } from './body-limits'
import type { Handler, HttpRequest, HttpResponse } from './handler'
import { readBody } from './read-body'

/**
 * Parses the JSON or form body of a login, unless another parser has read it: a body can be read only once. The
 * parser is not strict: a body such as `null` is JSON, so it is a login with missing fields.
 *
 * Passes on 400 and 413 when the body cannot be read.
 */
export function readLoginBody(): Handler {
  const limit = BODY_LIMITS.login
  const parseJson = json({ limit, strict: false })
  const parseForm = urlencoded({ limit, extended: false })
  const parse = readBody<HttpRequest, HttpResponse>(limit, (request, response, next) =>
    parseJson(request, response, (error?: unknown) =>
      error ? next(error) : parseForm(request, response, next),
    ),
  )
  return function readLoginBodyMiddleware(request, response, next) {
    if (request.readable) parse(request, response, next)
    else next()
  }
}
