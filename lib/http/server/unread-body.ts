import type { ServerResponse } from 'node:http'

/** Milliseconds after a response in which the rest of its request may arrive: 30 MB on one machine take 50. */
const PATIENCE = 1000

/**
 * Ends a connection on which a body still arrives a second after its response, because it may never come to its
 * end. Until then, Node reads it and throws it away, so that a client that sends all of it before it looks at the
 * response gets that, and can go on.
 */
export function endUnreadBody(response: ServerResponse): void {
  const { req: request } = response
  response.once('finish', () => {
    if (request.complete) return
    const timer = setTimeout(() => request.socket.destroy(), PATIENCE)
    request.once('close', () => clearTimeout(timer))
  })
}
