import { USER_LOOKUP_PATH } from '../../../auth/access-policy'
import type { PathEntry, Response, Schema } from '../../docs-addition'
import { TAGS } from '../names'
import { HERE, json } from '../types'

const RECORD = {
  type: 'object',
  description: 'It has no id: it is addressed by its position in the list, from 0.',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
}

/** The user lookup service (docs/interface.md, Service: user lookup). */
export function userLookupPaths(): PathEntry[] {
  return [
    [
      USER_LOOKUP_PATH,
      {
        // It is ahead of the rewriter, so that no rule can give it another path.
        servers: [HERE],
        get: {
          operationId: 'lookUpUsers',
          tags: [TAGS.lookup],
          security: [],
          summary: 'List the users of a fixed list, or get one by its position',
          description:
            'Every response is pretty-printed JSON with the content type ' +
            '`application/json; charset=UTF-8`. Any other method gives 405.',
          parameters: [
            {
              name: 'id',
              in: 'query',
              description: 'A position in the list, from 0, in decimal digits. Left out for all.',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: response('The list, or one user.', 'OK', 'users', {
              schema: { anyOf: [{ type: 'array', items: RECORD }, RECORD] },
              example: [{ name: 'Hanako Yamada', age: 28 }],
            }),
            400: failure('`id` contains a character that is not a decimal digit.', 'Invalid parameter'),
            404: failure('There is no record at this position.', 'User not found'),
            500: failure('Something went wrong.', 'The message of the failure'),
          },
        },
      },
    ],
  ]
}

function failure(description: string, example: string): Response {
  return response(description, 'NG', 'message', { schema: { type: 'string' }, example })
}

/** A response with a status and one other field. */
function response(
  description: string,
  status: string,
  field: string,
  { schema, example }: { schema: Schema; example: unknown },
): Response {
  return {
    description,
    content: json(
      {
        type: 'object',
        properties: { status: { type: 'string', enum: [status] }, [field]: schema },
        required: ['status', field],
        additionalProperties: false,
      },
      { status, [field]: example },
    ),
  }
}
