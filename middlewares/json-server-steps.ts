import type { ServerResponse } from 'node:http'
import compression from 'compression'
import { type Request, type RequestHandler, urlencoded } from 'express'
import methodOverride from 'method-override'
import type { Visitors } from '../lib/auth/visitors'
import { HttpError } from '../lib/errors'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { inOrder } from '../lib/http/express/steps'
import { isJsonAsForm, JSON_AS_FORM } from '../lib/http/json-as-form'
import { keepReason } from '../lib/http/log/line-notes'
import { readJson } from '../lib/http/read-json'
import { hasBody } from '../lib/http/request'
import { keepPlaceholder } from '../lib/http/unread-body'
import { isRecord } from '../lib/is-record'
import { checkValues } from '../lib/json-server/query-checks'
import { requireMemory } from '../lib/memory'

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
    readJson({ strict: true }),
    urlencoded({ limit: BODY_LIMITS.form, extended: false, verify: requireMemory }),
    noteBody,
  ])
}

const METHOD_OVERRIDE = 'X-HTTP-Method-Override'

/**
 * Gives a POST the method in its header, as json-server's router does, but only one that changes something: the
 * response to a HEAD, for instance, would have no body, and the client waits for one.
 */
export function overrideMethod(): RequestHandler {
  return methodOverride(({ headers }) => {
    const [method = ''] = String(headers[METHOD_OVERRIDE.toLowerCase()]).split(',')
    return ['PUT', 'PATCH', 'DELETE'].find((name) => name === method.trim().toUpperCase())
  })
}

/** Names the header in the response to every POST that reaches the router, as json-server's router does. */
export function varyByMethod(): RequestHandler {
  return methodOverride((_request, response) => {
    response.vary(METHOD_OVERRIDE)
    return undefined
  })
}

/** Notes what the parsers alone know of a body. */
const noteBody: RequestHandler = (request, response, next) => {
  if (hasBody(request) && !request.readableDidRead) keepPlaceholder(request.body)
  // json-server stores such a record, which is never what was meant: the log says why.
  if (request.is('urlencoded') && isRecord(request.body) && isJsonAsForm(request.body))
    keepReason(response, JSON_AS_FORM)
  next()
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
