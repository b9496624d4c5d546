import { createContext, isContext, Script } from 'node:vm'
import { errorCode } from '../../error-code'
import { badRequest } from '../../errors'

/** Milliseconds by the clock. */
const TIME = 1000

/** How many characters a pattern must read in a millisecond: an honest one reads thirty times as many. */
const CHARACTERS = 5000

/** Reading a record takes as long as this many characters, however short its text is. */
const ONE_RECORD = 100

const script = new Script('work()', { filename: 'in-limited-time' })

/** The globals of the script. Made into a context at the first use, because that takes a millisecond. */
const globals: { work?: () => void } = {}

/**
 * The regular expressions of one request. Only Node's `vm` can interrupt one that takes forever, but a limit
 * for a whole list would refuse long lists on a busy machine. So patterns may take as long as they get on,
 * and one second longer.
 */
export class Patterns {
  #left = TIME

  /**
   * The records with a value that matches one of the patterns.
   *
   * @param valueIn the value of a record; undefined or null if it has none
   * @throws HttpError 400 when a pattern is not valid, overflows the stack, or takes too long
   */
  filter(
    records: readonly unknown[],
    valueIn: (record: unknown) => unknown,
    patterns: readonly string[],
  ): unknown[] {
    const isMatch: boolean[] = []
    let compiled: RegExp[] | undefined
    let position = 0
    let read = 0
    const work = (): void => {
      for (; position < records.length; position += 1) {
        const value = valueIn(records[position])
        const text = value === undefined || value === null ? '' : String(value)
        if (value !== undefined && value !== null) {
          // Not before: json-server ignores an invalid pattern for a field that no record has.
          compiled ??= patterns.map((pattern) => new RegExp(pattern, 'i'))
          isMatch[position] = compiled.some((pattern) => pattern.test(text))
        }
        read += text.length + ONE_RECORD
      }
    }
    while (position < records.length) {
      const before = read
      const time = runInTime(work, this.#left)
      this.#left = Math.min(TIME, this.#left - time + (read - before) / CHARACTERS)
      if (this.#left <= 0)
        throw badRequest(
          'The regular expressions of this query take too long on this data: use simpler ones.',
        )
    }
    return records.filter((_record, index) => isMatch[index])
  }
}

/**
 * Runs work until it is done or the time is up; it then goes on where it was interrupted.
 *
 * @param limit milliseconds
 * @returns the milliseconds that it took
 */
function runInTime(work: () => void, limit: number): number {
  if (!isContext(globals)) createContext(globals)
  globals.work = work
  const start = performance.now()
  try {
    script.runInContext(globals, { timeout: Math.ceil(limit) })
  } catch (error) {
    if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw explained(error)
  }
  return performance.now() - start
}

function explained(error: unknown): unknown {
  if (error instanceof SyntaxError)
    return badRequest(
      'The regular expression in "_like" is not valid: put a backslash before each special character.',
    )
  // The stack is too small to compile or to run the regular expression.
  if (error instanceof RangeError)
    return badRequest('The regular expression in "_like" is nested too deeply: simplify it.')
  return error
}
