import { type Header, json, type Response, type Schema, schemaReference } from './types'

/** The schema of every error's body. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'What was wrong, in one sentence.',
  properties: { error: { type: 'string' } },
  required: ['error'],
  additionalProperties: false,
}

/** The body of a deletion and of the router's 404. */
export const EMPTY_OBJECT: Schema = { type: 'object', description: 'An empty object.', maxProperties: 0 }

const HEADERS = {
  'X-Total-Count': {
    description: 'How many records there are on all pages. Only with `_page`, `_limit` or `_end`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'The first, previous, next and last page (RFC 8288). Only with `_page`, and more than one page.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address of what was created.', schema: { type: 'string' } },
  ETag: { description: 'Identifies this state, for If-None-Match.', schema: { type: 'string' } },
  'WWW-Authenticate': {
    description: '`Bearer`, with `error="invalid_token"` where a token was sent and refused (RFC 6750).',
    schema: { type: 'string', enum: ['Bearer', 'Bearer error="invalid_token"'] },
  },
} as const satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

/** The headers of a response, by their names. */
export function headers(...names: readonly HeaderName[]): Record<string, Header> {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]))
}

/** A response that says what was wrong. */
export function failure(description: string, sentence: string): Response {
  return { description, content: json(schemaReference('Error'), { error: sentence }) }
}

/** 401 with the one body that it always has. */
export function unauthorized(description: string): Response {
  return {
    description,
    headers: headers('WWW-Authenticate'),
    content: json({ type: 'string', enum: ['Unauthorized'] }, 'Unauthorized'),
  }
}

/** 304 for a client whose If-None-Match names the current state, with these headers of the 200. */
export function notModified(...names: readonly HeaderName[]): Response {
  return { description: 'Nothing has changed since the ETag in If-None-Match.', headers: headers(...names) }
}

export const NO_TOKEN = unauthorized('The token is missing, invalid or expired.')
export const NOT_FOUND: Response = {
  description: 'There is no such record.',
  content: json(EMPTY_OBJECT, {}),
}
export const BAD_PATH = failure(
  'The path is not valid.',
  'The path is not valid: a % in it must begin the code of a UTF-8 character.',
)
export const BAD_QUERY = failure(
  'A query parameter cannot be used.',
  'The regular expression in "_like" is not valid: put a backslash before each special character.',
)

/** What can be wrong with a request body that any operation reads. */
export const BODY_FAILURES: Readonly<Record<string, Response>> = {
  400: failure('The body cannot be used.', 'The request body is not valid JSON.'),
  413: failure('The body is too large.', 'The request body is larger than the server accepts.'),
  415: failure(
    'The body has a content type, charset or encoding that the server does not read.',
    'The body must be JSON or a form: send the header Content-Type: application/json.',
  ),
}

/** The failures of a change that cannot be saved. */
export const SAVE_FAILURES: Readonly<Record<string, Response>> = {
  500: failure(
    'The change could not be saved.',
    'The server could not handle this request; its console says why.',
  ),
  503: failure(
    'The data file cannot be written at the moment. The change was not made: send it again later.',
    'Nothing can be saved at the moment: db.json is not valid JSON.',
  ),
}
