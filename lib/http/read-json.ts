import { json, type RequestHandler } from 'express'
import { HttpError } from '../errors'
import { requireMemory, usableMemory } from '../memory'
import { BODY_LIMITS } from './body-limits'
import { inOrder } from './express/steps'

/** The lengths of the JSON bodies that are being received, for all servers in the process together. */
let receiving = 0

/**
 * Refuses a JSON body with 503, before it is read, while those that are being received would need as much
 * memory with it as the data may take. A chunked body does not say its length: it is read, up to its limit.
 */
const limitReceived: RequestHandler = (request, _response, next) => {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length === 0 || request.destroyed || !request.is('json')) return next()
  if (receiving + length > usableMemory())
    throw new HttpError({
      status: 503,
      message: 'The server receives too many large bodies at the moment: send this one again.',
      headers: { 'Retry-After': '1' },
    })
  receiving += length
  // Node emits this when the body has been received, or its connection has ended before.
  request.once('close', () => {
    receiving -= length
  })
  next()
}

/**
 * Parses a JSON body, if there is memory for it. The memory is looked at just before the parsing, because of
 * many bodies that arrive at once each then sees what the others have taken.
 *
 * @param options `strict`: whether a primitive is refused with 400
 * @returns a step that passes on HttpError 503 where memory is short, and the errors of body-parser: 400, 413
 */
export function readJson({ strict }: { strict: boolean }): RequestHandler {
  return inOrder([limitReceived, json({ limit: BODY_LIMITS.json, strict, verify: requireMemory })])
}
