import type { RequestListener } from 'node:http'

/** Those that wait, and how many turns of the event loop each still waits when it is the first. */
const waiting: { task: () => void; turns: number }[] = []

/**
 * Calls a function later: in each turn of the event loop, at most one that waits. Between two of them the
 * event loop looks at all sockets, and accepts one connection. If each connection had its next request in
 * every turn, a client that connects behind 300 others would wait for 45,000 of their requests.
 *
 * @param turns how many turns pass before it, at least one
 */
export function inLaterTurn(task: () => void, turns = 1): void {
  waiting.push({ task, turns })
  if (waiting.length === 1) setImmediate(takeTurn)
}

function takeTurn(): void {
  const [first] = waiting
  if (first === undefined) return
  first.turns -= 1
  const isDue = first.turns <= 0
  if (isDue) waiting.shift()
  if (waiting.length > 0) setImmediate(takeTurn)
  if (isDue) first.task()
}

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
