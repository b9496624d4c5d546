import type { DescribedRecords, DescribedSchemas, Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'
import {
  actingSchemas,
  type OwnFieldsOf,
  type RecordSchema,
  type RecordSchemas,
  type Schemas,
} from './compile'
import { NAMED } from './places'
import type { Refuse } from './refusal'

/** Keywords that no tool knows, or that generated clients take for a field that has to be sent. */
const LEFT_OUT = ['unique', 'default']

/** What is said of fields and of the whole record otherwise. */
const OF_FIELDS = [
  'properties',
  'required',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'type',
]

/** What a document is made of. */
interface SchemasInUse {
  readonly schemas: RecordSchemas
  readonly refuse: Refuse
  readonly timeStamps: readonly string[]
  readonly ownFieldsOf: OwnFieldsOf
}

/** What the schemas say of the data, for a document. */
export function describeSchemas(
  { schemas, refuse, ownFieldsOf, timeStamps }: SchemasInUse,
  given: Schemas,
): DescribedSchemas {
  const { $defs, collections } = actingSchemas(given)
  const refused = refuse([{ field: 'field', message: 'text' }])
  const shared = new Map(entriesOf($defs).map(([name, schema]) => [name, asSchema(schema)]))
  const names = new Map(
    Object.entries(collections).map(([name, schema]) => [name, share(name, schema, shared)]),
  )
  return {
    of(name) {
      const schema = schemas.get(name)
      return schema && describeRecords(schema, ownFieldsOf(name), names.get(name))
    },
    shared: Object.fromEntries(shared),
    timeStamps,
    refusal: { status: refused.status, body: JSON.parse(refused.text) },
  }
}

/** What a reference becomes. */
type References = ReadonlyMap<unknown, string>

/**
 * Shares the schemas that are those of one collection: with its name, where others have one of the same name.
 *
 * @returns what references to them become
 */
function share(collection: string, schema: unknown, shared: Map<string, Schema>): References {
  const { definitions = {}, $defs = {} }: { definitions?: unknown; $defs?: unknown } = Object(schema)
  const own = Object.entries({ definitions, $defs }).flatMap(([keyword, schemas]) =>
    entriesOf(schemas).map(([name, one]) => {
      const key = shared.has(name) ? `${collection}-${name}` : name
      return { reference: `#/${keyword}/${name}`, key, schema: one }
    }),
  )
  const references = new Map(own.map(({ reference, key }) => [reference, `#/$defs/${key}`]))
  for (const { key, schema: one } of own) shared.set(key, asSchema(one, references))
  return references
}

function entriesOf(schemas: unknown): [string, unknown][] {
  return isRecord(schemas) ? Object.entries(schemas) : []
}

function describeRecords(
  { shape }: RecordSchema,
  ownFields: readonly string[],
  references?: References,
): DescribedRecords {
  const properties = shape.fields.map((name) => {
    const schemas = shape.schemasOf(name)
    return [name, asSchema(schemas.length > 1 ? { allOf: schemas } : schemas[0], references)] as const
  })
  const named = [...new Set(shape.all('required').flat().map(String))]
  const hasDefault = (name: string) => shape.defaultOf(name) !== undefined
  const isMade = (name: string) => ownFields.includes(name) || shape.isReadOnly(name) || hasDefault(name)
  const others = Object.entries(shape.keywords).filter(([keyword]) => !OF_FIELDS.includes(keyword))
  return {
    properties: Object.fromEntries(properties),
    required: named.filter((name) => !isMade(name)),
    always: [...named, ...shape.fields.filter(hasDefault)],
    others: asSchema(Object.fromEntries(others), references),
  }
}

/** A schema as a document has it. */
function asSchema(schema: unknown, references: References = new Map()): Schema {
  const known: unknown = shown(schema, references)
  return isRecord(known) ? known : {}
}

/** Keywords whose values are data. */
const DATA = ['examples', 'example', 'enum', 'const']

/** @param areNamed whether it has schemas by names, which may be those of keywords */
function shown(schema: unknown, references: References, areNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => shown(part, references))
  if (!isRecord(schema)) return schema
  const { nullable, ...current } = schema
  // OpenAPI 3.0 says so what 3.1 says by a type.
  if (!areNamed && nullable === true && current.type !== undefined)
    return shown({ ...current, type: [current.type, 'null'].flat() }, references)
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => areNamed || !LEFT_OUT.includes(name))
      .map(([name, part]) => {
        if (areNamed) return [name, shown(part, references)]
        if (name === '$ref') return [name, references.get(part) ?? part]
        return [name, DATA.includes(name) ? part : shown(part, references, NAMED.includes(name))]
      }),
  )
}
