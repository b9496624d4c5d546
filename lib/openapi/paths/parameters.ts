import { isSecretName } from '../../secret-names'
import type { DocumentContext } from '../context'
import type { Relations } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import type { Parameter, Schema } from '../types'
import { filterParameters } from './filters'

/** All query parameters of a list: search, sort, paging, slice, relations and filters. */
export function listParameters(resource: Resource, relations: Relations, idProperty: string): Parameter[] {
  const count: Schema = { type: 'integer', minimum: 0 }
  const text: Schema = { type: 'string' }
  return [
    query('q', 'Full-text search: only records with this text in any field.', text),
    query(
      '_sort',
      'The field to sort by, or several, separated by commas; `author.name` for a field of a field.',
      text,
    ),
    query(
      '_order',
      '`asc` or `desc`; with several fields to sort by, one for each, separated by commas.',
      text,
    ),
    query('_page', 'The page to give, from 1. The header Link then has the others.', {
      type: 'integer',
      minimum: 1,
    }),
    query('_limit', 'The length of a page or a slice. A page has 10 records without it.', count),
    query('_start', 'The first record of a slice, from 0; goes with `_end` or `_limit`.', count),
    query('_end', 'The record that the slice ends before.', count),
    ...relationParameters(relations),
    ...filterParameters({ [idProperty]: resource.id, ...resource.fields }),
  ]
}

/** The query parameters that bring along records of other collections. */
export function relationParameters({ children, parents }: Relations): Parameter[] {
  return [
    query(
      '_embed',
      'Brings along the records of these collections that refer to a record.',
      namesOf(children.map(({ name }) => name)),
    ),
    query(
      '_expand',
      'Brings along the record of another collection that a record refers to: `user` by `userId`.',
      namesOf(parents.map(({ name }) => name)),
    ),
  ]
}

/** One or more names. Where the data has no such relation, any name is accepted, and nothing comes along. */
function namesOf(names: readonly string[]): Schema {
  return {
    type: 'array',
    items: names.length > 0 ? { type: 'string', enum: [...new Set(names)] } : { type: 'string' },
  }
}

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema }
}

/** What an id in a path can be. Of mixed types a client may have either in hand. */
const IN_PATHS: ReadonlySet<string> = new Set(['integer', 'number', 'string'])

/** The id of a record in a path, with that of the first record as an example. */
export function idParameter({ name, id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const first = isSecretName(idProperty) ? undefined : example?.[idProperty]
  const types = [id.type ?? []].flat().filter((type) => IN_PATHS.has(type))
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of a record of ${name}.`,
    schema: { type: types.length === 1 ? types[0] : types },
    ...((typeof first === 'string' || typeof first === 'number') && { example: first }),
  }
}
