import type { Duplex } from 'node:stream'

/** Milliseconds that a client has to read the last bytes and to close its side. */
const LINGER = 1000

/**
 * Ends a connection so that the client still receives what was sent: with bytes unread, destroying it at once would
 * reset it, and a reset discards what is on its way (RFC 9112 section 9.6).
 *
 * @param last what is still sent
 */
export function endConnection(socket: Duplex, last?: string): void {
  if (socket.writableEnded) return
  socket.end(last)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
