import type { RequestHandler } from 'express'

/** Milliseconds that `?_delay=` can ask for at most: a request must not be able to hang for ever. */
export const LONGEST_DELAY = 10_000

/**
 * Delays a request: by the same time each, as json-server's `--delay`, and by what its own `?_delay=` asks for.
 *
 * @param fixed milliseconds
 */
export function delay(fixed = 0): RequestHandler {
  return function delayMiddleware(request, _response, next) {
    const requested = Number.parseFloat(String(request.query._delay))
    delete request.query._delay
    const total = fixed + (requested > 0 ? Math.min(requested, LONGEST_DELAY) : 0)
    if (total > 0) setTimeout(next, total)
    else next()
  }
}
