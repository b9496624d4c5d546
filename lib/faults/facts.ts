import type { FaultRule } from './fault-rules'

/** How large the rules of one request can be, in bytes. */
export const FAULTS_SIZE = 100 * 1024

/** The fields of a rule, in JSON Schema: the limits here are those that are checked. */
export const FAULT_FIELDS = {
  method: { type: 'string', description: 'In capitals. Default: any.' },
  path: {
    type: 'string',
    description: 'Compared segment by segment: `:name` is any one, `*` at the end is one or more.',
  },
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'Sent instead of the response.' },
  body: { description: 'Any JSON value, with a `status`.' },
  headers: { type: 'object', description: 'By their names, with a `status`.' },
  delay: { type: 'integer', minimum: 0, maximum: 60_000, description: 'Milliseconds to wait first.' },
  drop: { type: 'boolean', enum: [true], description: 'Closes the connection without a response.' },
  times: { type: 'integer', minimum: 1, description: 'How many requests it acts on. Default: all.' },
} as const satisfies Record<keyof FaultRule, object>
