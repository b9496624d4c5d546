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
    Object.entries(fields).map(([name, schema]) => [name, exampleOfField(schema, name)]),
  )
}

function exampleOfField({ type, format = '', properties = {}, items = {} }: Schema, name: string): unknown {
  switch ([type].flat()[0]) {
    case 'string':
      return TEXTS[format] ?? `New ${spacedWords(name)}`
    case 'integer':
      return 1
    case 'number':
      return 1.5
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

/** The words of a name in camel or snake case. */
function spacedWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
}
