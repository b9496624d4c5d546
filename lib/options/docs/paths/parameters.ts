import type { Parameter, Reference, Schema } from '../../docs-addition'
import type { DocumentContext } from '../context'
import type { Resource } from '../resources/resource-model'
import { ANY_OBJECT, referTo } from '../types'

const TEXT: Schema = { type: 'string' }
const COUNT: Schema = { type: 'integer', minimum: 0 }

/** Search, sort, pages and slices, which every list has beside its filters. */
const OF_LISTS: readonly Parameter[] = [
  query('q', 'Full-text search: only records with this string in any field.', TEXT),
  query(
    '_sort',
    'The field to sort by, or several, separated by commas. A field within a field: `outer.inner`.',
    TEXT,
  ),
  query(
    '_order',
    '`asc` or `desc`; with several fields to sort by, one for each, separated by commas.',
    TEXT,
  ),
  query('_page', 'The number of the page, from 1. The header Link then has the others.', {
    type: 'integer',
    minimum: 1,
  }),
  query('_limit', 'The length of a page or a slice. A page has 10 records without it.', COUNT),
  query('_start', 'The first record of a slice, from 0, together with `_end` or `_limit`.', COUNT),
  query('_end', 'The record that the slice ends before.', COUNT),
]

const RELATIONS: readonly {
  readonly name: string
  readonly description: string
  readonly namesOf: (resource: Resource) => readonly string[]
}[] = [
  {
    name: '_embed',
    description: 'Adds the records of these collections that refer to a record.',
    namesOf: ({ children }) => children.map(({ name }) => name),
  },
  {
    name: '_expand',
    description: 'Adds the records that a record refers to.',
    namesOf: ({ parents }) => parents,
  },
]

/** Whether this is a query parameter that adds records of other collections. */
export function isRelation(parameter: Parameter | Reference): boolean {
  return '$ref' in parameter && RELATIONS.some(({ name }) => parameter.$ref.endsWith(name))
}

/** The parameters that operations share, by their names in the document. */
export function sharedParameters({ idProperty }: DocumentContext): Record<string, Parameter> {
  return {
    ...Object.fromEntries(OF_LISTS.map((parameter) => [parameter.name, parameter])),
    filters: filters(idProperty),
  }
}

/** The filters of a list; the id, which nearly every record has, is the example. */
function filters(field: string): Parameter {
  const example = (name: string, value: unknown) => `\`${JSON.stringify({ [name]: value })}\``
  return {
    ...query(
      'filters',
      `Only records whose fields have these values, as JSON: ${example(field, 1)}. A field that no record ` +
        'has is ignored. A field with `_ne` at the end of its name must not be this, with `_gte` it ' +
        'must be this or more, with `_lte` this or less, and with `_like` it must match this regular ' +
        'expression: ' +
        `${example(`${field}_like`, '^1')}. In an address, each is ` +
        `a query parameter: \`?${encodeURIComponent(field)}=1\`.`,
      ANY_OBJECT,
    ),
    style: 'form',
    explode: true,
    example: {},
  }
}

/** All query parameters of a list. */
export function listParameters(resource: Resource): Reference[] {
  return [
    ...OF_LISTS.map(({ name }) => referTo('parameters', name)),
    referTo('parameters', 'filters'),
    ...relationReferences(resource),
  ]
}

/** The query parameters that add records of other collections. */
export function relationReferences(resource: Resource): Reference[] {
  return RELATIONS.filter(({ namesOf }) => namesOf(resource).length > 0).map(({ name }) =>
    referTo('parameters', `${resource.schemaName}${name}`),
  )
}

/** The components for {@link relationReferences}, by their names in the document. */
export function relationParameters(resource: Resource): Record<string, Parameter> {
  return Object.fromEntries(
    RELATIONS.map(({ name, description, namesOf }) => [
      `${resource.schemaName}${name}`,
      query(name, description, {
        type: 'array',
        items: { type: 'string', enum: namesOf(resource) },
      }),
    ]),
  )
}

/**
 * The id of a record in a path. Not a component: of two operations that are opened at once, Swagger UI would
 * leave the second without it.
 */
export function idParameter({ id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const isInteger = id.type === 'integer'
  const first = example?.[idProperty] ?? (isInteger ? 1 : undefined)
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the record.',
    schema: isInteger ? { type: 'integer' } : TEXT,
    example: isInteger || first === undefined ? first : String(first),
  }
}

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema }
}
