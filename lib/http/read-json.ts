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
  // Emitted when the body has been received, or its connection has ended before.
  request.once('close', () => {
    receiving -= length
  })
  next()
}

/**
 * Parses a JSON body, if there is memory for it: asked just before the parsing, when each of many bodies that
 * arrive at once sees what the others have taken.
 *
 * @param options `strict`: whether a primitive is refused with 400
 */
export function readJson({ strict }: { strict: boolean }): RequestHandler {
  return inOrder([limitReceived, json({ limit: BODY_LIMITS.json, strict, verify: requireMemory })])
}
