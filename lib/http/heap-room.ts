import { constants } from 'node:buffer'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HttpError } from '../errors'
import { isObject } from '../is-record'

/**
 * How many bytes of V8's heap a byte of JSON takes at most until its change is stored and sent: `{},` alone
 * becomes an object of 64 bytes, and lines of text.
 */
const HEAP_PER_BYTE = 50

/** How many bytes of the heap a character of a response takes at most: two, in its pieces and joined. */
const HEAP_PER_CHARACTER = 4

/**
 * The share of the heap that may be in use when a change begins: the rest is for responses. V8 counts its
 * space for new objects as part of the heap, where stored records have no place.
 */
const SHARE_OF_DATA = 3 / 4

/** The share of the heap that is there for data and responses together. */
const USABLE_SHARE = 7 / 8

/** How many characters of JSON a byte of the heap becomes at most: a number in a list, nested deep. */
const CHARACTERS_PER_BYTE = 27

const { MAX_STRING_LENGTH } = constants

/** The characters around each value, besides its name: a quotation mark or brackets, a colon, a comma. */
const AROUND_VALUE = 8

/**
 * Called before a body is parsed, as the option `verify` of body-parser, which would overwrite the `body` of
 * an HttpError: so that is the cause of the error.
 *
 * @throws Error caused by an HttpError 503 when the heap may have no room for the content
 */
export function requireRoomFor(_request: unknown, _response: unknown, body: Buffer): void {
  try {
    requireHeap((used, limit) => used <= limit * SHARE_OF_DATA && used + HEAP_PER_BYTE * body.length <= limit)
  } catch (cause) {
    throw new Error('There is no room for the body.', { cause })
  }
}

/**
 * Called before a resource is turned into text, which may be many times larger: V8 ends the process when a
 * text does not fit into the heap.
 *
 * @throws HttpError 503 when the heap may have no room for the text
 */
export function requireRoomForText(resource: unknown): void {
  requireHeap((used, limit) => {
    const most = (limit * USABLE_SHARE - used) / HEAP_PER_CHARACTER
    // No text is longer than a string can be, whatever the data is.
    return Math.min(used * CHARACTERS_PER_BYTE, MAX_STRING_LENGTH) <= most || isShorter(resource, most)
  })
}

/** Whether the JSON of a value, with two spaces for each level, is shorter than this many characters. */
function isShorter(resource: unknown, most: number): boolean {
  let left = most
  const count = (value: unknown, indentation: number): void => {
    left -= indentation + AROUND_VALUE
    if (left < 0) return
    if (typeof value === 'string') left -= JSON.stringify(value).length
    else if (!isObject(value)) left -= String(value).length
    else if ('toJSON' in value && typeof value.toJSON === 'function') count(value.toJSON(), indentation)
    else if (Array.isArray(value)) for (const item of value) count(item, indentation + 2)
    else
      for (const [name, item] of Object.entries(value)) {
        left -= name.length
        count(item, indentation + 2)
      }
  }
  count(resource, 0)
  return left >= 0
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
