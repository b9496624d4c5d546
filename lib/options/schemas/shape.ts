import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'

/** A JSON Schema (2020-12) that is no boolean. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * What a schema says of a value in any case: itself, what it refers to by `$ref`, and all of its `allOf`. What is below
 * other keywords, such as `anyOf`, says something of some values alone.
 */
export class Shape {
  readonly #parts: readonly JsonSchema[]
  readonly #root: JsonSchema
  readonly #properties = new Map<string, Shape | undefined>()

  /** @param root in which references lead to a place */
  constructor(schemas: readonly unknown[], root: JsonSchema) {
    this.#parts = schemas.flatMap((schema) => schemaParts(schema, root))
    this.#root = root
  }

  /** The first value of a keyword. */
  get(keyword: string): unknown {
    return this.#parts.find((part) => Object.hasOwn(part, keyword))?.[keyword]
  }

  /** Each keyword with its first value. */
  get keywords(): JsonSchema {
    return Object.assign({}, ...this.#parts.toReversed())
  }

  /** All values of a keyword. */
  all(keyword: string): unknown[] {
    return this.#parts.flatMap((part) => (Object.hasOwn(part, keyword) ? [part[keyword]] : []))
  }

  /** Whether a keyword is true. */
  is(keyword: string): boolean {
    return this.all(keyword).includes(true)
  }

  /** The names of the fields that have schemas. */
  get fields(): string[] {
    return [...new Set(this.all('properties').filter(isRecord).flatMap(Object.keys))]
  }

  /** What is said of a field, if anything is. */
  field(name: string): Shape | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name)
    const schemas = this.all('properties').flatMap((fields) =>
      isRecord(fields) && Object.hasOwn(fields, name) ? [fields[name]] : [],
    )
    const found = schemas.length === 0 ? undefined : new Shape(schemas, this.#root)
    // Of names that a client chooses, nothing is remembered.
    if (found !== undefined) this.#properties.set(name, found)
    return found
  }

  /** What is said of the elements of a list, if anything is. */
  get elements(): Shape | undefined {
    const schemas = this.all('items')
    return schemas.length === 0 ? undefined : new Shape(schemas, this.#root)
  }
}

function schemaParts(schema: unknown, root: JsonSchema, known = new Set<unknown>()): JsonSchema[] {
  if (!isRecord(schema) || known.has(schema)) return []
  known.add(schema)
  const others = [schema.$ref === undefined ? undefined : pointed(schema.$ref, root), schema.allOf].flat()
  return [schema, ...others.flatMap((other) => schemaParts(other, root, known))]
}

/**
 * What a reference leads to.
 *
 * @throws OptionError for one that leads to nothing in the same document
 * @see https://www.rfc-editor.org/rfc/rfc6901#section-6
 */
export function pointed(reference: unknown, root: JsonSchema): unknown {
  const [, pointer] = /^#(\/.*)?$/s.exec(String(reference)) ?? []
  const parts = pointer === undefined ? [] : decodeURIComponent(pointer).split('/').slice(1).map(pointerPart)
  const found = parts.reduce<unknown>(
    (value, part) =>
      value !== undefined && Object.hasOwn(Object(value), part) ? Object(value)[part] : undefined,
    /^#/.test(String(reference)) ? root : undefined,
  )
  if (found === undefined || (pointer === undefined && reference !== '#'))
    throw new OptionError(
      `"$ref": ${JSON.stringify(reference)} leads to nothing: write "#/$defs/" and the name of a collection, or of ` +
        'what stands in "$defs"',
    )
  return found
}

/** A part of a JSON pointer (RFC 6901, section 4). */
export function pointerPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The words that act on what is stored, and need a place that is there in any case. */
const ACTING = ['readOnly', 'default', 'unique']

/** Keywords below which a schema is that of some values alone, and those whose schemas have names. */
const BRANCHES =
  'anyOf oneOf not if then else additionalProperties contains prefixItems propertyNames unevaluatedItems unevaluatedProperties'
const NAMED_BRANCHES = 'patternProperties dependentSchemas'

/** Where a schema stands. */
interface SchemaPlace {
  readonly path: string
  /** How many names of fields lead to it: 0 for a record. */
  readonly depth: number
  /** The keyword below which it acts on some values alone. */
  readonly branch?: string
  /** Whether it is somebody else's: `unique` is then said of another collection. */
  readonly isReferred?: boolean
}

/**
 * Refuses words that would not act where they stand.
 *
 * @throws OptionError that says which, and where
 */
export function checkPlaces(schema: unknown, root: JsonSchema): void {
  // What one place refers to can stand below a branch elsewhere.
  const known = { inAnyCase: new Set<unknown>(), inBranches: new Set<unknown>() }
  const look = (part: unknown, place: SchemaPlace): void => {
    if (Array.isArray(part))
      for (const [index, item] of part.entries()) look(item, below(place, String(index)))
    const { path, depth, branch } = place
    const seen = branch === undefined ? known.inAnyCase : known.inBranches
    if (!isRecord(part) || seen.has(part)) return
    seen.add(part)
    checkPlace(part, place)
    if (part.$ref !== undefined) look(pointed(part.$ref, root), { ...place, isReferred: depth > 0 })
    look(part.allOf, below(place, 'allOf'))
    look(part.items, { ...below(place, 'items'), depth: depth + 1 })
    for (const [name, field] of named(part.properties))
      look(field, { ...place, path: `${path}/properties/${name}`, depth: depth + 1 })
    for (const keyword of BRANCHES.split(' '))
      look(part[keyword], { ...below(place, keyword), branch: branch ?? keyword })
    for (const keyword of NAMED_BRANCHES.split(' '))
      for (const [name, other] of named(part[keyword]))
        look(other, { ...place, path: `${path}/${keyword}/${name}`, branch: branch ?? keyword })
  }
  look(schema, { path: '', depth: 0 })
}

function named(schemas: unknown): [string, unknown][] {
  return isRecord(schemas) ? Object.entries(schemas) : []
}

function below(place: SchemaPlace, part: string): SchemaPlace {
  return { ...place, path: `${place.path}/${part}` }
}

function checkPlace(schema: JsonSchema, { path, depth, branch, isReferred }: SchemaPlace): void {
  const inPlace = path === '' ? '' : `, in ${path}`
  // Below a branch, what another schema says of objects in a record is left to it.
  const isOfOther = isReferred === true && depth > 1
  const word = !isOfOther && branch && ACTING.find((acting) => Object.hasOwn(schema, acting))
  if (word)
    throw new OptionError(
      `"${word}" does not act below "${branch}"${inPlace}: write it in "properties", beside "${branch}"`,
    )
  if (!Object.hasOwn(schema, 'unique') || isReferred) return
  const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
  const { unique } = schema
  const fits =
    depth === 0
      ? Array.isArray(unique) && unique.every((one) => typeof one === 'string' || isNames(one))
      : depth === 1 && typeof unique === 'boolean'
  if (!fits)
    throw new OptionError(
      `"unique"${inPlace} must be true in a field of the record, or beside "properties" a list of fields, such as ` +
        '["email", ["shop", "number"]]',
    )
}
