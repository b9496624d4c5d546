import { LOGIN_PATH } from '../../../auth/access-policy'
import { type Credentials, LOGIN_FIELDS } from '../../../auth/credentials'
import { formatDuration } from '../../../auth/format-duration'
import type { PathEntry, Schema } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { TAGS } from '../names'
import { BODY_FAILURES, unauthorized } from '../responses'
import { json } from '../types'

/** The login (docs/interface.md, Login). */
export function loginPaths({ sampleLogin, loginName, tokenLifetime }: DocumentContext): PathEntry[] {
  const { email, password } = sampleLogin ?? { email: loginName ?? 'user@example.com', password: 'password' }
  const credentials = {
    schema: {
      type: 'object',
      // Swagger UI fills a form in with the examples of its fields only.
      properties: {
        email: { type: 'string', examples: [email] },
        password: { type: 'string', format: 'password', examples: [password] },
      } satisfies Record<keyof Credentials, Schema>,
      required: LOGIN_FIELDS,
    },
  }
  const token = {
    type: 'object',
    properties: { access_token: { type: 'string', description: 'A signed JWT.' } },
    required: ['access_token'],
    additionalProperties: false,
  }
  return [
    [
      LOGIN_PATH,
      {
        post: {
          operationId: 'logIn',
          tags: [TAGS.login],
          security: [],
          summary: 'Log in and obtain an access token',
          description: `The email and the password of a user${
            sampleLogin ? '' : ': type yours instead of those shown'
          }. The token lasts ${formatDuration(tokenLifetime)}.`,
          requestBody: {
            required: true,
            content: { 'application/json': credentials, 'application/x-www-form-urlencoded': credentials },
          },
          responses: {
            200: {
              description: 'The token, to be sent as `Authorization: Bearer <access_token>`.',
              content: json(token, { access_token: '<access_token>' }),
            },
            401: unauthorized('No user has this email and password.'),
            ...BODY_FAILURES,
          },
        },
      },
    ],
  ]
}
