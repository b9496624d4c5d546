import type { DocumentContext } from '../context'
import { recordSchema, requestBody } from '../resources/record-schemas'
import type { Resource } from '../resources/resource-model'
import {
  BAD_PATH,
  BODY_FAILURES,
  EMPTY_OBJECT,
  headers,
  NO_TOKEN,
  NOT_FOUND,
  notModified,
  SAVE_FAILURES,
} from '../responses'
import { json, type Operation, type PathItem, PROTECTED, schemaReference } from '../types'
import { idParameter, relationParameters } from './parameters'

/** What json-server's router does with one record of a collection. */
export function recordOperations(resource: Resource, context: DocumentContext): PathItem {
  const { name, tag, singularName } = resource
  const operation = (verb: string, summary: string, description: string): Operation => ({
    operationId: context.operationIds.take(`${verb}${singularName}`),
    tags: [tag],
    summary,
    description,
    security: PROTECTED,
    parameters: [idParameter(resource, context)],
    responses: { 401: NO_TOKEN, 404: NOT_FOUND },
  })
  const read = operation(
    'get',
    `Get a record of ${name}`,
    'The record, with the related records that the query asks for.',
  )
  const get: Operation = {
    ...read,
    parameters: [...(read.parameters ?? []), ...relationParameters(resource, context)],
    responses: {
      ...read.responses,
      200: {
        description: 'The record.',
        headers: headers('ETag'),
        content: json(recordSchema(resource, context)),
      },
      304: notModified('ETag'),
      400: BAD_PATH,
    },
  }
  if (context.readOnly) return { get }
  const failures = context.savesToFile ? SAVE_FAILURES : {}
  const change = (described: Operation): Operation => ({
    ...described,
    requestBody: requestBody(resource),
    responses: {
      ...described.responses,
      200: { description: 'The record as it is now.', content: json(schemaReference(resource.schemaName)) },
      ...BODY_FAILURES,
      ...failures,
    },
  })
  const remove = operation(
    'delete',
    `Delete a record of ${name}`,
    'The records that refer to it are deleted, too.',
  )
  return {
    get,
    put: change(
      operation(
        'replace',
        `Replace a record of ${name}`,
        'Its fields become those of the body. It keeps its id.',
      ),
    ),
    patch: change(
      operation(
        'update',
        `Change a record of ${name}`,
        'The fields of the body are changed, the others stay. It keeps its id.',
      ),
    ),
    delete: {
      ...remove,
      responses: {
        ...remove.responses,
        200: { description: 'The record was deleted.', content: json(EMPTY_OBJECT, {}) },
        400: BAD_PATH,
        ...failures,
      },
    },
  }
}
