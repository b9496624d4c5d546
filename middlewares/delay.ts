import type { Request, RequestHandler } from 'express'
import { afterTime } from '../lib/http/after-time'
import { checkValues } from '../lib/json-server/query-checks'

/** Milliseconds: the longest delay that a request can ask for. */
const LONGEST_DELAY = 10_000

/**
 * Delays every request by a fixed time, as json-server's `--delay`, and by the time in its own `?_delay=`.
 *
 * @param fixed milliseconds
 * @returns a middleware that throws HttpError 400 for a `_delay` that is an object
 */
export function delay(fixed: number): RequestHandler {
  return function delayMiddleware(request, response, next) {
    // Nearly all requests are without one: looking further takes 2 us.
    if (fixed === 0 && request.query._delay === undefined) return next()
    afterTime(fixed + takeDelay(request.query), response, next)
  }
}

/**
 * The milliseconds that a query asks for. The parameter is then taken out of it, as by json-server's own
 * delay, so that it filters no records.
 */
function takeDelay(query: Request['query']): number {
  checkValues(query, '_delay')
  const { _delay } = query
  delete query._delay
  const milliseconds = Number.parseFloat(String(_delay))
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_DELAY) : 0
}
