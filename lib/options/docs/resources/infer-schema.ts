import { isRecord } from '../../../is-record'
import type { Schema } from '../../docs-addition'
import { isMisreadName } from '../names'
import { textFormat } from './text-format'

/** In the order in which they are listed. */
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']
/** How many levels of a value are described; deeper ones can be anything. */
const DEEPEST = 6
/** How many fields are described: an object with more is a table, whose names mean nothing. */
const MOST_FIELDS = 200

/**
 * A schema to which all of these values conform, also when their types are mixed. No field is required.
 *
 * @param values as JSON has them
 */
export function inferSchema(values: readonly unknown[], depth = DEEPEST): Schema {
  const found = new Set(values.map(typeOf))
  if (found.has('number')) found.delete('integer')
  const types = TYPES.filter((type) => found.has(type))
  const [type, ...otherTypes] = types
  if (type === undefined) return {}
  const texts = values.filter((value) => typeof value === 'string')
  const arrays = values.filter((value) => Array.isArray(value))
  const onlyTexts = type === 'string' && otherTypes.every((other) => other === 'null')
  return {
    type: otherTypes.length > 0 ? types : type,
    ...(onlyTexts && textFormat(texts)),
    ...(found.has('object') && depth > 0 && inferProperties(values.filter(isRecord), depth - 1)),
    // OpenAPI 3.0 tools, and many of today, want the items of every array described.
    ...(found.has('array') && { items: depth > 0 ? inferSchema(arrays.flat(), depth - 1) : {} }),
  }
}

function inferProperties(records: readonly Record<string, unknown>[], depth: number): Schema {
  const values = new Map<string, unknown[]>()
  for (const record of records) {
    for (const [name, stored] of Object.entries(record)) {
      // Clients see a date of a JavaScript source as a text.
      const value = stored instanceof Date ? stored.toJSON() : stored
      const known = values.get(name)
      if (known !== undefined) known.push(value)
      else if (!isMisreadName(name)) values.set(name, [value])
    }
    if (values.size > MOST_FIELDS) return { additionalProperties: true }
  }
  const properties = [...values].map(([name, found]) => [
    name,
    // What has always been null may become anything, as a foreign key does.
    found.every(isNull) ? {} : inferSchema(found, depth),
  ])
  return { properties: Object.fromEntries(properties) }
}

/** The JSON Schema type of a value. What JSON leaves out, such as a function, gets none of `TYPES`. */
function typeOf(value: unknown): string {
  if (isNull(value)) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isSafeInteger(value) ? 'integer' : typeof value
}

/** What JSON writes as null. */
function isNull(value: unknown): boolean {
  return value === null || (typeof value === 'number' && !Number.isFinite(value))
}

/**
 * The schema of a collection's ids, future ones included: the router makes the next number where all ids are
 * numbers, and a string where they are not; an empty collection accepts both.
 */
export function idSchema(ids: readonly unknown[]): Schema {
  const { type = [] } = inferSchema(ids)
  if (type === 'string' || type === 'integer' || type === 'number') return { type }
  return { type: [...new Set([type, 'integer', 'string'].flat())] }
}
