import type { IncomingMessage, RequestListener } from 'node:http'

/** Bytes that are gathered at most before they are handed on: what Node buffers of a request nobody reads. */
const BLOCK = 16 * 1024

/** Bytes of a chunk from which a Buffer of its own costs little. */
const LARGE_CHUNK = 1024

/**
 * Lets the chunks of a body (RFC 9112 section 7.1) be few, however small the client has cut them. Node makes a
 * Buffer of each chunk, which takes two hundred times the memory of a byte: a hundred clients that send 64 kB
 * in chunks of one byte, before a step has read or refused them, would end a process with a heap of 256 MB.
 */
export function withGatheredChunks(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers['transfer-encoding'] !== undefined) gatherChunks(request)
    handler(request, response)
  }
}

function gatherChunks(request: IncomingMessage): void {
  const block = Buffer.allocUnsafe(BLOCK)
  let length = 0
  // Node's parser calls this for each chunk, and stops reading from the connection when it returns false.
  const push = request.push.bind(request)
  const handOn = (): boolean => {
    if (length === 0) return true
    const gathered = Buffer.from(block.subarray(0, length))
    length = 0
    return push(gathered)
  }
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || chunk.length >= LARGE_CHUNK) {
      handOn()
      return push(chunk)
    }
    if (length === 0) setImmediate(handOn)
    length += chunk.copy(block, length)
    return length + LARGE_CHUNK > BLOCK ? handOn() : true
  }
}
