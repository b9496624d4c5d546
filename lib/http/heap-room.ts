import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HttpError } from '../errors'

/**
 * How many bytes of V8's heap a byte of JSON takes at most until its change is stored and sent: `{},` alone
 * becomes an object of 64 bytes, and lines of text.
 */
const HEAP_PER_BYTE = 50

/**
 * Called before a body is parsed, as the option `verify` of body-parser, which would overwrite the `body` of
 * an HttpError: so that is the cause of the error.
 *
 * @throws Error caused by an HttpError 503 when the heap may have no room for the content
 */
export function requireRoomFor(_request: unknown, _response: unknown, body: Buffer): void {
  try {
    requireHeap((used, limit) => used + HEAP_PER_BYTE * body.length <= limit)
  } catch (cause) {
    throw new Error('There is no room for the body.', { cause })
  }
}

/**
 * Called before a sandbox begins.
 *
 * @throws HttpError 503 when more than half of the heap is in use
 */
export function requireHalfOfHeap(): void {
  requireHeap((used, limit) => used <= limit / 2)
}

/** @param suffices whether there is room with this many bytes in use, and this limit */
function requireHeap(suffices: (used: number, limit: number) => boolean): void {
  const isRoomy = () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return suffices(used, limit)
  }
  if (isRoomy()) return
  // Much of what is in use may be garbage, which V8 keeps while nothing else needs the room.
  collectGarbage()
  if (isRoomy()) return
  throw new HttpError({
    status: 503,
    message:
      'The memory of the server is nearly full: delete records, forget sandboxes, or give Node.js more ' +
      "with --max-old-space-size. In a test's own process, the memory is the test's as well.",
    headers: { 'Retry-After': '60' },
  })
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
