import pluralize from 'pluralize'
import type { Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'

const TEXTS: Readonly<Record<string, string>> = {
  email: 'new@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  time: '09:30:00Z',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
}

/** Gives the schema that a reference leads to, if it is known. */
export type Referred = (reference: unknown) => Schema | undefined

/** How many references an example follows, one after the other: a schema may lead to itself by each of its fields. */
const DEEPEST = 2

/**
 * What a person may store in these fields: in `firstName`, `New first name`. It is made from the schemas alone, because
 * everybody can read the document.
 */
export function exampleOf(
  fields: Readonly<Record<string, Schema>>,
  referred: Referred = () => undefined,
  depth = 0,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, schema]) => [name, exampleOfField(schema, name, referred, depth)] as const)
      .filter(([name, value]) => value !== undefined && isOfPattern(value, fields[name])),
  )
}

/** Whether an example is of the form that its schema names: a text that is cannot be made of a pattern. */
function isOfPattern(value: unknown, { pattern }: Schema = {}): boolean {
  return typeof value !== 'string' || typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)
}

/** An example; undefined where a reference is not followed. */
function exampleOfField(schema: Schema, name: string, referred: Referred, depth: number): unknown {
  const { $ref, properties = {}, items = {}, format = '', minimum = 1, minItems = 1 } = schema
  const type = schema.type ?? (schema.properties && 'object')
  if ($ref !== undefined) {
    const found = depth < DEEPEST ? referred($ref) : undefined
    return found && exampleOfField(found, name, referred, depth + 1)
  }
  const [one] = [schema.anyOf ?? schema.oneOf].flat()
  if (isRecord(one))
    return exampleOfField({ ...schema, anyOf: undefined, oneOf: undefined, ...one }, name, referred, depth)
  const [said] = [schema.const, schema.examples, schema.enum].flat().filter((value) => value !== undefined)
  if (said !== undefined) return said
  switch ([type].flat()[0]) {
    case 'string':
      return TEXTS[format] ?? textOfLength(`New ${spacedWords(name)}`, schema)
    case 'integer':
      return Math.max(1, Math.ceil(Number(minimum)))
    case 'number':
      return Math.max(1.5, Number(minimum))
    case 'boolean':
      return true
    case 'array':
      if (items.type === undefined && items.$ref === undefined) return []
      return Array.from({ length: Math.max(1, Number(minItems)) }, () =>
        exampleOfField(items, pluralize.singular(name), referred, depth),
      ).filter((element) => element !== undefined)
    case 'object':
      return exampleOf(properties, referred, depth)
    default:
      return null
  }
}

function textOfLength(
  text: string,
  { minLength = 0, maxLength = text.length + Number(minLength) }: Schema,
): string {
  return text.padEnd(Number(minLength), '.').slice(0, Number(maxLength))
}

/** The words of a name in camel or snake case. */
function spacedWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
}
