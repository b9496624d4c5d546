import { hasRules } from '../../http/rewrite-rules'
import { type DocumentContext, TAGS } from '../context'
import { headers, replies } from '../replies'
import { itemSchema } from '../resources/record-schemas'
import { json, type PathEntry, PROTECTED, type Schema, schemaReference } from '../types'

/** What shows the server itself: its whole data and its rewrite rules. */
export function serverPaths(context: DocumentContext): PathEntry[] {
  const { operationIds } = context
  return [
    [
      '/db',
      {
        get: {
          operationId: operationIds.take('getDatabase'),
          tags: [TAGS.server],
          summary: 'Get the whole data',
          description: 'All collections and singular resources by name.',
          security: PROTECTED,
          responses: {
            200: {
              description: 'The data.',
              headers: headers('ETag'),
              content: json(schemaReference('Database')),
            },
            ...replies(304, 401),
          },
        },
      },
    ],
    ...(hasRules(context.rules) ? [rulesPath(context)] : []),
  ]
}

/** The rewrite rules are shown only where there are any. */
function rulesPath({ rules, operationIds }: DocumentContext): PathEntry {
  const rulesSchema: Schema = {
    type: 'object',
    description: 'From the path that is asked for to the one that answers.',
  }
  return [
    '/__rules',
    {
      get: {
        operationId: operationIds.take('getRewriteRules'),
        tags: [TAGS.server],
        summary: 'Get the rewrite rules',
        description: 'The rules by which a path is changed before it is answered.',
        security: PROTECTED,
        responses: {
          200: { description: 'The rules.', headers: headers('ETag'), content: json(rulesSchema, rules) },
          ...replies(304, 401),
        },
      },
    },
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
