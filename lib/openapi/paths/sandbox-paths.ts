import { type DocumentContext, TAGS } from '../context'
import { mapValues } from '../map-values'
import { BODY_FAILURES, failure } from '../responses'
import {
  HERE,
  json,
  type Operation,
  type Parameter,
  type PathEntry,
  type PathItem,
  type Schema,
  schemaReference,
} from '../types'
import { operation } from './operation'

export const SANDBOX_SCHEMAS = {
  FaultRule: {
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
  },
} as const satisfies Record<string, Schema>

const NAME: Parameter = {
  name: 'X-Sandbox',
  in: 'header',
  required: false,
  description: 'The sandbox that the request is for. Default: the one of the token, or the main data.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
}
const BAD_NAME = failure(
  'The sandbox, or the body, cannot be used.',
  'X-Sandbox must be 1 to 64 letters, digits, dots, underscores or hyphens.',
)
const NO_ROOM = failure(
  'There is no room for another sandbox, or for more data in one.',
  'There are 200 sandboxes already. Forget one with DELETE /__sandbox.',
)

/** The routes that control a sandbox, on a server that has them. */
export function sandboxPaths(context: DocumentContext): PathEntry[] {
  if (!context.sandboxes) return []
  const control = (id: string, summary: string, description: string, schema?: Schema): Operation =>
    operation(context, {
      id,
      tag: TAGS.sandboxes,
      summary,
      description,
      servers: [HERE],
      ...(schema && { requestBody: { required: id === 'setFaults', content: json(schema) } }),
      responses: {
        204: { description: 'Done.' },
        ...(schema && { ...BODY_FAILURES, 503: NO_ROOM }),
        400: BAD_NAME,
      },
    })
  return [
    [
      '/__sandbox',
      { delete: control('forgetSandbox', 'Forget a sandbox', 'Its data and its faults are deleted.') },
    ],
    [
      '/__sandbox/reset',
      {
        post: control(
          'resetSandbox',
          'Reset a sandbox',
          'Back to the data as it was loaded, without faults. The collections in the body replace those of the same names.',
          { type: 'object', description: 'Collections by name.', examples: [{ blogs: [] }] },
        ),
      },
    ],
    [
      '/__sandbox/faults',
      {
        put: control('setFaults', 'Make requests fail', 'The rules replace the previous ones.', {
          type: 'array',
          items: schemaReference('FaultRule'),
        }),
      },
    ],
  ]
}

/** The operations with the header that names a sandbox. */
export function withSandboxHeader(paths: Readonly<Record<string, PathItem>>): Record<string, PathItem> {
  const add = (operation: Operation): Operation => ({
    ...operation,
    parameters: [...(operation.parameters ?? []), NAME],
    responses: { 400: BAD_NAME, 503: NO_ROOM, ...operation.responses },
  })
  return mapValues(paths, (item) => mapValues(item, add))
}
