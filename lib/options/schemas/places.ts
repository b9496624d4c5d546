import { isRecord } from '../../is-record'
import { type JsonSchema, pointed } from './shape'

/** Where a schema stands. */
interface SchemaPlace {
  /** A JSON pointer: within the schema of a collection, or from `/$defs` on. */
  readonly path: string
  /** How many names of fields lead to it: 0 for a record. */
  readonly depth: number
  /** The keyword below which it is that of some values alone, and where that stands. */
  readonly branch?: { readonly keyword: string; readonly path: string } | undefined
  /** Whether a field refers to it, or to one that it is in: it is that of something else, too. */
  readonly referred?: 'itself' | 'above' | undefined
}

/** A schema that says something of a record, or of what is in it. */
export interface PlacedSchema extends SchemaPlace {
  readonly schema: JsonSchema
}

/** Keywords that have one schema, or a list of them, and those that have schemas by names. */
const HOLDERS =
  'allOf items anyOf oneOf not if then else additionalProperties contains prefixItems propertyNames unevaluatedItems ' +
  'unevaluatedProperties'
const NAMED_HOLDERS = 'properties patternProperties dependentSchemas dependencies'

/** Those whose schemas are that of a value in any case, whose fields are the only ones of their names. */
const IN_ANY_CASE = ['allOf', 'properties']

const HOLDER_NAMES: ReadonlySet<string> = new Set(HOLDERS.split(' '))
const NAMED_HOLDER_NAMES: ReadonlySet<string> = new Set(NAMED_HOLDERS.split(' '))

/** Keywords whose schemas have names, which may be those of keywords. */
export const NAMED: readonly string[] = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]

const ADDRESSES = ['$id', '$anchor']

/**
 * Schemas without their addresses and those within them. References are pointers here, which would not lead out of a part
 * that has an address; and an address may stand only once, but a collection is a part of `$defs` as well.
 *
 * @param schemas by names
 */
export function withoutAddresses(schemas: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutAddress(schema)]))
}

function withoutAddress(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const parts = Object.entries(schema).filter(
    ([keyword, value]) => !(ADDRESSES.includes(keyword) && typeof value === 'string'),
  )
  return Object.fromEntries(parts.map(([keyword, value]) => [keyword, heldWithoutAddresses(keyword, value)]))
}

function heldWithoutAddresses(keyword: string, value: unknown): unknown {
  if (HOLDER_NAMES.has(keyword))
    return Array.isArray(value) ? value.map(withoutAddress) : withoutAddress(value)
  const isNamed = NAMED.includes(keyword) || NAMED_HOLDER_NAMES.has(keyword)
  return isNamed && isRecord(value) ? withoutAddresses(value) : value
}

/**
 * All schemas that say something of a record. One that is referred to in several ways is there for each.
 *
 * @param root in which references lead to a place
 * @throws OptionError for a reference that leads to nothing
 */
export function placesIn(schema: unknown, root: JsonSchema): PlacedSchema[] {
  const places: PlacedSchema[] = []
  const known = new Map<JsonSchema, Set<string>>()
  const look = (part: unknown, place: SchemaPlace): void => {
    if (!isRecord(part)) return
    const ways = known.get(part) ?? new Set()
    const way = `${place.branch?.keyword} ${place.referred}`
    if (ways.has(way)) return
    known.set(part, ways.add(way))
    places.push({ ...place, schema: part })
    if (part.$ref !== undefined)
      look(pointed(part.$ref, root), {
        ...place,
        path: decodeURIComponent(String(part.$ref).slice(1)),
        referred: place.depth > 0 ? 'itself' : place.referred,
      })
    for (const [keyword, value] of Object.entries(part))
      for (const [step, held] of heldBy(keyword, value)) look(held, below(place, keyword, step))
  }
  look(schema, { path: '', depth: 0 })
  return places
}

/** The schemas that a keyword has, and the way to each. */
function heldBy(keyword: string, value: unknown): (readonly [step: string, schema: unknown])[] {
  if (HOLDER_NAMES.has(keyword) && !Array.isArray(value)) return [[keyword, value]]
  if (!HOLDER_NAMES.has(keyword) && !(NAMED_HOLDER_NAMES.has(keyword) && isRecord(value))) return []
  return Object.entries(Object(value)).map(([name, held]) => [
    `${keyword}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    held,
  ])
}

function below({ path, depth, branch, referred }: SchemaPlace, keyword: string, step: string): SchemaPlace {
  const isField = keyword === 'properties' || keyword === 'items'
  const own = IN_ANY_CASE.includes(keyword) ? undefined : { keyword, path: `${path}/${keyword}` }
  // What a schema says of fields of its own is left to it, wherever others refer to it.
  const isOfOther = isField && referred === 'itself'
  return {
    path: `${path}/${step}`,
    depth: depth + (isField ? 1 : 0),
    branch: (isOfOther ? undefined : branch) ?? own,
    referred: referred && keyword !== 'allOf' ? 'above' : referred,
  }
}
