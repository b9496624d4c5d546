import type { Duplex } from 'node:stream'

/** Milliseconds that a client gets to read the last bytes and to close its side. */
const LINGER = 1000

/**
 * Ends a connection so that the client still receives what was sent: destroying it with unread bytes would
 * reset it, and a reset discards what is on its way (RFC 9112 section 9.6). What still arrives is not parsed.
 *
 * @param last the bytes to send before the end
 */
export function lingeringClose(socket: Duplex, last = ''): void {
  if (socket.writableEnded) return
  socket.end(last)
  // Node may have paused it, because nobody has read the body of a request, and resumes it in the next tick.
  socket.resume()
  process.nextTick(() => socket.removeAllListeners('data').on('data', () => {}))
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
