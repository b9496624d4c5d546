import { type DataError, EmptyError } from './valid-data'

/** Milliseconds for which an empty text is no problem: an editor may have emptied a file, and be about to fill it. */
const EMPTY_PATIENCE = 150

interface ProblemReportOptions {
  say: (problem: DataError) => void
  /** Looks whether there still is a problem, and reports that. */
  lookAgain: () => void
}

/** Says what is wrong with a source: once for as long as it stays wrong, and of an empty text in a moment. */
export class ProblemReport {
  /** The sentences about what is still wrong, as far as that is known. */
  #said: ReadonlySet<string> = new Set()
  /** An empty text that was found, and whether that was a moment ago. */
  #empty: { isOld: boolean } | undefined
  readonly #options: ProblemReportOptions

  constructor(options: ProblemReportOptions) {
    this.#options = options
  }

  /**
   * @param problems all that is wrong now
   * @returns whether less is wrong than what was said, as far as that is known
   */
  report(problems: readonly DataError[]): boolean {
    const said = this.#said
    if (!problems.some((problem) => problem instanceof EmptyError)) this.#empty = undefined
    const sure = problems.filter((problem) => !(problem instanceof EmptyError) || this.#isOld())
    // While an editor may be about to fill a file, what was said before may still be wrong.
    const isUnsure = sure.length < problems.length
    this.#said = new Set([...(isUnsure ? said : []), ...sure.map(({ message }) => message)])
    for (const problem of sure) if (!said.has(problem.message)) this.#options.say(problem)
    return !isUnsure && problems.length < said.size
  }

  /** Whether the empty text was found so a moment ago. */
  #isOld(): boolean {
    this.#empty ??= this.#lookAgain()
    return this.#empty.isOld
  }

  #lookAgain() {
    const empty = { isOld: false }
    setTimeout(() => {
      empty.isOld = true
      if (this.#empty === empty) this.#options.lookAgain()
    }, EMPTY_PATIENCE).unref()
    return empty
  }

  /** Says nothing more of an empty text. */
  close(): void {
    this.#empty = undefined
  }
}
