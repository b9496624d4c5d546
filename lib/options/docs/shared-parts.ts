import { exactly, jsonResponse, type Part, type SharedNames, shared } from '../../http/operations'

const EMPTY = { type: 'object', maxProperties: 0 }

/** What many operations share, by kind and name. */
export const SHARED_PARTS = {
  schemas: {
    Error: { ...exactly({ error: { type: 'string' } }), description: 'What was wrong, in one sentence.' },
  },
  responses: {
    unauthorized: {
      ...jsonResponse(
        'The token is missing, invalid or expired.',
        { type: 'string', enum: ['Unauthorized'] },
        'Unauthorized',
      ),
      headers: { 'WWW-Authenticate': shared('headers', 'WWW-Authenticate') },
    },
    notFound: jsonResponse('There is no such record.', EMPTY, {}),
    notModified: {
      description: 'Nothing has changed since the ETag in If-None-Match.',
      headers: listHeaders(),
    },
    refused: jsonResponse(
      'The request cannot be read or used (400), there is a record with its id already (409), or its body ' +
        'is too large (413) or of a type that the server does not read (415).',
      shared('schemas', 'Error'),
      { error: 'The request body must be valid JSON: an object, in braces.' },
    ),
    notSaved: jsonResponse(
      'The change could not be saved (500), or cannot be saved at the moment (503): send it again later.',
      shared('schemas', 'Error'),
      { error: 'Nothing can be saved at the moment: db.json is not valid JSON.' },
    ),
  },
  headers: {
    'WWW-Authenticate': {
      description: '`Bearer`, and where a token was sent and refused, the reason (RFC 6750).',
      schema: {
        type: 'string',
        pattern: '^Bearer( error="invalid_token", error_description="[^"]+")?$',
      },
    },
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
  },
  securitySchemes: {
    bearerAuth: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `access_token` of a login. The page `/docs` fills it in.',
    },
  },
} as const satisfies { [Kind in keyof SharedNames]: Record<SharedNames[Kind], Part> } & Record<string, object>

/** The headers that lists have beside those of every response. */
export function listHeaders() {
  return { 'X-Total-Count': shared('headers', 'X-Total-Count'), Link: shared('headers', 'Link') }
}

/** The query parameters of every list, by name. */
export function listParameters(idProperty: string): Record<string, Part> {
  const count = { type: 'integer', minimum: 0 }
  const text = { type: 'string' }
  const parameters: readonly [name: string, schema: object, description: string][] = [
    ['q', text, 'Full-text search: only records with this string in any field.'],
    [
      '_sort',
      text,
      'The field to sort by, or several, separated by commas. `a.b` is a field within a field.',
    ],
    ['_order', text, '`asc` or `desc`; with several fields to sort by, one for each, separated by commas.'],
    ['_page', { ...count, minimum: 1 }, 'The number of the page, from 1. The header Link has the others.'],
    ['_limit', count, 'The length of a page or a slice. A page has 10 records without it.'],
    ['_start', count, 'The first record of a slice, from 0, together with `_end` or `_limit`.'],
    ['_end', count, 'The record that the slice ends before.'],
  ]
  const filters = {
    name: 'filters',
    in: 'query',
    description:
      `Only records whose fields have these values, as JSON: \`{"${idProperty}":1}\`. A field that no ` +
      'record has is ignored. A field with `_ne` at the end of its name must not be this, with `_gte` it ' +
      'must be this or more, with `_lte` this or less, and with `_like` it must match this regular ' +
      `expression: \`{"${idProperty}_like":"^1"}\`. In an address, each is a query parameter: ` +
      `\`?${idProperty}=1\`.`,
    schema: { type: 'object', additionalProperties: true },
    style: 'form',
    explode: true,
    example: {},
  }
  const simple = parameters.map(([name, schema, description]) => [
    name,
    { name, in: 'query', description, schema },
  ])
  return { ...Object.fromEntries(simple), filters }
}
