import { type DocumentContext, TAGS } from '../context'
import { HERE, json, type PathEntry, type Response, type Schema, schemaReference } from '../types'
import { operation } from './operation'

const RECORD = schemaReference('LookupUser')

export const LOOKUP_SCHEMAS = {
  LookupUser: {
    type: 'object',
    description: 'It has no id: it is addressed by its position in the list, from 0.',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name', 'age'],
  },
  LookupResult: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['OK'] },
      users: {
        description: 'All records, or the one that was asked for.',
        anyOf: [{ type: 'array', items: RECORD }, RECORD],
      },
    },
    required: ['status', 'users'],
    additionalProperties: false,
  },
  LookupError: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['NG'] }, message: { type: 'string' } },
    required: ['status', 'message'],
    additionalProperties: false,
  },
} as const satisfies Record<string, Schema>

/** The user lookup service (docs/interface.md, Service: user lookup). */
export function userLookupPaths(context: DocumentContext): PathEntry[] {
  const user = context.lookupUser ?? { name: 'Hanako Yamada', age: 28 }
  return [
    [
      '/api/users.php',
      {
        get: operation(context, {
          id: 'lookUpUsers',
          tag: TAGS.lookup,
          isPublic: true,
          summary: 'List the users of a fixed list, or get one by its position',
          description:
            'Every response is pretty-printed JSON with the content type `application/json; charset=UTF-8`. ' +
            'Any other method gives 405.',
          // It is ahead of the rewriter, so that no rule can give it another path.
          servers: [HERE],
          parameters: [
            {
              name: 'id',
              in: 'query',
              description: 'A position in the list, from 0, in decimal digits. Left out for all.',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: {
              description: 'The list, or one user.',
              content: json(schemaReference('LookupResult'), { status: 'OK', users: [user] }),
            },
            400: failure('`id` contains a character that is not a decimal digit.', 'Invalid parameter'),
            404: failure('There is no record at this position.', 'User not found'),
            500: failure('Something went wrong.', 'The message of the failure'),
          },
        }),
      },
    ],
  ]
}

function failure(description: string, message: string): Response {
  return { description, content: json(schemaReference('LookupError'), { status: 'NG', message }) }
}
