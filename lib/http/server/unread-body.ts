import type { ServerResponse } from 'node:http'
import { hasBody } from '../request'

/** Milliseconds after a response in which the rest of its request may arrive: 30 MB on one machine take 50. */
const PATIENCE = 1000

/** Bytes of a body that is read to its end, and thrown away, though nobody wants it: an upload has them. */
const LONGEST = 64 * 1024 * 1024

/** Bytes that are read on of a body that is longer, or does not say how long it is, and milliseconds between two looks. */
const MOST_READ_ON = 1024 * 1024
const LOOK_INTERVAL = 10

/**
 * Ends a connection on which a body still arrives a second after its response, because it may never come to its
 * end. Until then, Node reads it, so that a client that sends all of it before it looks at the response gets
 * that, and can go on. Of one that is longer, or does not say how long it is, it reads only the next megabyte: a hundred
 * that have no end would keep a core busy for that second.
 */
export function endUnreadBody(response: ServerResponse): void {
  const { req: request } = response
  const { socket } = request
  if (!hasBody(request)) return
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
      const isLong = !(Number(request.headers['content-length']) <= LONGEST)
      const last = socket.bytesRead + MOST_READ_ON
      const pauseAtEnd = () => socket.bytesRead > last && socket.pause()
      const looks = isLong ? setInterval(pauseAtEnd, LOOK_INTERVAL) : undefined
      request.once('close', () => {
        clearTimeout(timer)
        clearInterval(looks)
        end()
      })
    })
  })
}
