import path from 'node:path'
import {
  ANY_OBJECT,
  ERROR,
  jsonContent,
  jsonResponse,
  type Paths,
  sharedResponses,
} from '../../../http/operations'
import type { DocsAddition } from '../../docs-addition'
import { faultPaths } from '../../faults/fault-docs'
import { SANDBOX_HEADER, SANDBOX_NAME } from '../header'
import { JOURNAL_LIMITS } from '../journal'
import { SANDBOX_LIMITS } from '../sandboxes'

/** What `--sandboxes` adds to the document and the page: its routes, and the header that names a sandbox. */
export function sandboxDocs(): DocsAddition {
  return {
    paths: { ...sandboxPaths(), ...faultPaths() },
    parameters: {
      [SANDBOX_HEADER]: {
        name: SANDBOX_HEADER,
        in: 'header',
        required: false,
        description: 'The sandbox that the request is for. Default: the one of the token, or the main data.',
        schema: SANDBOX_NAME,
      },
    },
    responses: {
      400: jsonResponse('The sandbox, or something else in the request, cannot be used.', ERROR, {
        error: `${SANDBOX_HEADER} must be ${SANDBOX_NAME.description}.`,
      }),
      503: jsonResponse('There is no room for another sandbox.', ERROR, {
        error: `There are already ${SANDBOX_LIMITS.count} sandboxes. Forget one with DELETE /__sandbox.`,
      }),
    },
    pageModule: path.join(__dirname, 'sandbox.mjs'),
  }
}

function sandboxPaths(): Paths {
  const text = { type: 'string' }
  const tags = ['Sandboxes']
  const done = { 204: { description: 'Done.' } }
  return {
    '/__sandbox': {
      delete: {
        operationId: 'forgetSandbox',
        tags,
        summary: 'Forget a sandbox',
        description: 'Its data and its faults are deleted.',
        responses: done,
      },
    },
    '/__sandbox/reset': {
      post: {
        operationId: 'resetSandbox',
        tags,
        summary: 'Reset a sandbox',
        description:
          'Back to the data as it was loaded, without faults. The collections in the body replace those of ' +
          'the same names, which the loaded data must have.',
        requestBody: { required: false, content: jsonContent(ANY_OBJECT, { blogs: [] }) },
        responses: { ...done, ...sharedResponses('4XX') },
      },
    },
    '/__sandbox/requests': {
      get: {
        operationId: 'readRequests',
        tags,
        summary: 'List requests',
        description:
          'The requests of this sandbox since it began or was reset, oldest first: the last ' +
          `${JOURNAL_LIMITS.requests.toLocaleString('en')} requests. ` +
          'The values of fields whose names mean a secret, such as `password`, are blanked.',
        parameters: [
          {
            name: 'method',
            in: 'query',
            description: 'Only requests with this method.',
            schema: text,
            example: 'POST',
          },
          {
            name: 'path',
            in: 'query',
            description:
              'Only requests for this path, as it was sent or rewritten; or for a pattern as in a rule for ' +
              'faults.',
            schema: text,
            example: '/auth/login',
          },
        ],
        responses: { 200: jsonResponse('The requests.', { type: 'array', items: journalEntry() }, []) },
      },
    },
  }
}

function journalEntry() {
  return {
    type: 'object',
    properties: {
      method: { type: 'string' },
      path: { type: 'string', description: 'As it was sent.' },
      rewritten: {
        type: 'string',
        description: 'The path behind the rewrite rules, if that is another one.',
      },
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
}
