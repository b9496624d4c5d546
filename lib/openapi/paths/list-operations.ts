import type { DocumentContext } from '../context'
import { headers, replies } from '../replies'
import { itemSchema, recordSchema, requestBody } from '../resources/record-schemas'
import { foreignKeyTo, relationsOf } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import { json, type Operation, PROTECTED, type Schema, schemaReference } from '../types'
import { idParameter, listParameters } from './parameters'

/** The list of a collection, or of the part of it that belongs to a parent. */
export function listOperation(resource: Resource, context: DocumentContext, parent?: Resource): Operation {
  const { example, name, pluralName, tag } = resource
  const relations = relationsOf(resource, context.resources, context.foreignKeySuffix)
  return {
    operationId: context.operationIds.take(`list${pluralName}${parent ? `Of${parent.singularName}` : ''}`),
    tags: [tag],
    summary: parent ? `List the ${name} of a record of ${parent.name}` : `List ${name}`,
    description: 'All records, or those that the query asks for.',
    security: PROTECTED,
    parameters: [
      ...(parent ? [idParameter(parent, context)] : []),
      ...listParameters(resource, relations, context.idProperty),
    ],
    responses: {
      200: {
        description: 'The records.',
        headers: headers('XTotalCount', 'Link', 'ETag'),
        content: json(
          { type: 'array', items: itemSchema(resource, recordSchema(resource, context)) },
          example === undefined ? [] : [example],
        ),
      },
      ...replies(304, 400, 401),
    },
  }
}

/** The creation of a record, or of one that belongs to a parent. */
export function createOperation(resource: Resource, context: DocumentContext, parent?: Resource): Operation {
  const { example, name, schemaName, singularName, tag } = resource
  return {
    operationId: context.operationIds.take(
      `create${singularName}${parent ? `Of${parent.singularName}` : ''}`,
    ),
    tags: [tag],
    summary: parent ? `Add to the ${name} of a record of ${parent.name}` : `Add a record to ${name}`,
    description:
      'The record is given an id if it has none. It may have other fields, too. A form is read as well; its values are texts.',
    security: PROTECTED,
    ...(parent && { parameters: [idParameter(parent, context)] }),
    requestBody: requestBody(resource, context),
    responses: {
      201: {
        description: 'The record as it was stored.',
        headers: headers('Location'),
        content: parent
          ? json(nestedRecord(resource, parent, context))
          : json(schemaReference(schemaName), example),
      },
      ...replies(400, 401, 409, 413, 415, 500, 503),
    },
  }
}

/** A record that was added to a parent: json-server stores the id in the path as the string that it is. */
function nestedRecord(
  { id, fields }: Resource,
  parent: Resource,
  { idProperty, foreignKeySuffix }: DocumentContext,
): Schema {
  const key = foreignKeyTo(parent, foreignKeySuffix)
  return { type: 'object', properties: { [idProperty]: id, ...fields, [key]: { type: 'string' } } }
}
