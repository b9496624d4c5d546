import type { RequestListener } from 'node:http'

/**
 * Handles the requests of a connection one after the other (RFC 9112 section 9.3.2), though a client may send
 * several at once. While a response waits for its turn, Node does not report that the client has disconnected,
 * so files that a handler had opened for it would stay open.
 */
export function inTurn(handler: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives the connection to one response at a time.
    if (response.socket === null) response.once('socket', () => handler(request, response))
    else handler(request, response)
  }
}
