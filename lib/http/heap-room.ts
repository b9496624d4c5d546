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

/** How many bytes of the heap a character of a response takes: one or two, in its pieces and joined. */
const HEAP_PER_CHARACTER = { narrow: 2, wide: 4 }

/** In a text with such a character, V8 needs two bytes for each. */
const WIDE = /[^\0-\xff]/

/** How many of these bytes remain in use: `{}` and its place in a list. Fields named by numbers take 40. */
const STORED_PER_BYTE = 22

/**
 * The share of the heap that data may take. V8 ends a process that keeps four fifths of its space for old
 * objects in use, however much is left, and counts its space for new objects as part of the heap.
 */
const SHARE_OF_DATA = 3 / 5

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
    requireHeap(
      (used, limit) =>
        used + STORED_PER_BYTE * body.length <= limit * SHARE_OF_DATA &&
        used + HEAP_PER_BYTE * body.length <= limit,
    )
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
  requireHeap((used, limit) => hasRoomForText(resource, used, limit))
}

/**
 * Called before a change is saved: its record becomes text again when another one beside it is saved, and at
 * the next start, however much data there is by then.
 *
 * @throws HttpError 503 when the heap may have no room for the text then
 */
export function requireLastingRoomForText(resource: unknown): void {
  requireHeap((used, limit) => hasRoomForText(resource, Math.max(used, limit * SHARE_OF_DATA), limit))
}

function hasRoomForText(resource: unknown, used: number, limit: number): boolean {
  const free = limit * USABLE_SHARE - used
  // No text is longer than a string can be, whatever the data is.
  const longest = Math.min(used * CHARACTERS_PER_BYTE, MAX_STRING_LENGTH)
  return longest * HEAP_PER_CHARACTER.wide <= free || isTextSmaller(resource, free)
}

/** Whether the JSON of a value, with two spaces for each level, takes fewer bytes of the heap. */
function isTextSmaller(resource: unknown, bytes: number): boolean {
  let perCharacter = HEAP_PER_CHARACTER.narrow
  let length = 0
  const isFull = () => length * perCharacter > bytes
  const add = (text: string): void => {
    length += text.length
    if (WIDE.test(text)) perCharacter = HEAP_PER_CHARACTER.wide
  }
  const count = (value: unknown, indentation: number): void => {
    // A bracket that closes has a line of its own.
    length += (isObject(value) ? 2 : 1) * indentation + AROUND_VALUE
    if (isFull()) return
    if (typeof value === 'string') add(JSON.stringify(value))
    else if (!isObject(value)) add(String(value))
    else if ('toJSON' in value && typeof value.toJSON === 'function') count(value.toJSON(), indentation)
    else if (Array.isArray(value)) for (const item of value) count(item, indentation + 2)
    else
      for (const [name, item] of Object.entries(value)) {
        add(name)
        count(item, indentation + 2)
      }
  }
  count(resource, 0)
  return !isFull()
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
