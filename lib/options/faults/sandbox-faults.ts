import { LOGIN_PATH } from '../../auth/access-policy'
import type { PathOf } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import type { Content, Operation, PathEntry, Schema } from '../docs-addition'
import type { SandboxAddition } from '../sandbox-addition'
import { FAULT_FIELDS, FAULTS_SIZE } from './fault-rule'
import { Faults } from './faults'
import { faults } from './faults-step'
import { readFaultRules } from './read-fault-rules'

/** Rules by which the requests of a sandbox fail: `PUT` and `GET /__sandbox/faults`. */
export function sandboxFaults(rewrittenPath: PathOf): SandboxAddition {
  const ofSandboxes = new WeakMap<object, Faults>()
  return {
    routes: {
      'PUT /__sandbox/faults': {
        limit: FAULTS_SIZE,
        respond(sandbox, request, response) {
          ofSandboxes.set(sandbox, new Faults(readFaultRules(request.body)))
          response.status(204).end()
        },
      },
      'GET /__sandbox/faults': {
        respond(sandbox, _request, response) {
          response.setHeader('Cache-Control', 'no-store')
          sendJson(response, ofSandboxes.get(sandbox)?.list() ?? [])
        },
      },
    },
    step: (sandboxOf) =>
      faults((request) => {
        const sandbox = sandboxOf(request)
        return sandbox && ofSandboxes.get(sandbox)
      }, rewrittenPath),
    paths: (tag) => [describe(tag)],
  }
}

function describe(tag: string): PathEntry {
  const put: Operation = {
    operationId: 'setFaults',
    tags: [tag],
    summary: 'Make requests fail',
    description: 'The rules replace the previous ones.',
    requestBody: { required: true, content: json({ type: 'array', items: RULE }) },
    responses: { 204: { description: 'Done.' }, '4XX': { $ref: '#/components/responses/badBody' } },
  }
  const get: Operation = {
    operationId: 'listFaults',
    tags: [tag],
    summary: 'List the rules for failures',
    description: 'The rules of this sandbox, each with the number of requests on which it has `acted`.',
    responses: {
      200: { description: 'The rules.', content: json({ type: 'array', items: ACTED_RULE }, []) },
    },
  }
  return ['/__sandbox/faults', { get, put }]
}

const RULE: Schema = {
  type: 'object',
  description: 'A rule by which requests fail. It needs a `status`, a `delay` or a `drop`.',
  properties: FAULT_FIELDS,
  required: ['path'],
  additionalProperties: false,
  examples: [{ method: 'POST', path: LOGIN_PATH, status: 503, times: 1 }],
}

const ACTED_RULE: Schema = {
  type: 'object',
  properties: { ...FAULT_FIELDS, acted: { type: 'integer', minimum: 0 } },
  required: ['path', 'acted'],
  additionalProperties: false,
}

function json(schema: Schema, example?: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}
