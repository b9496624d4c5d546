import { badRequest } from '../../errors'
import { isObject } from '../../is-record'

/**
 * Characters of JSON: enough for a whole collection several times over, and a fifth of Node's longest string.
 */
const MOST_CHARACTERS = 100_000_000

/** The braces, the indentation and the line ends around each record. */
const AROUND = 20

/**
 * Counts what relations add to a response: adding the same records to many others can make it too large for
 * the memory.
 *
 * @returns a function to call with each value that is added. It throws HttpError 400 when the values added
 *   more than once exceed 100 million characters of JSON
 */
export function countResponse() {
  const lengths = new Map<object, number | undefined>()
  let left = MOST_CHARACTERS

  return function count(value: unknown): void {
    if (Array.isArray(value)) for (const record of value) count(record)
    if (!isObject(value) || Array.isArray(value)) return
    // Most records are added once, so they need not be turned into text.
    if (!lengths.has(value)) return void lengths.set(value, undefined)
    const length = lengths.get(value) ?? JSON.stringify(value).length + AROUND
    lengths.set(value, length)
    left -= length
    if (left < 0)
      throw badRequest(
        'The response would be too large: ask for a page (_page, _limit), or for fewer relations.',
      )
  }
}
