import { hasRules } from '../../http/rewrite-rules'
import { type DocumentContext, TAGS } from '../context'
import { itemSchema } from '../resources/record-schemas'
import { headers, notModified } from '../responses'
import { json, type Operation, type PathEntry, type Schema, schemaReference } from '../types'
import { operation } from './operation'

/** The pages about the server: its whole data and its rewrite rules, if it has any. */
export function serverPaths(context: DocumentContext): PathEntry[] {
  const get = (name: string, summary: string, description: string, schema: Schema): Operation =>
    operation(context, {
      id: `get${name}`,
      tag: TAGS.server,
      summary,
      description,
      responses: {
        200: { description, headers: headers('ETag'), content: json(schema) },
        304: notModified('ETag'),
      },
    })
  const database = schemaReference('Database')
  const data = get('Database', 'Get the whole data', 'All resources by name.', database)
  if (!hasRules(context.rules)) return [['/db', { get: data }]]
  const meaning = 'From the path of a request to the path that the router knows.'
  const rules = get('RewriteRules', 'Get the rewrite rules', meaning, { type: 'object' })
  return [
    ['/db', { get: data }],
    ['/__rules', { get: rules }],
  ]
}

/** The schema of the whole data. */
export function databaseSchema({ resources }: DocumentContext): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      resources.map((resource) => {
        const record = schemaReference(resource.schemaName)
        const items = itemSchema(resource, record)
        return [resource.name, resource.kind === 'collection' ? { type: 'array', items } : record]
      }),
    ),
  }
}
