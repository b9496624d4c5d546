import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HttpError, RETRY_LATER } from './errors'

/** The share of V8's heap that may be in use when data is added. A write takes about three times the data. */
const USABLE_SHARE = 3 / 10

/** The share of the usable memory that garbage may take before the next collection, once one has helped. */
const GARBAGE_SHARE = 1 / 10

/** The bytes in use up to which no collection is needed, because the last one has helped. */
let enoughUntil = 0

/** The moment before which no request collects garbage, because the last collection has not helped. */
let nextCollection = 0

/**
 * The one rule for memory: data is added only while at most three tenths of the heap are in use after a
 * collection of garbage. Reading and deleting are not asked.
 *
 * A collection takes about a second where 300 MB are in use, so two variables keep it rare.
 *
 * @throws HttpError 503 when more is in use
 */
export function requireMemory(): void {
  if (usedMemory() <= Math.max(usableMemory(), enoughUntil)) return
  const start = performance.now()
  if (start >= nextCollection) {
    collectGarbage()
    if (usedMemory() <= usableMemory()) {
      // Without this, a change would take 3 ms on average while the records take nearly all usable memory.
      enoughUntil = usedMemory() + usableMemory() * GARBAGE_SHARE
      return
    }
    const end = performance.now()
    // Without this, each of many refused requests would take a second. At most half of the time goes there.
    nextCollection = end + (end - start)
  }
  throw new HttpError({
    status: 503,
    message:
      'The memory of the server is nearly full: delete records, forget sandboxes, or give Node.js more ' +
      "with --max-old-space-size. In a test's own process, the memory is the test's as well.",
    headers: RETRY_LATER,
  })
}

function usedMemory(): number {
  return getHeapStatistics().used_heap_size
}

/** Three tenths of the heap, in bytes. */
export function usableMemory(): number {
  return getHeapStatistics().heap_size_limit * USABLE_SHARE
}

/** The flag gives a function to each context that is made after it was set, and to no other one. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
