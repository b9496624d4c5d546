import type { DocumentContext } from '../context'
import { type Relations, relationsOf } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import type { Parameter, Schema } from '../types'
import { filterParameters } from './filters'

const COUNT: Schema = { type: 'integer', minimum: 0 }
const TEXT: Schema = { type: 'string' }

/** Search, sort, pages and slices, which every list has. */
const LIST_PARAMETERS: readonly Parameter[] = [
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

/** All query parameters of a list. */
export function listParameters(resource: Resource, context: DocumentContext): Parameter[] {
  return [
    ...LIST_PARAMETERS,
    ...relationParameters(resource, context),
    ...filterParameters({ [context.idProperty]: resource.id, ...resource.fields }),
  ]
}

/** The query parameters that add records of other collections. */
export function relationParameters(resource: Resource, context: DocumentContext): Parameter[] {
  const { children, parents } = relationsOf(resource, context.resources, context.foreignKeySuffix)
  return [
    ...relation('_embed', 'Adds the records of these collections that refer to a record.', children),
    ...relation('_expand', 'Adds the records that a record refers to.', parents),
  ]
}

function relation(
  name: string,
  description: string,
  related: Relations[keyof Relations],
): readonly Parameter[] {
  const names = [...new Set(related.map((relative) => relative.name))]
  return names.length === 0
    ? []
    : [query(name, description, { type: 'array', items: { type: 'string', enum: names } })]
}

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema }
}

/** What an id in a path can be; with mixed types, either. */
const IN_PATHS: ReadonlySet<string> = new Set(['integer', 'number', 'string'])

/** The id of a record in a path. */
export function idParameter({ name, id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const types = [id.type ?? []].flat().filter((type) => IN_PATHS.has(type))
  const first = example?.[idProperty] ?? (types.includes('integer') ? 1 : undefined)
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of a record of ${name}.`,
    schema: { type: types.length === 1 ? types[0] : types },
    ...((typeof first === 'string' || typeof first === 'number') && { example: first }),
  }
}
