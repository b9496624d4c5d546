import { type DocumentContext, TAGS } from '../context'
import { replies } from '../replies'
import { placeholder } from '../resources/secrets'
import { json, type PathEntry, PUBLIC, type Schema, schemaReference } from '../types'

export const LOGIN_SCHEMAS = {
  Credentials: {
    type: 'object',
    description: 'What a stored user logs in with.',
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

/** The login (blog-and-user-mock-service, POST /auth/login). */
export function loginPaths({ resources, tokenLifetime, operationIds }: DocumentContext): PathEntry[] {
  const email = resources.find(({ name }) => name === 'users')?.example?.email
  const example = {
    email: typeof email === 'string' ? email : 'user@example.com',
    password: placeholder('password'),
  }
  const credentials = { schema: schemaReference('Credentials'), example }
  return [
    [
      '/auth/login',
      {
        post: {
          operationId: operationIds.take('logIn'),
          tags: [TAGS.login],
          summary: 'Log in and obtain an access token',
          description:
            'The email and the password of a record of `users`, in JSON or in a form. ' +
            `The token is valid for ${tokenLifetime} seconds.`,
          security: PUBLIC,
          requestBody: {
            required: true,
            content: { 'application/json': credentials, 'application/x-www-form-urlencoded': credentials },
          },
          responses: {
            200: {
              description: 'The token, to be sent as `Authorization: Bearer <access_token>`.',
              content: json(schemaReference('AccessToken'), { access_token: placeholder('access_token') }),
            },
            ...replies(400, 401, 413, 415),
          },
        },
      },
    ],
  ]
}
