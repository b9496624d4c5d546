import { json, type RequestHandler } from 'express'
import { requireMemory } from '../memory'
import { BODY_LIMITS } from './body-limits'
import { readBody } from './read-body'

/**
 * Parses a JSON body, if there is memory for it. That is looked at just before the parsing, so that each of many
 * bodies that arrive at once sees what the others have taken.
 *
 * @param options `strict`: whether a primitive is refused with 400
 * @returns a step that passes on HttpError 503 where memory is short, 413, and the errors of body-parser: 400,
 *   415
 */
export function readJson({ strict }: { strict: boolean }): RequestHandler {
  const limit = BODY_LIMITS.json
  const read = readBody(limit, json({ limit, strict, verify: requireMemory }))
  return function readJsonMiddleware(request, response, next) {
    // This is what the parser leaves of a request without a body, or with another one.
    request.body ??= {}
    if (request.is('json')) read(request, response, next)
    else next()
  }
}
