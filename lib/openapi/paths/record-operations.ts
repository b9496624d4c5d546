import type { DocumentContext } from '../context'
import { headers, replies } from '../replies'
import { recordSchema, requestBody } from '../resources/record-schemas'
import { relationsOf } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import { json, type Operation, type PathItem, PROTECTED, schemaReference } from '../types'
import { idParameter, relationParameters } from './parameters'

/** What json-server's router does with one record of a collection. */
export function recordOperations(resource: Resource, context: DocumentContext): PathItem {
  const get = getOperation(resource, context)
  if (context.readOnly) return { get }
  return {
    get,
    put: {
      ...changeOperation(resource, context),
      operationId: context.operationIds.take(`replace${resource.singularName}`),
      summary: `Replace a record of ${resource.name}`,
      description: 'Its fields become those of the body. It keeps its id.',
    },
    patch: {
      ...changeOperation(resource, context),
      operationId: context.operationIds.take(`update${resource.singularName}`),
      summary: `Change a record of ${resource.name}`,
      description: 'The fields of the body are changed, the others stay. It keeps its id.',
    },
    delete: deleteOperation(resource, context),
  }
}

function getOperation(resource: Resource, context: DocumentContext): Operation {
  const relations = relationsOf(resource, context.resources, context.foreignKeySuffix)
  return {
    operationId: context.operationIds.take(`get${resource.singularName}`),
    tags: [resource.tag],
    summary: `Get a record of ${resource.name}`,
    description: 'The record, with the records that `_embed` and `_expand` ask for.',
    security: PROTECTED,
    parameters: [idParameter(resource, context), ...relationParameters(relations)],
    responses: {
      200: {
        description: 'The record.',
        headers: headers('ETag'),
        content: json(recordSchema(resource, context), resource.example),
      },
      ...replies(304, 400, 401, 404),
    },
  }
}

function changeOperation(
  resource: Resource,
  context: DocumentContext,
): Omit<Operation, 'operationId' | 'summary' | 'description'> {
  return {
    tags: [resource.tag],
    security: PROTECTED,
    parameters: [idParameter(resource, context)],
    requestBody: requestBody(resource, context),
    responses: {
      200: {
        description: 'The record as it is now.',
        content: json(schemaReference(resource.schemaName), resource.example),
      },
      ...replies(400, 401, 404, 413, 415, 500, 503),
    },
  }
}

function deleteOperation(resource: Resource, context: DocumentContext): Operation {
  return {
    operationId: context.operationIds.take(`delete${resource.singularName}`),
    tags: [resource.tag],
    summary: `Delete a record of ${resource.name}`,
    description: 'The records that refer to it go, too.',
    security: PROTECTED,
    parameters: [idParameter(resource, context)],
    responses: {
      200: { description: 'It is gone.', content: json(schemaReference('Nothing'), {}) },
      ...replies(400, 401, 404, 500, 503),
    },
  }
}
