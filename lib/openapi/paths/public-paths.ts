import pluralize from 'pluralize'
import type { DocumentContext } from '../context'
import { itemSchema } from '../resources/record-schemas'
import type { Resource } from '../resources/resource-model'
import { BAD_PATH, failure, headers, notModified } from '../responses'
import { json, type Media, type Operation, type PathEntry, type Schema, schemaReference } from '../types'
import { operation } from './operation'
import { idParameter } from './parameters'

/** The public reads (docs/interface.md, Public reads), which never reach the router. */
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
  const { name, schemaName } = resource
  const which = context.live
    ? 'The records as they are now.'
    : 'The records as they were loaded: later changes do not show.'
  return operation(context, {
    id: `list${resource.pluralName}`,
    tag: resource.tag,
    isPublic: true,
    summary: `List ${name}, without a token`,
    description: `${which} A query is ignored.`,
    responses: {
      200: {
        description: 'All records.',
        headers: headers('ETag'),
        content: envelope(name, { type: 'array', items: itemSchema(resource, schemaReference(schemaName)) }),
      },
      304: notModified('ETag'),
    },
  })
}

function singleOperation(resource: Resource, context: DocumentContext, singular: string): Operation {
  const { name, schemaName } = resource
  const title = singular.charAt(0).toUpperCase() + singular.slice(1)
  return operation(context, {
    id: `get${resource.singularName}`,
    tag: resource.tag,
    isPublic: true,
    summary: `Get a record of ${name}, without a token`,
    description: 'The record as it is now. A query is ignored.',
    parameters: [idParameter(resource, context)],
    responses: {
      200: { description: 'The record.', content: envelope(singular, schemaReference(schemaName)) },
      400: BAD_PATH,
      404: failure('There is no such record.', `${title} not found`),
    },
  })
}

/** A JSON object with one field. */
function envelope(name: string, schema: Schema): Record<string, Media> {
  return json({ type: 'object', properties: { [name]: schema }, required: [name] })
}
