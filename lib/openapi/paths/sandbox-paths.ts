import { LOGIN_PATH } from '../../auth/access-policy'
import type { DocumentContext, SandboxFacts } from '../context'
import { TAGS } from '../names'
import { BODY_FAILURES, failure } from '../responses'
import {
  ANY_OBJECT,
  HERE,
  json,
  type Operation,
  type Parameter,
  type PathEntry,
  type Reference,
  referTo,
  type Schema,
} from '../types'

/** What sandboxes add to every operation. */
export interface InSandboxes {
  readonly parameters: readonly Reference[]
  readonly responses: Operation['responses']
}

/**
 * What sandboxes add to every operation of a server that has them: the header, and what can be wrong with it.
 */
export function inSandboxes({ sandboxes }: DocumentContext): InSandboxes {
  if (sandboxes === undefined) return { parameters: [], responses: {} }
  return {
    parameters: [referTo('parameters', 'X-Sandbox')],
    responses: { 400: referTo('responses', 'badSandbox'), 503: referTo('responses', 'noRoom') },
  }
}

/** The components for {@link inSandboxes}. */
export function sandboxComponents({ sandboxes }: DocumentContext) {
  if (sandboxes === undefined) return {}
  const { name, most } = sandboxes
  const { pattern, mustBe } = name
  const header: Parameter = {
    name: 'X-Sandbox',
    in: 'header',
    required: false,
    description: 'The sandbox that the request is for. Default: the one of the token, or the main data.',
    schema: { type: 'string', pattern, description: mustBe },
  }
  return {
    parameters: { 'X-Sandbox': header },
    responses: {
      badSandbox: failure(
        'The sandbox, or something else in the request, cannot be used.',
        `X-Sandbox must be ${mustBe}.`,
      ),
      noRoom: failure(
        'There is no room for another sandbox, or for more data.',
        `There are already ${most} sandboxes. Forget one with DELETE /__sandbox.`,
      ),
    },
  }
}

/** The routes that control a sandbox, on a server that has them. */
export function sandboxPaths({ sandboxes }: DocumentContext): PathEntry[] {
  if (sandboxes === undefined) return []
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
  const list: Operation = {
    operationId: 'listRequests',
    tags: [TAGS.sandboxes],
    summary: 'List requests',
    description:
      'The requests of this sandbox since it began or was reset, oldest first: ' +
      `the last ${sandboxes.mostRequests.toLocaleString('en')} requests. ` +
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
  const faults: Operation = {
    operationId: 'listFaults',
    tags: [TAGS.sandboxes],
    summary: 'List the rules for failures',
    description: 'The rules of this sandbox, each with the number of requests on which it has `acted`.',
    responses: {
      200: {
        description: 'The rules.',
        content: json({ type: 'array', items: actedRule(sandboxes) }, []),
      },
    },
  }
  const forget = control('forgetSandbox', 'Forget a sandbox', 'Its data and its faults are deleted.')
  const reset = control(
    'resetSandbox',
    'Reset a sandbox',
    'Back to the data as it was loaded, without faults. ' +
      'The collections in the body replace those of the same names, which the loaded data must have.',
    { required: false, content: json(ANY_OBJECT, { blogs: [] }) },
  )
  const fail = control('setFaults', 'Make requests fail', 'The rules replace the previous ones.', {
    required: true,
    content: json({ type: 'array', items: faultRule(sandboxes) }),
  })
  return [
    ['/__sandbox', { servers: [HERE], delete: forget }],
    ['/__sandbox/reset', { servers: [HERE], post: reset }],
    ['/__sandbox/faults', { servers: [HERE], get: faults, put: fail }],
    ['/__sandbox/requests', { servers: [HERE], get: list }],
  ]
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

function filter(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, example }
}

function faultRule({ faultFields }: SandboxFacts): Schema {
  return {
    type: 'object',
    description: 'A rule by which requests fail. It needs a `status`, a `delay` or a `drop`.',
    properties: faultFields,
    required: ['path'],
    additionalProperties: false,
    examples: [{ method: 'POST', path: LOGIN_PATH, status: 503, times: 1 }],
  }
}

function actedRule({ faultFields }: SandboxFacts): Schema {
  return {
    type: 'object',
    properties: { ...faultFields, acted: { type: 'integer', minimum: 0 } },
    required: ['path', 'acted'],
    additionalProperties: false,
  }
}
