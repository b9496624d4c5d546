import pluralize from 'pluralize'
import type { Schema } from '../../http/openapi'

const TEXTS: Readonly<Record<string, string>> = {
  email: 'new@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
}

/**
 * What a person may store in these fields: in `firstName`, `New first name`. It is made from the schemas alone, because
 * everybody can read the document.
 */
export function exampleOf(fields: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      // What is described elsewhere can mostly be left out.
      .filter(([, { $ref }]) => $ref === undefined)
      .map(([name, schema]) => [name, exampleOfField(schema, name)]),
  )
}

function exampleOfField(schema: Schema, name: string): unknown {
  const { type, format = '', properties = {}, items = {}, minimum = 1, minLength = 0, maxLength } = schema
  const [said] = [schema.const, schema.examples, schema.enum].flat().filter((value) => value !== undefined)
  if (said !== undefined) return said
  switch ([type].flat()[0]) {
    case 'string':
      return (
        TEXTS[format] ?? textOfLength(`New ${wordsOf(name)}`, Number(minLength), Number(maxLength ?? 300))
      )
    case 'integer':
      return Math.max(1, Math.ceil(Number(minimum)))
    case 'number':
      return Math.max(1.5, Number(minimum))
    case 'boolean':
      return true
    case 'array':
      return items.type === undefined ? [] : [exampleOfField(items, pluralize.singular(name))]
    case 'object':
      return exampleOf(properties)
    default:
      return null
  }
}

function textOfLength(text: string, least: number, most: number): string {
  return text.padEnd(least, '.').slice(0, most)
}

/** The words of a name in camel or snake case. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
}
