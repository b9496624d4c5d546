import path from 'node:path'
import { LOGIN_PATH } from '../../../auth/access-policy'
import type { Content, DocsAddition, Operation, Parameter, Response, Schema } from '../../docs-addition'
import type { SandboxAddition } from '../../sandbox-addition'
import { JOURNAL_LIMITS, SANDBOX_LIMITS, SANDBOX_NAME } from '../limits'

const TAG = 'Sandboxes'
const { pattern, mustBe } = SANDBOX_NAME

/** What `--sandboxes` adds to the document and the page: its routes, and the header that names a sandbox. */
export function sandboxDocs(additions: readonly SandboxAddition[]): DocsAddition {
  return {
    tag: { name: TAG, description: 'Separate data for each test or visitor.' },
    paths: [
      ['/__sandbox', { delete: FORGET }],
      ['/__sandbox/reset', { post: RESET }],
      ['/__sandbox/requests', { get: LIST_REQUESTS }],
      ...additions.flatMap(({ paths }) => paths(TAG)),
    ],
    everywhere: {
      parameters: [{ $ref: '#/components/parameters/X-Sandbox' }],
      responses: {
        400: { $ref: '#/components/responses/badSandbox' },
        503: { $ref: '#/components/responses/noRoom' },
      },
    },
    components: {
      parameters: {
        'X-Sandbox': {
          name: 'X-Sandbox',
          in: 'header',
          required: false,
          description:
            'The sandbox that the request is for. Default: the one of the token, or the main data.',
          schema: { type: 'string', pattern, description: mustBe },
        },
      },
      responses: {
        badSandbox: failure(
          'The sandbox, or something else in the request, cannot be used.',
          `X-Sandbox must be ${mustBe}.`,
        ),
        noRoom: failure(
          'There is no room for another sandbox, or for more data.',
          `There are already ${SANDBOX_LIMITS.count} sandboxes. Forget one with DELETE /__sandbox.`,
        ),
      },
    },
    pageModule: path.join(__dirname, 'sandbox.mjs'),
  }
}

const DONE: Operation['responses'] = { 204: { description: 'Done.' } }

const FORGET: Operation = {
  operationId: 'forgetSandbox',
  tags: [TAG],
  summary: 'Forget a sandbox',
  description: 'Its data and its faults are deleted.',
  responses: DONE,
}

const RESET: Operation = {
  operationId: 'resetSandbox',
  tags: [TAG],
  summary: 'Reset a sandbox',
  description:
    'Back to the data as it was loaded, without faults. ' +
    'The collections in the body replace those of the same names, which the loaded data must have.',
  requestBody: {
    required: false,
    content: json({ type: 'object', additionalProperties: true }, { blogs: [] }),
  },
  responses: { ...DONE, '4XX': { $ref: '#/components/responses/badBody' } },
}

const JOURNAL_ENTRY: Schema = {
  type: 'object',
  properties: {
    method: { type: 'string' },
    path: { type: 'string', description: 'As it was sent.' },
    rewritten: { type: 'string', description: 'The path behind the rewrite rules, if that is another one.' },
    query: { type: 'object' },
    body: {
      description:
        'The parsed body; null if none was parsed. Left out if it is too large or nested too deep.',
    },
    status: { type: 'integer', minimum: 0, description: '0 if no response was sent.' },
    truncated: { type: 'boolean', enum: [true] },
  },
  required: ['method', 'path', 'query', 'status'],
  additionalProperties: false,
}

const LIST_REQUESTS: Operation = {
  operationId: 'listRequests',
  tags: [TAG],
  summary: 'List requests',
  description:
    'The requests of this sandbox since it began or was reset, oldest first: ' +
    `the last ${JOURNAL_LIMITS.requests.toLocaleString('en')} requests. ` +
    'The values of fields named `password` are blanked.',
  parameters: [
    filter('method', 'Only requests with this method.', 'POST'),
    filter(
      'path',
      'Only requests for this path, as it was sent or rewritten; or for a pattern as in a rule for faults.',
      LOGIN_PATH,
    ),
  ],
  responses: {
    200: { description: 'The requests.', content: json({ type: 'array', items: JOURNAL_ENTRY }, []) },
  },
}

function filter(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, example }
}

function failure(description: string, error: string): Response {
  return { description, content: json({ $ref: '#/components/schemas/Error' }, { error }) }
}

function json(schema: Schema, example?: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}
