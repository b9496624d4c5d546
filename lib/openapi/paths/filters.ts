import type { Parameter, Schema } from '../types'

/** json-server has another use for these parameters: fields with these names cannot be filtered by. */
const RESERVED = new Set(
  'q _start _end _sort _order _limit _page _embed _expand _delay callback _'.split(' '),
)
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])
/** The endings of a field's name that compare in another way than for equality. */
const OPERATOR = /_(?:ne|gte|lte|like)$/
/** How many fields are listed as filters; the others work too. */
const MOST_FILTERS = 40
/** How deep fields of fields are listed, as in `author.address.city`. */
const DEEPEST = 3

/** One parameter for all comparisons: otherwise there would be one for each field and comparison. */
const COMPARISONS: Parameter = {
  name: 'comparisons',
  in: 'query',
  description:
    'Other filters, as JSON: a field with `_ne` (is not this), `_gte` (this or more), `_lte` (this or less) or `_like` ' +
    '(matches this regular expression) at the end of its name, such as `{"id_gte": "2"}`. Each is a separate query parameter.',
  style: 'form',
  explode: true,
  schema: { type: 'object' },
}

/** The query parameters that filter a list by its fields. */
export function filterParameters(fields: Readonly<Record<string, Schema>>): Parameter[] {
  const filters = scalarFields(fields, '', DEEPEST)
    .slice(0, MOST_FILTERS)
    .map(
      ([name, schema]): Parameter => ({
        name,
        in: 'query',
        description: `Only where \`${name}\` is this. Repeat it for one of several values.`,
        schema,
      }),
    )
  return [...filters, COMPARISONS]
}

/** The fields that a query can compare, with their paths. */
function scalarFields(
  fields: Readonly<Record<string, Schema>>,
  prefix: string,
  depth: number,
): [path: string, schema: Schema][] {
  return Object.entries(fields).flatMap(([name, schema]): [string, Schema][] => {
    const path = `${prefix}${name}`
    if (!isFilterName(name) || RESERVED.has(path)) return []
    const types = [schema.type ?? []].flat()
    const [scalar, ...others] = types.filter((type) => SCALARS.has(type))
    if (scalar !== undefined && !OPERATOR.test(name))
      return [[path, { type: others.length > 0 ? [scalar, ...others] : scalar }]]
    return depth > 1 ? scalarFields(schema.properties ?? {}, `${path}.`, depth - 1) : []
  })
}

/** Brackets have another meaning in a query, and so has a dot in a path of names. */
function isFilterName(name: string): boolean {
  return name !== '' && name !== '__proto__' && !/[[\].]|\p{Surrogate}/u.test(name)
}
