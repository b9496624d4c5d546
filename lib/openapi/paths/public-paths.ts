import pluralize from 'pluralize'
import type { DocumentContext } from '../context'
import { headers, replies } from '../replies'
import { itemSchema } from '../resources/record-schemas'
import type { Resource } from '../resources/resource-model'
import { json, type Operation, type PathEntry, PUBLIC, schemaReference } from '../types'
import { idParameter } from './parameters'

/** The public reads (blog-and-user-mock-service, Endpoints): what they answer stands ahead of the router. */
export function publicPaths(context: DocumentContext): PathEntry[] {
  const { publicCollection, resources } = context
  const resource = resources.find(({ name, kind }) => name === publicCollection && kind === 'collection')
  if (resource?.segment === undefined) return []
  const singular = pluralize.singular(resource.name)
  const names = [...new Set([resource.segment, singular])]
  return [
    [`/${resource.segment}`, { get: listOperation(resource, context) }],
    ...names.map(
      (name): PathEntry => [`/${name}/{id}`, { get: singleOperation(resource, context, singular) }],
    ),
  ]
}

function listOperation(resource: Resource, context: DocumentContext): Operation {
  const { name, example } = resource
  return {
    operationId: context.operationIds.take(`list${resource.pluralName}`),
    tags: [resource.tag],
    summary: `List ${name}, without a token`,
    description: `${
      context.live
        ? 'The records as they are now.'
        : 'The records as they were loaded: later changes do not show.'
    } A query is ignored.`,
    security: PUBLIC,
    responses: {
      200: {
        description: 'All records.',
        headers: headers('ETag'),
        content: json(
          {
            type: 'object',
            properties: {
              [name]: { type: 'array', items: itemSchema(resource, schemaReference(resource.schemaName)) },
            },
            required: [name],
          },
          { [name]: example === undefined ? [] : [example] },
        ),
      },
      ...replies(304),
    },
  }
}

function singleOperation(resource: Resource, context: DocumentContext, singular: string): Operation {
  const { name, schemaName, example } = resource
  const title = singular.charAt(0).toUpperCase() + singular.slice(1)
  return {
    operationId: context.operationIds.take(`get${resource.singularName}`),
    tags: [resource.tag],
    summary: `Get a record of ${name}, without a token`,
    description: 'The record as it is now. A query is ignored.',
    security: PUBLIC,
    parameters: [idParameter(resource, context)],
    responses: {
      200: {
        description: 'The record.',
        content: json(
          { type: 'object', properties: { [singular]: schemaReference(schemaName) }, required: [singular] },
          example && { [singular]: example },
        ),
      },
      ...replies(400),
      404: {
        description: 'There is no such record.',
        content: json(schemaReference('Error'), { error: `${title} not found` }),
      },
    },
  }
}
