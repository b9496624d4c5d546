import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, RETRY_SOON } from '../errors'
import { usableMemory } from '../memory'
import { bodyTooLarge } from './body-limits'

/** A parser of Express's. */
type Parser<Incoming, Outgoing> = (
  request: Incoming,
  response: Outgoing,
  next: (error?: unknown) => void,
) => void

/** The bytes of bodies that have arrived and are not parsed yet, for all servers in the process together. */
let received = 0

/**
 * Parses a body of limited length. Express's parsers know the limit as well, but read a longer body to its end
 * before they refuse it.
 *
 * @param limit bytes, before decompression
 * @param parse one that accepts no longer body
 * @returns a step that passes on what the parser passes on; HttpError 413 for a longer body, as soon as that is
 *   known; and 503 for one that arrives while the memory that data may take is taken by others
 */
export function readBody<Incoming extends IncomingMessage, Outgoing extends ServerResponse>(
  limit: number,
  parse: Parser<Incoming, Outgoing>,
): Parser<Incoming, Outgoing> {
  return function readBodyMiddleware(request, response, next) {
    const claimed = Number(request.headers['content-length'] ?? 0)
    // An application that has its own parsers ahead may accept more.
    if (claimed > limit && !request.readableDidRead) return next(bodyTooLarge(limit))
    const most = usableMemory()
    let length = 0
    let isRefused = false
    const release = () => {
      request.off('data', count)
      received -= length
      length = 0
    }
    const refuse = (error: HttpError) => {
      isRefused = true
      release()
      next(error)
    }
    const count = (bytes: Buffer) => {
      length += bytes.length
      received += bytes.length
      if (length > limit) refuse(bodyTooLarge(limit))
      else if (received > most) refuse(tooManyBodies())
    }
    request.on('data', count)
    // Node emits this when the body has been received, or its connection has ended before.
    request.once('close', release)
    parse(request, response, (error) => {
      // What still arrives is no body that anybody waits for: the parser may have refused its type.
      release()
      // The parser refuses such a body as well, but later.
      if (!isRefused) next(error)
    })
  }
}

function tooManyBodies(): HttpError {
  return new HttpError({
    status: 503,
    message: 'The server receives too many large bodies at the moment: send this one again.',
    headers: RETRY_SOON,
  })
}
