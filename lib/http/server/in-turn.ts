import type { RequestListener } from 'node:http'
import { inLaterTurn } from './later-turns'

/**
 * Characters of a target that is handled in a turn of its own: parsing one of 16 kB takes 16 ms, before
 * anything is known of its sender, and a hundred connections can send one each.
 */
const LONG_TARGET = 1024

/** Turns ahead of each long target: in these, ten others can connect, or send a request. */
const TURNS_AHEAD = 10

/**
 * Handles the requests of a connection one after the other (RFC 9112 section 9.3.2), though a few may arrive
 * in one piece. While a response waits for its turn, Node does not report that the client has disconnected,
 * so files that a handler had opened for it would stay open.
 *
 * A middleware would come too late: before the first one, Express parses the query, which may take
 * milliseconds.
 */
export function inTurn(handler: RequestListener): RequestListener {
  return (request, response) => {
    const handle = () => {
      if (!response.destroyed) handler(request, response)
    }
    // Node gives the connection to one response at a time.
    if (response.socket === null) response.once('socket', () => inLaterTurn(handle))
    else if (String(request.url).length > LONG_TARGET) inLaterTurn(handle, TURNS_AHEAD)
    else handle()
  }
}
