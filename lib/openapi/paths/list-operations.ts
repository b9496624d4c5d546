import type { DocumentContext } from '../context'
import { itemSchema, recordSchema, requestBody } from '../resources/record-schemas'
import { foreignKeyTo } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import { BAD_QUERY, BODY_FAILURES, failure, headers, notModified, SAVE_FAILURES } from '../responses'
import { json, type Operation, type Schema, schemaReference } from '../types'
import { operation } from './operation'
import { idParameter, listParameters } from './parameters'

/** The list of a collection, or of the part of it that belongs to a parent. */
export function listOperation(resource: Resource, context: DocumentContext, parent?: Resource): Operation {
  const { name, pluralName, tag } = resource
  return operation(context, {
    id: `list${pluralName}${parent ? `Of${parent.singularName}` : ''}`,
    tag,
    summary: parent ? `List the ${name} of a record of ${parent.name}` : `List ${name}`,
    description: 'All records, or those that the query selects.',
    parameters: [...(parent ? [idParameter(parent, context)] : []), ...listParameters(resource, context)],
    responses: {
      200: {
        description: 'The records.',
        headers: headers('X-Total-Count', 'Link', 'ETag'),
        content: json({ type: 'array', items: itemSchema(resource, recordSchema(resource, context)) }),
      },
      304: notModified('X-Total-Count', 'Link', 'ETag'),
      400: BAD_QUERY,
    },
  })
}

/** The creation of a record, or of one that belongs to a parent. */
export function createOperation(resource: Resource, context: DocumentContext, parent?: Resource): Operation {
  const { name, schemaName, singularName, tag } = resource
  return operation(context, {
    id: `create${singularName}${parent ? `Of${parent.singularName}` : ''}`,
    tag,
    summary: parent ? `Add to the ${name} of a record of ${parent.name}` : `Add a record to ${name}`,
    description: 'The record gets an id if it has none. A form is read as well; its values are strings.',
    ...(parent && { parameters: [idParameter(parent, context)] }),
    requestBody: requestBody(resource),
    responses: {
      201: {
        description: 'The record as it was stored.',
        headers: headers('Location'),
        content: json(parent ? nestedRecord(resource, parent, context) : schemaReference(schemaName)),
      },
      ...BODY_FAILURES,
      409: failure('There is a record with this id already.', 'A record with the id 1 exists already.'),
      ...(context.savesToFile && SAVE_FAILURES),
    },
  })
}

/** A record that was added to a parent: json-server stores the id from the path as a string. */
function nestedRecord(
  { id, fields }: Resource,
  parent: Resource,
  { idProperty, foreignKeySuffix }: DocumentContext,
): Schema {
  const key = foreignKeyTo(parent, foreignKeySuffix)
  return { type: 'object', properties: { [idProperty]: id, ...fields, [key]: { type: 'string' } } }
}
