import {
  EMPTY,
  ERROR,
  jsonResponse,
  type Part,
  reference,
  type SharedKind,
  type SharedStatus,
} from '../../http/operations'

/** The headers to which operations refer. */
export const SHARED_HEADERS = {
  'X-Total-Count': {
    description: 'How many records there are on all pages. Only with `_page`, `_limit` or `_end`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description: 'The first, previous, next and last page (RFC 8288). Only with `_page`.',
    schema: { type: 'string' },
  },
}

/** The headers that lists have beside those of every response. */
export const LIST_HEADERS = references('headers', SHARED_HEADERS)

/** The responses to which operations refer. */
export const SHARED_RESPONSES: Readonly<Record<SharedStatus, Part>> = {
  304: { description: 'Nothing has changed since the ETag in If-None-Match.', headers: LIST_HEADERS },
  401: {
    ...jsonResponse(
      'The token is missing, invalid or expired. At the login: no user has this email and password.',
      { type: 'string', enum: ['Unauthorized'] },
      'Unauthorized',
    ),
    headers: {
      'WWW-Authenticate': {
        description: '`Bearer`, and where a token was sent and refused, the reason (RFC 6750).',
        schema: {
          type: 'string',
          pattern: '^Bearer( error="invalid_token", error_description="[^"]+")?$',
        },
      },
    },
  },
  404: jsonResponse('There is no such record.', EMPTY, {}),
  '4XX': jsonResponse(
    'The request cannot be read or used (400), there is a record with its id already (409), or its body ' +
      'is too large (413) or of a type that the server does not read (415).',
    ERROR,
    { error: 'The request body must be valid JSON: an object, in braces.' },
  ),
  '5XX': jsonResponse(
    'The change could not be saved (500), or cannot be saved at the moment (503): send it again later.',
    ERROR,
    { error: 'Nothing can be saved at the moment: db.json is not valid JSON.' },
  ),
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }

/** The query parameters of every list. */
const LIST_PARAMETERS = byName([
  { name: 'q', schema: TEXT, description: 'Full-text search: only records with this string in any field.' },
  {
    name: '_sort',
    schema: TEXT,
    description: 'The field to sort by, or several, separated by commas. `a.b` is a field within a field.',
  },
  {
    name: '_order',
    schema: TEXT,
    description: '`asc` or `desc`; with several fields to sort by, one for each, separated by commas.',
  },
  {
    name: '_page',
    schema: { type: 'integer', minimum: 1 },
    description: 'The number of the page, from 1. The header Link has the others.',
  },
  {
    name: '_limit',
    schema: COUNT,
    description: 'The length of a page or a slice. A page has 10 records without it.',
  },
  {
    name: '_start',
    schema: COUNT,
    description: 'The first record of a slice, from 0, together with `_end` or `_limit`.',
  },
  { name: '_end', schema: COUNT, description: 'The record that the slice ends before.' },
  {
    name: 'filters',
    schema: { type: 'object', additionalProperties: true },
    description:
      'Only records whose fields have these values, as JSON: `{"name":"Mia"}`. A field that no record has ' +
      'is ignored. A field with `_ne` at the end of its name must not be this, with `_gte` it must be ' +
      'this or more, with `_lte` this or less, and with `_like` it must match this regular expression: ' +
      '`{"name_like":"^M"}`. In an address, each is a query parameter: `?name=Mia`.',
    style: 'form',
    explode: true,
    example: {},
  },
])

/** Those of every list and every record: they add records of other collections. */
const RELATION_PARAMETERS = byName([
  {
    name: '_embed',
    schema: TEXT,
    description:
      'The name of a collection whose records refer to these, such as `comments` by their `postId`: adds them ' +
      'to each record.',
  },
  {
    name: '_expand',
    schema: TEXT,
    description: 'What these records refer to, such as `post` by their `postId`: adds it to each record.',
  },
])

/** The parameters to which operations refer. */
export const SHARED_PARAMETERS = { ...LIST_PARAMETERS, ...RELATION_PARAMETERS }
export const LIST_QUERY = Object.values(references('parameters', LIST_PARAMETERS))
export const RELATIONS = Object.values(references('parameters', RELATION_PARAMETERS))

function byName(parameters: readonly (Part & { readonly name: string })[]): Record<string, Part> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, { in: 'query', ...parameter }]))
}

/** Refers to each of these shared parts, by their names. */
export function references(kind: SharedKind, parts: object): Record<string, Part> {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, reference(kind, name)]))
}
