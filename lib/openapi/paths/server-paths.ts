import { hasRules } from '../../http/rewrite-rules'
import { type DocumentContext, TAGS } from '../context'
import { itemSchema } from '../resources/record-schemas'
import { headers, NO_TOKEN, notModified } from '../responses'
import { json, type Operation, type PathEntry, PROTECTED, type Schema, schemaReference } from '../types'

/** What shows the server itself: its whole data and its rewrite rules, if it has any. */
export function serverPaths({ rules, operationIds }: DocumentContext): PathEntry[] {
  const get = (name: string, what: string, description: string, schema: Schema): Operation => ({
    operationId: operationIds.take(`get${name}`),
    tags: [TAGS.server],
    summary: `Get ${what}`,
    description,
    security: PROTECTED,
    responses: {
      200: { description, headers: headers('ETag'), content: json(schema) },
      304: notModified('ETag'),
      401: NO_TOKEN,
    },
  })
  const database = schemaReference('Database')
  const ruleTable: Schema = {
    type: 'object',
    description: 'From the path of a request to the path that the router knows.',
  }
  return [
    [
      '/db',
      { get: get('Database', 'the whole data', 'All collections and singular resources by name.', database) },
    ],
    ...(!hasRules(rules)
      ? []
      : [
          [
            '/__rules',
            { get: get('RewriteRules', 'the rewrite rules', 'The rules that change paths.', ruleTable) },
          ] satisfies PathEntry,
        ]),
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
