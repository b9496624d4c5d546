import type { DescribedRecords, DescribedSchemas, Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'
import type { OwnFieldsOf, RecordSchema, RecordSchemas, Schemas } from './compile'
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
  const { $defs, ...own } = given
  const refused = refuse([{ field: 'field', message: 'text' }])
  const local = Object.values<unknown>(own)
    .filter(isRecord)
    .flatMap((schema) => [schema.definitions, schema.$defs])
  const shared = shown(Object.assign({}, ...local, $defs), true)
  return {
    of(name) {
      const schema = schemas.get(name)
      return schema && describeRecords(schema, ownFieldsOf(name))
    },
    shared: isRecord(shared)
      ? Object.fromEntries(Object.entries(shared).map(([name, one]) => [name, asSchema(one)]))
      : {},
    timeStamps,
    refusal: { status: refused.status, body: JSON.parse(refused.text) },
  }
}

function describeRecords({ shape }: RecordSchema, ownFields: readonly string[]): DescribedRecords {
  const properties = shape.fields.map((name) => {
    const schemas = shape.schemasOf(name)
    return [name, asSchema(schemas.length > 1 ? { allOf: schemas } : schemas[0])] as const
  })
  const named = [...new Set(shape.all('required').flat().map(String))]
  const hasDefault = (name: string) => shape.defaultOf(name) !== undefined
  const isMade = (name: string) => ownFields.includes(name) || shape.isReadOnly(name) || hasDefault(name)
  const others = Object.entries(shape.keywords).filter(([keyword]) => !OF_FIELDS.includes(keyword))
  return {
    properties: Object.fromEntries(properties),
    required: named.filter((name) => !isMade(name)),
    always: [...named, ...shape.fields.filter(hasDefault)],
    others: asSchema(Object.fromEntries(others)),
  }
}

/** A schema as a document has it. */
function asSchema(schema: unknown): Schema {
  const known: unknown = shown(schema)
  return isRecord(known) ? known : {}
}

/** Keywords whose schemas have names. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** @param areNamed whether it has schemas by names, which may be those of keywords */
function shown(schema: unknown, areNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => shown(part))
  if (!isRecord(schema)) return schema
  const { nullable, ...current } = schema
  // OpenAPI 3.0 says so what 3.1 says by a type.
  if (!areNamed && nullable === true && current.type !== undefined)
    return shown({ ...current, type: [current.type, 'null'].flat() })
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => areNamed || !LEFT_OUT.includes(name))
      .map(([name, part]) => [name, shown(part, !areNamed && NAMED.includes(name))]),
  )
}
