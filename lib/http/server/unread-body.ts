import type { ServerResponse } from 'node:http'
import { hasBody } from '../request'

/** Milliseconds after a response in which the rest of its request may arrive: 30 MB on one machine take 50. */
const PATIENCE = 1000

/** Bytes of a body that are read to their end, and thrown away, though nobody wants them: an upload has them. */
const LONGEST = 64 * 1024 * 1024

/**
 * Ends a connection on which a body still arrives a second after its response, because it may never come to its
 * end. Until then, Node reads it, so that a client that sends all of it before it looks at the response gets
 * that, and can go on. Of one that is longer, or does not say how long it is, nothing more is read: a hundred that
 * have no end would keep a core busy for that second. Then the response says that the connection ends.
 */
export function endUnreadBody(response: ServerResponse): void {
  const { req: request } = response
  const { socket } = request
  if (!hasBody(request)) return
  const isLong = !(Number(request.headers['content-length']) <= LONGEST)
  const { shouldKeepAlive } = response
  if (isLong) {
    response.shouldKeepAlive = false
    request.once('end', () => {
      response.shouldKeepAlive = shouldKeepAlive
    })
  }
  response.once('prefinish', () => {
    if (request.complete) return
    // Node calls this where the connection ends with the response. To destroy it with unread bytes would reset it
    // before its client has read that (RFC 9112 section 9.6).
    const { destroySoon } = socket
    socket.destroySoon = () => socket.end()
    const end = () => {
      socket.destroySoon = destroySoon
      if (socket.writableEnded) socket.destroySoon()
    }
    response.once('finish', () => {
      if (request.complete) return end()
      const timer = setTimeout(() => socket.destroy(), PATIENCE)
      request.once('close', () => {
        clearTimeout(timer)
        end()
      })
      // Node resumes it in the next tick.
      if (isLong) process.nextTick(() => socket.pause())
    })
  })
}
