import { type DocumentContext, TAGS } from '../context'
import { BODY_FAILURES, unauthorized } from '../responses'
import { json, type PathEntry, type Schema, schemaReference } from '../types'
import { operation } from './operation'

export const LOGIN_SCHEMAS = {
  Credentials: {
    type: 'object',
    description: 'What a user logs in with.',
    properties: { email: { type: 'string' }, password: { type: 'string', format: 'password' } },
    required: ['email', 'password'],
  },
  AccessToken: {
    type: 'object',
    properties: { access_token: { type: 'string', description: 'A signed JWT.' } },
    required: ['access_token'],
    additionalProperties: false,
  },
} as const satisfies Record<string, Schema>

/** The login (docs/interface.md, Login). */
export function loginPaths(context: DocumentContext): PathEntry[] {
  const { sampleLogin, tokenLifetime } = context
  const credentials = {
    schema: schemaReference('Credentials'),
    example: sampleLogin ?? { email: 'user@example.com', password: 'password' },
  }
  return [
    [
      '/auth/login',
      {
        post: operation(context, {
          id: 'logIn',
          tag: TAGS.login,
          isPublic: true,
          summary: 'Log in and obtain an access token',
          description: `The email and the password of a user. The token is valid for ${tokenLifetime} seconds.`,
          requestBody: {
            required: true,
            content: { 'application/json': credentials, 'application/x-www-form-urlencoded': credentials },
          },
          responses: {
            200: {
              description: 'The token, to be sent as `Authorization: Bearer <access_token>`.',
              content: json(schemaReference('AccessToken'), { access_token: '<access_token>' }),
            },
            401: unauthorized('No user has this email and password.'),
            ...BODY_FAILURES,
          },
        }),
      },
    ],
  ]
}
