import type { ServerResponse } from 'node:http'
import compression from 'compression'
import { json, type Request, type RequestHandler, urlencoded } from 'express'
import type { Visitors } from '../lib/auth/visitors'
import { HttpError } from '../lib/errors'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { inOrder } from '../lib/http/express/steps'
import { requireRoomFor } from '../lib/http/heap-room'
import { checkValues } from '../lib/json-server/query-checks'

/*
 * The small steps that json-server's own command has around its router, in their order.
 */

/** The headers that json-server sends with every response except static files. */
const NO_CACHE = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '-1' }

/** Makes every cache ask again, with the three headers that json-server sends. */
export function noCache(): RequestHandler {
  return function noCacheMiddleware(_request, response, next) {
    forbidCaching(response)
    next()
  }
}

/** Makes every cache ask again. */
export function forbidCaching(response: ServerResponse): void {
  for (const [name, value] of Object.entries(NO_CACHE)) response.setHeader(name, value)
}

/** Removes these headers again. */
export function allowCaching(response: ServerResponse): void {
  for (const name of Object.keys(NO_CACHE)) response.removeHeader(name)
}

/** json-server's `--read-only`: passes on a 403 for every method that may change something. */
export function readOnly(): RequestHandler {
  return function readOnlyMiddleware({ method }, _response, next) {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    next(new HttpError({ status: 403, message: `This server is read-only: ${method} is not allowed.` }))
  }
}

/**
 * Compresses responses, as json-server does. Requests that accept no encoding do not go through it, because
 * wrapping a response costs as much as a small response itself.
 */
export function gzip(): RequestHandler {
  const compress = compression()
  return function gzipMiddleware(request, response, next) {
    if (request.headers['accept-encoding'] !== undefined) return compress(request, response, next)
    response.vary('Accept-Encoding')
    next()
  }
}

/**
 * json-server's body parsers with their limits. A body of another type stays unread, for the user's own
 * middlewares.
 */
export function parseBody(): RequestHandler {
  return inOrder([
    json({ limit: BODY_LIMITS.json, verify: requireRoomFor }),
    urlencoded({ limit: BODY_LIMITS.form, extended: false, verify: requireRoomFor }),
  ])
}

/** Milliseconds: the longest delay that a request can ask for. */
const LONGEST_DELAY = 10_000

/**
 * Delays every request by a fixed time, as json-server's `--delay`, and by the time in its own `?_delay=`.
 *
 * @param fixed milliseconds
 * @param visitors know whether a rule has let a request pass without a token: such a client must not make the
 *   server wait
 * @returns a middleware that throws HttpError 400 for a `_delay` that is an object
 */
export function delay(fixed: number, visitors: Visitors): RequestHandler {
  return function delayMiddleware(request, _response, next) {
    const asked = takeDelay(request.query)
    const total = fixed + (visitors.isAnonymous(request) ? 0 : asked)
    if (total > 0) setTimeout(next, total)
    else next()
  }
}

function takeDelay(query: Request['query']): number {
  const { _delay } = query
  if (_delay === undefined) return 0
  checkValues(query, '_delay')
  delete query._delay
  const milliseconds = Number.parseFloat(String(_delay))
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_DELAY) : 0
}
