import type { Handler } from '../lib/http/handler'

/**
 * Handles the requests of a connection one after the other (RFC 9112 section 9.3.2), though a client may send
 * them without waiting for the responses. While a response waits for its turn, Node does not report that the
 * client has disconnected, so files that a handler had opened for it would stay open.
 */
export function inTurn(): Handler {
  return function inTurnMiddleware(_request, response, next) {
    // Node gives the connection to one response at a time.
    if (response.socket !== null) return next()
    // In the next tick, Node has finished that.
    response.once('socket', () => process.nextTick(next))
  }
}
