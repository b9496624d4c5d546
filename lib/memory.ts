import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HttpError } from './errors'

/** The share of V8's heap that may be in use when data is added. A write takes about three times the data. */
const USABLE_SHARE = 3 / 10

/** The share of the usable memory that garbage may take before the next collection, once one has helped. */
const GARBAGE_SHARE = 1 / 10

/** The bytes in use up to which the last collection that has helped suffices. */
let enoughUntil = 0

/** Of many requests that are refused at once, few collect garbage: until then, none does. */
let nextCollection = 0

/**
 * The one rule for memory: data is added only while at most three tenths of the heap are in use after a
 * collection of garbage. Reading and deleting are not asked.
 *
 * @throws HttpError 503 when more is in use
 */
export function requireMemory(): void {
  if (usedMemory() <= Math.max(usableMemory(), enoughUntil)) return
  const start = performance.now()
  if (start >= nextCollection) {
    collectGarbage()
    if (usedMemory() <= usableMemory()) {
      // Without this, each change would wait for a collection while the records take nearly all of it.
      enoughUntil = usedMemory() + usableMemory() * GARBAGE_SHARE
      return
    }
    const end = performance.now()
    // At most half of the time is spent on collections that help nobody.
    nextCollection = end + (end - start)
  }
  throw new HttpError({
    status: 503,
    message:
      'The memory of the server is nearly full: delete records, forget sandboxes, or give Node.js more ' +
      "with --max-old-space-size. In a test's own process, the memory is the test's as well.",
    headers: { 'Retry-After': '60' },
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
