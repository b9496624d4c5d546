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

/** How large the rules of one request can be, in bytes. */
export const FAULTS_SIZE = 100 * 1024

/** The fields of a rule, in JSON Schema: the limits here are those that are checked. */
export const FAULT_FIELDS = {
  method: { type: 'string', description: 'In capitals. Default: any.' },
  path: {
    type: 'string',
    description:
      'As it is sent, or as the rewrite rules make it. Compared segment by segment: ' +
      '`:name` is any one, `*` at the end is one or more.',
  },
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'Sent instead of the response.' },
  body: { description: 'Any JSON value, with a `status`.' },
  headers: { type: 'object', description: 'By their names, with a `status`.' },
  delay: { type: 'integer', minimum: 0, maximum: 60_000, description: 'Milliseconds to wait first.' },
  drop: {
    type: 'boolean',
    enum: [true],
    description:
      'Closes the connection without a response. A browser may send the request again, and so hide one.',
  },
  times: { type: 'integer', minimum: 1, description: 'How many requests it acts on. Default: all.' },
} as const satisfies Record<keyof FaultRule, object>
