import pluralize from 'pluralize'
import type { Schema } from '../../http/openapi'

const TEXTS: Readonly<Record<string, string>> = {
  email: 'new@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
}

/** Gives the schema that a reference leads to, if it is known. */
export type Referred = (reference: unknown) => Schema | undefined

/** How many schemas an example follows, each of which may refer to the one that it is in. */
const DEEPEST = 4

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
      .filter(([, { $ref }]) => $ref === undefined || (depth < DEEPEST && referred($ref) !== undefined))
      .map(([name, schema]) => [name, exampleOfField(schema, name, referred, depth)]),
  )
}

function exampleOfField(schema: Schema, name: string, referred: Referred, depth: number): unknown {
  const { $ref, properties = {}, items = {}, format = '', minimum = 1, minItems = 1 } = schema
  const type = schema.type ?? (schema.properties && 'object')
  if ($ref !== undefined) return exampleOfField(referred($ref) ?? {}, name, referred, depth + 1)
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
        exampleOfField(items, pluralize.singular(name), referred, depth + 1),
      )
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
