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
    return Object.fromEntries(this.#parts.toReversed().flatMap((part) => Object.entries(part)))
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
    const schemas = this.schemasOf(name)
    const found = schemas.length === 0 ? undefined : new Shape(schemas, this.#root)
    // Of names that a client chooses, nothing is remembered.
    if (found !== undefined) this.#properties.set(name, found)
    return found
  }

  /** The schemas that a field has. */
  schemasOf(name: string): unknown[] {
    return this.all('properties').flatMap((fields) =>
      isRecord(fields) && Object.hasOwn(fields, name) ? [fields[name]] : [],
    )
  }

  /** Whether a field is only read. */
  isReadOnly(name: string): boolean {
    return this.field(name)?.is('readOnly') ?? false
  }

  /** What a field is that was not sent, if anything. */
  defaultOf(name: string): unknown {
    return this.field(name)?.get('default')
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
    (value, part) => (Object.hasOwn(Object(value), part) ? Object(value)[part] : undefined),
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
