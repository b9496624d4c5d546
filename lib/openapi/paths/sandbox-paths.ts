import type { DocumentContext } from '../context'
import { TAGS } from '../names'
import { BODY_FAILURES } from '../responses'
import { ANY_OBJECT, HERE, json, type Operation, type PathEntry, type Schema } from '../types'

const FAULT_RULE: Schema = {
  type: 'object',
  description: 'A rule by which requests fail. It needs a `status`, a `delay` or a `drop`.',
  properties: {
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
  },
  required: ['path'],
  additionalProperties: false,
  examples: [{ method: 'POST', path: '/auth/login', status: 503, times: 1 }],
}

/** The routes that control a sandbox, on a server that has them. */
export function sandboxPaths({ sandboxes }: DocumentContext): PathEntry[] {
  const control = (
    operationId: string,
    summary: string,
    description: string,
    requestBody?: Operation['requestBody'],
  ): Operation => ({
    operationId,
    tags: [TAGS.sandboxes],
    summary,
    description,
    requestBody,
    responses: { 204: { description: 'Done.' }, ...(requestBody && BODY_FAILURES) },
  })
  const forget = control('forgetSandbox', 'Forget a sandbox', 'Its data and its faults are deleted.')
  const reset = control(
    'resetSandbox',
    'Reset a sandbox',
    'Back to the data as it was loaded, without faults. The collections in the body replace those of the same names.',
    { required: false, content: json(ANY_OBJECT, { blogs: [] }) },
  )
  const fail = control('setFaults', 'Make requests fail', 'The rules replace the previous ones.', {
    required: true,
    content: json({ type: 'array', items: FAULT_RULE }),
  })
  return sandboxes
    ? [
        ['/__sandbox', { servers: [HERE], delete: forget }],
        ['/__sandbox/reset', { servers: [HERE], post: reset }],
        ['/__sandbox/faults', { servers: [HERE], put: fail }],
      ]
    : []
}
