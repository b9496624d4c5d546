import { isRecord } from '../../is-record'
import { runInLimitedTime } from '../../limited-time'
import { runInProcessorTime } from '../../processor-time'
import type { JsonSchema } from './shape'

/** Milliseconds by the clock that the patterns of a record may take together. */
const PATTERN_TIME = 100

/** How many characters of a record, as JSON, are otherwise looked at in a millisecond, on a slow machine. */
const CHARACTERS_IN_TIME = 10_000

/**
 * A pattern that is plainly quick: it begins at the start of a text, and one of its parts at most can have various lengths,
 * so that there is one way for each length of it.
 */
const QUICK = (() => {
  const character = String.raw`(?:\\[^bBkpPuxc1-9]|\[(?:[^\]\\]|\\.)*\]|[^\\^$.|?*+()[\]{}]|\.)`
  const fixed = String.raw`(?:${character}(?:\{\d{1,3}\})?)*`
  return new RegExp(String.raw`^\^${fixed}(?:${character}(?:[?*+]|\{\d+,\d*\}))?${fixed}\$?$`, 's')
})()

/** A text that could not be compared with a pattern in time. */
export class SlowPattern extends Error {
  readonly text: string

  constructor(text: string) {
    super('a pattern takes too long')
    this.text = text
  }
}

/** Whether a schema itself has a pattern that could be slow. */
export function hasSlowPattern({ pattern, patternProperties }: JsonSchema): boolean {
  const patterns = [pattern, ...(isRecord(patternProperties) ? Object.keys(patternProperties) : [])]
  return patterns.some((one) => typeof one === 'string' && !QUICK.test(one))
}

/** What the patterns of a record may take together. */
interface PatternTime {
  /** Milliseconds that are left. */
  left: number
  /** Whether each pattern is interrupted by itself when they have passed. */
  readonly isEach: boolean
}

/** That of the record which is looked at; undefined where nobody has set a limit. */
let time: PatternTime | undefined

/** A pattern as ajv asks for one: those with the same text are one to it. */
export class SafePattern {
  readonly #expression: RegExp
  readonly #isQuick: boolean

  /** @throws SyntaxError for a pattern that is none */
  constructor(pattern: string, flags: string) {
    this.#expression = new RegExp(pattern, flags)
    this.#isQuick = QUICK.test(pattern)
  }

  /** @throws SlowPattern when patterns have had their time */
  test(text: string): boolean {
    if (this.#isQuick || time === undefined) return this.#expression.test(text)
    const start = performance.now()
    const fits = () => this.#expression.test(text)
    const done = time.isEach ? runInLimitedTime(fits, Math.ceil(time.left)) : { result: fits() }
    time.left -= performance.now() - start
    if (done === undefined || time.left <= 0) throw new SlowPattern(text)
    return done.result
  }

  toString(): string {
    return String(this.#expression)
  }
}

/**
 * Looks at a record whose schema has patterns that could be slow: all at once, and where that takes too long each by itself,
 * because something else may have taken the time, such as a long list.
 *
 * @param length of the record, as JSON
 * @throws SlowPattern for one that takes too long
 */
export function inPatternTime<Result>(look: () => Result, length: number): Result {
  const most = PATTERN_TIME + Math.ceil(length / CHARACTERS_IN_TIME)
  try {
    const lookAtAll = () => {
      time = { left: PATTERN_TIME, isEach: false }
      return look()
    }
    const done = runInProcessorTime(lookAtAll, most)
    if (done !== undefined) return done.result
    time = { left: PATTERN_TIME, isEach: true }
    return look()
  } finally {
    time = undefined
  }
}
