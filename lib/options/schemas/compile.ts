import type { ErrorObject, ValidateFunction } from 'ajv'
import { errorMessage } from '../../error-code'
import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import { nearestName } from '../../nearest-name'
import { hasSlowPattern } from './patterns'
import { checkPlaces, type JsonSchema, pointed, Shape } from './shape'
import { makeValidator } from './validator'

/** A JSON Schema for each collection, and in `$defs` what they share. */
export type Schemas = Readonly<Record<string, object>>

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

function compileAll({ $defs = {}, ...given }: Schemas, ownFieldsOf: OwnFieldsOf): RecordSchemas {
  if (Object.keys(given).length === 0) return new Map()
  const shared = { ...given, ...$defs }
  const words = [...new Set(JSON.stringify(shared).match(/(?<=")x-[\w-]+(?=":)/g))]
  const every = makeValidator({ allErrors: true, words })
  const first = makeValidator({ allErrors: false, words })
  if (!every.validateSchema({ $defs })) {
    const [reason = ''] = every.errorsText().split(', ')
    throw new OptionError(`The schemas cannot be used: ${reason.replace(/^data/, '')}.`)
  }
  return new Map(
    Object.entries(given).map(([name, schema]) => {
      try {
        if (!isRecord(schema)) throw new OptionError('it must be an object')
        // Tools put the name of an older draft there, whose keywords are mostly known, too; an address says nothing here.
        const { $schema: _draft, $id: _address, ...own } = schema
        every.validateSchema(own, true)
        const root = { ...own, $defs: { ...shared, ...(isRecord(own.$defs) && own.$defs) } }
        checkPlaces(own, root)
        const shape = new Shape([own], root)
        const made = ownFieldsOf(name)
        const document = sendable(own, root, (field) => made.includes(field) || isReadOnly(shape, field))
        return [
          name,
          {
            shape,
            unique: uniqueFields(shape),
            isSlow: hasSlowPattern(document),
            findAll: finder(every.compile(document)),
            // It is compiled for the first record that is long.
            findFirst: (value) => finder(first.compile(document))(value),
          },
        ]
      } catch (error) {
        throw new OptionError(
          `The schema of "${name}" cannot be used: ${compileProblem(error, schema, Object.keys(every.formats))}`,
        )
      }
    }),
  )
}

function finder(validate: ValidateFunction): Find {
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

function isReadOnly(shape: Shape, field: string): boolean {
  return shape.field(field)?.is('readOnly') ?? false
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
      ...(Array.isArray(required) && { required: required.filter((field) => !isMade(field)) }),
      ...(all.length > 0 && { allOf: all.map(top) }),
    }
  }
  const inside = (_name: string, part: unknown): unknown =>
    isRecord(part) && Array.isArray(part.required)
      ? { ...part, required: part.required.filter((field) => !isReadOnly(new Shape([part], root), field)) }
      : part
  const own = top(schema)
  return JSON.parse(JSON.stringify({ ...(isRecord(own) && own), $defs: root.$defs }, inside))
}

/** `unique` of fields, and lists of fields of the record. */
function uniqueFields(shape: Shape): (readonly string[])[] {
  const single = shape.fields.filter((field) => shape.field(field)?.is('unique'))
  const lists: readonly unknown[] = shape.all('unique').flat()
  return [...single, ...lists].map((fields) => [fields].flat().map(String))
}

const KEYWORDS =
  '$defs $ref type properties required minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'pattern format enum const default readOnly unique items minItems maxItems uniqueItems additionalProperties title ' +
  'description examples allOf anyOf oneOf not if then else dependentRequired prefixItems patternProperties'

/** What is wrong with a schema, and where. */
function compileProblem(error: unknown, schema: unknown, formats: readonly string[]): string {
  const message = errorMessage(error)
  const [, unknown] = /unknown keyword: "(.+)"/.exec(message) ?? []
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, KEYWORDS.split(' '))
    const meant = nearest === undefined ? '.' : `: did you mean "${nearest}"?`
    const isField = nearest === undefined && isRecord(schema) && isRecord(schema[unknown])
    const advice = isField
      ? `: a field stands in "properties", as {"properties": {"${unknown}": {...}}}.`
      : meant
    return `there is no keyword "${unknown}"${pointerOf(schema, unknown)}${advice}`
  }
  const [, format, place = ''] = /unknown format "(.+)" ignored in schema at path "#(.*)"/.exec(message) ?? []
  if (format !== undefined) {
    const nearest = nearestName(format, formats)
    const meant = nearest === undefined ? '.' : `: did you mean "${nearest}"?`
    return `there is no format "${format}", in ${place}${meant}`
  }
  const [reason = ''] = message.replace(/^(schema is invalid: data|strict mode: )/, '').split(', data/')
  return `${reason.replace(/\.$/, '')}.`
}

/** Where a keyword stands, as a clause. */
function pointerOf(schema: unknown, keyword: string, path = ''): string {
  if (!isRecord(schema)) return ''
  if (Object.hasOwn(schema, keyword)) return path === '' ? '' : `, in ${path}`
  return Object.entries(schema).reduce(
    (found, [name, part]) => found || pointerOf(part, keyword, `${path}/${name}`),
    '',
  )
}
