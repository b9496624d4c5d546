import { jsonContent, jsonResponse, type Paths, type Schema, sharedResponses } from '../../http/operations'
import { FAULT_LIMITS, type FaultRule } from './fault-rule'

const FIELDS: Record<keyof FaultRule, Schema> = {
  method: { type: 'string', description: 'In capitals. Default: any.' },
  path: {
    type: 'string',
    description:
      'As it is sent, or as the rewrite rules make it. Compared segment by segment: `:name` is any one, ' +
      '`*` at the end is one or more.',
  },
  status: { type: 'integer', ...FAULT_LIMITS.status, description: 'Sent instead of the response.' },
  body: { description: 'Any JSON value, with a `status`.' },
  headers: { type: 'object', description: 'By their names, with a `status`.' },
  delay: { type: 'integer', ...FAULT_LIMITS.delay, description: 'Milliseconds to wait first.' },
  drop: {
    type: 'boolean',
    enum: [true],
    description:
      'Closes the connection without a response. A browser may send the request again, and so hide one.',
  },
  times: {
    type: 'integer',
    ...FAULT_LIMITS.times,
    description: 'How many requests it acts on. Default: all.',
  },
}

/** The rules of a sandbox by which requests fail, for the document. */
export function faultPaths(): Paths {
  const rule = { type: 'object', properties: FIELDS, required: ['path'], additionalProperties: false }
  const listed = {
    ...rule,
    properties: { ...FIELDS, acted: { type: 'integer', minimum: 0 } },
    required: ['path', 'acted'],
  }
  return {
    '/__sandbox/faults': {
      get: {
        operationId: 'readFaults',
        tags: ['Sandboxes'],
        summary: 'List the rules for failures',
        description: 'The rules of this sandbox, each with the number of requests on which it has `acted`.',
        responses: { 200: jsonResponse('The rules.', { type: 'array', items: listed }, []) },
      },
      put: {
        operationId: 'setFaults',
        tags: ['Sandboxes'],
        summary: 'Make requests fail',
        description: 'The rules replace the previous ones. Each needs a `status`, a `delay` or a `drop`.',
        requestBody: {
          required: true,
          content: jsonContent({ type: 'array', items: rule }, [
            { method: 'POST', path: '/auth/login', status: 503, times: 1 },
          ]),
        },
        responses: { 204: { description: 'Done.' }, ...sharedResponses('4XX') },
      },
    },
  }
}
