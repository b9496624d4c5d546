import type { Handler } from '../lib/http/handler'

/**
 * Handles the requests of a connection one after the other (RFC 9112 section 9.3.2), though a client may send
 * them without waiting for the responses. While a response waits for its turn, Node does not report that the
 * client has disconnected, so files that a handler had opened for it would stay open.
 *
 * Each begins in a turn of the event loop of its own, so that one connection does not keep others waiting.
 */
export function inTurn(): Handler {
  return function inTurnMiddleware(_request, response, next) {
    // Node gives the connection to one response at a time.
    if (response.socket !== null) return next()
    response.once('socket', () => setImmediate(next))
  }
}
