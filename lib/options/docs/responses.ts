import { BAD_PATH } from '../../http/request'
import type { Operation, Reference, Response, Schema } from '../docs-addition'
import type { DocumentSettings } from './context'
import { ANY_OBJECT, json, referTo } from './types'

/** The schema of every error's body. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'What was wrong, in one sentence.',
  properties: { error: { type: 'string' } },
  required: ['error'],
  additionalProperties: false,
}

export const HEADERS = {
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
  'WWW-Authenticate': {
    description:
      '`Bearer`, with `error="invalid_token"` and the reason where a token was sent and refused (RFC 6750).',
    schema: {
      type: 'string',
      pattern: '^Bearer( error="invalid_token", error_description="[^"]+")?$',
    },
  },
} as const

/** The headers of a response, by their names. */
export function headers(...names: readonly (keyof typeof HEADERS)[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, referTo('headers', name)]))
}

/** A response that says what was wrong. */
export function failure(description: string, sentence: string): Response {
  return { description, content: json(referTo('schemas', 'Error'), { error: sentence }) }
}

/** 401 with the one body that it always has. */
export function unauthorized(description: string): Response {
  return {
    description,
    headers: headers('WWW-Authenticate'),
    content: json({ type: 'string', enum: ['Unauthorized'] }, 'Unauthorized'),
  }
}

const NOT_MODIFIED = { description: 'Nothing has changed since the ETag in If-None-Match.' }

/** The body of a deletion and of the router's 404. */
const EMPTY_OBJECT = json({ type: 'object', maxProperties: 0 }, {})

/** The responses that operations share, by their names in the document. */
export const RESPONSES = {
  added: {
    description: 'What was stored. The id from the path is a string in it.',
    headers: headers('Location'),
    content: json(ANY_OBJECT, {}),
  },
  deleted: { description: 'The record was deleted.', content: EMPTY_OBJECT },
  notModified: NOT_MODIFIED,
  listNotModified: { ...NOT_MODIFIED, headers: headers('X-Total-Count', 'Link') },
  badPath: failure('The path is not valid.', BAD_PATH),
  badQuery: failure(
    'The path or the query cannot be used.',
    'The query parameter "_embed" must be a string or a list: leave out the name in brackets.',
  ),
  badListQuery: failure(
    'The path or the query cannot be used.',
    'The regular expression in "_like" is not valid: put a backslash before each special character.',
  ),
  unauthorized: unauthorized('The token is missing, invalid or expired.'),
  notFound: { description: 'There is no such record.', content: EMPTY_OBJECT },
  idExists: failure('A record with this id already exists.', 'A record with the id 1 already exists.'),
  badBody: failure(
    'The request cannot be read (400), its body is too large (413), or the server does not read the ' +
      'content type, charset or encoding of the body (415).',
    'The request body must be valid JSON: an object, in braces.',
  ),
  notSaved: failure(
    'The change could not be saved (500), or the data file cannot be written at the moment, or there is no ' +
      'room for it in memory (503): send it again later.',
    'Nothing can be saved at the moment: db.json is not valid JSON.',
  ),
} as const satisfies Record<string, Response>

export function shared(name: keyof typeof RESPONSES): Reference {
  return referTo('responses', name)
}

/** 201 with a record, or a singular resource, of this schema. */
export function created(schemaName: string): Response {
  return {
    description: 'What was stored.',
    headers: headers('Location'),
    content: json(referTo('schemas', schemaName)),
  }
}

/** What can go wrong with a change, where it is saved to a file. */
export function saveFailures({ savesToFile }: DocumentSettings): Operation['responses'] {
  return savesToFile ? { '5XX': shared('notSaved') } : {}
}

/** What can be wrong with a request that has a body. */
export const BODY_FAILURES: Operation['responses'] = { '4XX': shared('badBody') }
