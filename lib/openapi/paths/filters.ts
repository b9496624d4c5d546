import { isSecretName } from '../../secret-names'
import type { Parameter, Schema } from '../types'

/** json-server reads these itself: as a field's name they are no filter. */
const RESERVED = new Set(
  'q _start _end _sort _order _limit _page _embed _expand _delay callback _'.split(' '),
)
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])
const OPERATOR = /_(?:ne|gte|lte|like)$/
/** How many fields are listed as filters; the others work too. */
const MOST_FILTERS = 40
/** How deep fields of fields are listed, as in `author.address.city`. */
const DEEPEST = 3

/** The query parameters that filter a list by a field: its own name, and with each operator. */
export function filterParameters(fields: Readonly<Record<string, Schema>>): Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const [path, schema] of scalarFields(fields, '', DEEPEST).slice(0, MOST_FILTERS)) {
    for (const parameter of filtersOf(path, schema))
      if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter)
  }
  return [...parameters.values()]
}

function filtersOf(path: string, schema: Schema): Parameter[] {
  const filter = (operator: string, description: string, sent: Schema): Parameter => ({
    name: `${path}${operator}`,
    in: 'query',
    description,
    schema: sent,
  })
  const list = [schema.type].flat().includes('string') ? '["a", "b"]' : '[1, 2]'
  const ordered = schema.type !== 'boolean'
  return [
    filter(
      '',
      `Only where \`${path}\` is this. For one of several values, repeat it; on the page, enter a list such as \`${list}\`.`,
      {
        anyOf: [schema, { type: 'array', items: schema }],
      },
    ),
    filter('_ne', `Only where \`${path}\` is not this.`, schema),
    ...(ordered
      ? [
          filter('_gte', `Only where \`${path}\` is this or more.`, schema),
          filter('_lte', `Only where \`${path}\` is this or less.`, schema),
        ]
      : []),
    filter('_like', `Only where \`${path}\` matches this regular expression, in upper or lower case.`, {
      type: 'string',
    }),
  ]
}

/** The fields that a query can compare, with their paths; none that is secret, for a query shows in logs. */
function scalarFields(
  fields: Readonly<Record<string, Schema>>,
  prefix: string,
  depth: number,
): [path: string, schema: Schema][] {
  return Object.entries(fields).flatMap(([name, schema]): [string, Schema][] => {
    const path = `${prefix}${name}`
    if (!isFilterName(name) || RESERVED.has(path) || isSecretName(name)) return []
    const types = [schema.type ?? []].flat()
    const [scalar, ...others] = types.filter((type) => SCALARS.has(type))
    if (scalar !== undefined && !OPERATOR.test(name))
      return [[path, { type: others.length > 0 ? [scalar, ...others] : scalar }]]
    return depth > 1 ? scalarFields(schema.properties ?? {}, `${path}.`, depth - 1) : []
  })
}

/** Brackets mean something else in a query, and a dot within a name does in a path of names. */
function isFilterName(name: string): boolean {
  return name !== '' && name !== '__proto__' && !/[[\].]|\p{Surrogate}/u.test(name)
}
