import { type Header, json, type Reference, type Reply, type Schema, schemaReference } from './types'

/** The schemas that every document has. */
export const COMMON_SCHEMAS = {
  Error: {
    type: 'object',
    description: 'What was wrong, in one sentence.',
    properties: { error: { type: 'string' } },
    required: ['error'],
    additionalProperties: false,
  },
  Unauthorized: { type: 'string', enum: ['Unauthorized'] },
  Nothing: { type: 'object', description: 'An empty object.', maxProperties: 0 },
} as const satisfies Record<string, Schema>

const error = (sentence: string) => json(schemaReference('Error'), { error: sentence })

export const REPLIES = {
  NotModified: {
    description: 'What the client has, by its If-None-Match, is still right. There is no body.',
    headers: {
      ETag: { $ref: '#/components/headers/ETag' },
      'X-Total-Count': { $ref: '#/components/headers/XTotalCount' },
      Link: { $ref: '#/components/headers/Link' },
    },
  },
  BadRequest: {
    description: 'The path, the query or the body cannot be followed.',
    content: error('The request body must be valid JSON: an object, in braces.'),
  },
  Unauthorized: {
    description:
      'The token is missing, invalid or expired; at the login: nobody has this email and password.',
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' } },
    content: json(schemaReference('Unauthorized'), 'Unauthorized'),
  },
  NotFound: { description: 'There is no such record.', content: json(schemaReference('Nothing'), {}) },
  Conflict: {
    description: 'There is a record with this id already.',
    content: error('A record with the id 1 exists already.'),
  },
  TooLarge: {
    description: 'The body is too large.',
    content: error('The request body is larger than the server accepts.'),
  },
  UnsupportedMediaType: {
    description: 'The body is in another content type, charset or encoding than the server reads.',
    content: error('The body must be JSON or a form: send the header Content-Type: application/json.'),
  },
  ServerError: {
    description: 'The change could not be saved, and was not made.',
    content: error('The server could not handle this request; its console says why.'),
  },
  NotSaved: {
    description:
      'The data file cannot be written at the moment. The change was not made; send it again later.',
    content: error('Nothing can be saved at the moment: db.json is not valid JSON.'),
  },
} as const satisfies Record<string, Reply>

export const HEADERS = {
  XTotalCount: {
    description: 'How many records there are on all pages. Only with `_page`, `_limit` or `_end`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'The first, previous, next and last page (RFC 8288). Only with `_page`, and more than one page.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address of what was made.', schema: { type: 'string' } },
  ETag: { description: 'Names this state of the answer, for If-None-Match.', schema: { type: 'string' } },
  WWWAuthenticate: {
    description: '`Bearer`, with `error="invalid_token"` where a token was sent and refused (RFC 6750).',
    schema: { type: 'string', enum: ['Bearer', 'Bearer error="invalid_token"'] },
  },
} as const satisfies Record<string, Header>

const STATUSES: Readonly<Record<number, keyof typeof REPLIES>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  500: 'ServerError',
  503: 'NotSaved',
}

/** References to the answers that many operations share, by status. */
export function replies(...statuses: readonly number[]): Record<string, Reference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${STATUSES[status]}` }]),
  )
}

/** References to headers that many answers share: from the name in an answer to the name in the document. */
export function headers(...names: readonly (keyof typeof HEADERS)[]): Record<string, Reference> {
  const spelled = { XTotalCount: 'X-Total-Count', WWWAuthenticate: 'WWW-Authenticate' }
  return Object.fromEntries(
    names.map((name) => [
      name === 'XTotalCount' || name === 'WWWAuthenticate' ? spelled[name] : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}
