import type { ErrorObject, ValidateFunction } from 'ajv'
import { errorMessage } from '../../error-code'
import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import { jsonCopy } from '../../json-copy'
import { checkSchema, KEYWORDS } from './checks'
import { hasSlowPattern, inPatternTime } from './patterns'
import { type PlacedSchema, placesIn, withoutAddresses } from './places'
import { type JsonSchema, pointed, Shape } from './shape'
import { makeValidator, schemaValidator, type Validator } from './validator'

/** A JSON Schema for each collection, and in `$defs` what they share. */
export type Schemas = Readonly<Record<string, unknown>>

/** Finds errors in a value. */
type Find = (value: unknown) => readonly ErrorObject[]

/** The schema of a collection, or of a singular resource. */
export interface RecordSchema {
  readonly shape: Shape
  /** Whether it has a pattern that could be slow. */
  readonly isSlow: boolean
  readonly findAll: Find
  /** Stops at the first error. */
  readonly findFirst: Find
  /** Fields of which no two records have the same values. */
  readonly unique: readonly (readonly string[])[]
}

/** That of a collection without a schema. */
export const FREE: RecordSchema = {
  shape: new Shape([], {}),
  isSlow: false,
  findAll: () => [],
  findFirst: () => [],
  unique: [],
}

/** By collection. */
export type RecordSchemas = ReadonlyMap<string, RecordSchema>

/** What the server itself gives to each record of a collection. */
export type OwnFieldsOf = (name: string) => readonly string[]

/** What has been compiled: the command line looks at a file before the server does. */
const compiled = new WeakMap<Schemas, { readonly names: string; readonly schemas: RecordSchemas }>()

/**
 * Compiles schemas.
 *
 * @param ownFieldsOf what the server itself gives to each record
 * @throws OptionError for a schema that cannot be used
 */
export function compileSchemas(given: Schemas, ownFieldsOf: OwnFieldsOf): RecordSchemas {
  const names = JSON.stringify(Object.keys(given).map(ownFieldsOf))
  const known = compiled.get(given)
  if (known?.names === names) return known.schemas
  const schemas = compileAll(given, ownFieldsOf)
  compiled.set(given, { names, schemas })
  return schemas
}

/** The schemas of the collections, and what they share, as they act: without addresses. */
export function actingSchemas({ $schema: _draft, $defs = {}, ...collections }: Schemas) {
  return {
    collections: withoutAddresses(collections),
    $defs: isRecord($defs) ? withoutAddresses($defs) : $defs,
  }
}

function compileAll(schemas: Schemas, ownFieldsOf: OwnFieldsOf): RecordSchemas {
  const { collections: given, $defs } = actingSchemas(schemas)
  if (Object.keys(given).length === 0) return new Map()
  const shared = { ...given, ...Object($defs) }
  const compiler = { every: makeValidator({ allErrors: true }), first: makeValidator({ allErrors: false }) }
  const ofSchemas = schemaValidator()
  if (!ofSchemas.validateSchema({ $defs }))
    throw new OptionError(`The schemas cannot be used: ${sentenceOf(ofSchemas.errorsText())}`)
  return new Map(
    Object.entries(given).map(([name, schema]) => {
      try {
        return [name, compileOne(schema, shared, ownFieldsOf(name), compiler)]
      } catch (error) {
        const isWithoutName = name === 'properties' || (!isRecord(schema) && KEYWORDS.includes(name))
        const hint = isWithoutName
          ? ` If "${name}" is no collection, write the schema below the name of one, as {"posts": {"${name}": ...}}.`
          : ''
        throw new OptionError(
          `The schema of "${name}" cannot be used: ${sentenceOf(whyNotCompiled(error))}${hint}`,
        )
      }
    }),
  )
}

/** What compiles a schema. */
interface Compiler {
  readonly every: Validator
  readonly first: Validator
}

function compileOne(
  schema: unknown,
  shared: JsonSchema,
  made: readonly string[],
  { every, first }: Compiler,
): RecordSchema {
  if (!isRecord(schema)) throw new OptionError('it must be an object')
  // Tools put the name of an older draft there, whose keywords are mostly known, too.
  const { $schema: _draft, ...own } = schema
  if (typeof own.id === 'string') delete own.id
  const root = { ...own, $defs: { ...shared, ...(isRecord(own.$defs) && own.$defs) } }
  const places = placesIn(own, root)
  for (const place of places) checkSchema(place, Object.keys(every.formats))
  schemaValidator().validateSchema(own, true)
  checkDefaults(places, root)
  const shape = new Shape([own], root)
  const document = sendable(own, root, (field) => made.includes(field) || shape.isReadOnly(field))
  return {
    shape,
    unique: uniqueFields(shape),
    isSlow: places.some((place) => hasSlowPattern(place.schema)),
    findAll: finder(every.compile(document)),
    // It is compiled for the first record that is long.
    findFirst: (value) => finder(first.compile(document))(value),
  }
}

/** @throws OptionError for a default that would be refused in each POST without the field */
function checkDefaults(places: readonly PlacedSchema[], root: JsonSchema): void {
  const own = places.filter(({ schema }) => Object.hasOwn(schema, 'default'))
  if (own.length === 0) return
  const validator = makeValidator({ allErrors: false }).addSchema(root, 'root')
  for (const { schema, path } of own) {
    const fits = validator.getSchema(`root#${encodeURI(path)}`)
    if (fits && !inPatternTime(() => fits(schema.default), 0))
      throw new OptionError(`"default" does not fit its own schema, in ${path}: change one of them`)
  }
}

function whyNotCompiled(error: unknown): string {
  return error instanceof RangeError
    ? 'a "$ref" leads back to itself without a field or an element between, or it is nested too deep'
    : errorMessage(error)
}

/** A sentence that ajv, or another part of ours, has written. */
function sentenceOf(message: string): string {
  const [reason = ''] = message.replace(/^(schema is invalid: )?data/, '').split(', data/')
  return reason.replace(/([^.?])$/, '$1.')
}

function finder(validate: ValidateFunction): Find {
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

/**
 * A schema that requires nothing of a client that the server makes itself. What is left out of a record before it is
 * looked at needs no exception in the errors: of a long record, only the first is known.
 *
 * @param isMade whether the server makes a field of the record
 */
function sendable(schema: JsonSchema, root: JsonSchema, isMade: (field: string) => boolean): JsonSchema {
  const known = new Set<unknown>()
  const top = (part: unknown): unknown => {
    if (!isRecord(part) || known.has(part)) return part
    known.add(part)
    const { $ref, allOf, required, ...others } = part
    const all = [allOf ?? [], $ref === undefined ? [] : pointed($ref, root)].flat()
    return {
      ...others,
      ...(Array.isArray(required) && { required: required.filter((field) => !isMade(String(field))) }),
      ...(all.length > 0 && { allOf: all.map(top) }),
    }
  }
  const inside = (_name: string, part: unknown): unknown =>
    isRecord(part) && Array.isArray(part.required)
      ? {
          ...part,
          required: part.required.filter((field) => !new Shape([part], root).isReadOnly(String(field))),
        }
      : part
  const own = top(schema)
  return jsonCopy({ ...(isRecord(own) && own), $defs: root.$defs }, inside)
}

/** `unique` of fields, and lists of fields of the record. */
function uniqueFields(shape: Shape): (readonly string[])[] {
  const single = shape.fields.filter((field) => shape.field(field)?.is('unique'))
  const lists: readonly unknown[] = shape.all('unique').flat()
  return [...single, ...lists].map((fields) => [fields].flat().map(String))
}
