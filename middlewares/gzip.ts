import type { RequestHandler } from 'express'
import { asksForStream } from '../lib/http/event-stream'

/** Loaded with the first response that may be compressed. */
const compression = (): typeof import('compression') => require('compression')

/** What the library puts on a response: here, nothing is held back. */
function flush(): void {}

/**
 * Compresses responses, as json-server does. Requests that accept no encoding do not go through the library,
 * because wrapping a response takes a tenth of the time of a small one, nor do those for a stream, whose events it
 * would hold back.
 *
 * @param mayBeFlushed whether a middleware may stream: it calls `flush`, whether or not the response is compressed
 */
export function gzip({ mayBeFlushed = false } = {}): RequestHandler {
  let compress: RequestHandler | undefined
  return function gzipMiddleware(request, response, next) {
    if (request.headers['accept-encoding'] !== undefined && !asksForStream(request)) {
      compress ??= compression()()
      return compress(request, response, next)
    }
    if (mayBeFlushed) Object.assign(response, { flush })
    response.vary('Accept-Encoding')
    next()
  }
}
