/** A rule by which requests fail, as `PUT /__sandbox/faults` and `--faults` take it. */
export interface FaultRule {
  /** Default: any. */
  readonly method?: string
  /**
   * Compared with the path as it was sent, and as the rewrite rules make it, segment by segment: `:name` is
   * any one, `*` at the end is one or more.
   */
  readonly path: string
  /** Sent at once, instead of handling the request. */
  readonly status?: number
  /** Any JSON value. Default: a sentence. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | number>>
  /** Milliseconds. */
  readonly delay?: number
  /** Closes the connection without a response. */
  readonly drop?: true
  /** How many requests it acts on. Default: all. */
  readonly times?: number
}

/** The limits of a rule's numbers, as JSON Schema and the sentences of the check have them. */
export const FAULT_LIMITS = {
  status: { minimum: 400, maximum: 599 },
  delay: { minimum: 0, maximum: 60_000 },
  times: { minimum: 1 },
}

/** A rule, and on how many requests it has acted. */
export interface ActedRule extends FaultRule {
  acted: number
}

/** Rules, or a function that returns the current ones: for rules that can change while the server runs. */
export type CurrentFaults = readonly FaultRule[] | (() => readonly FaultRule[])
