import type { DocumentContext } from '../context'
import { recordSchema, requestBody } from '../resources/record-schemas'
import type { Resource } from '../resources/resource-model'
import {
  BAD_PATH,
  BAD_QUERY,
  BODY_FAILURES,
  EMPTY_OBJECT,
  headers,
  NOT_FOUND,
  notModified,
  SAVE_FAILURES,
} from '../responses'
import { json, type Operation, type PathItem, schemaReference } from '../types'
import { operation } from './operation'
import { idParameter, relationParameters } from './parameters'

/** What json-server's router does with one record of a collection, or with a singular resource. */
export function recordOperations(resource: Resource, context: DocumentContext): PathItem {
  const { kind, name, tag, singularName, schemaName } = resource
  const isSingular = kind === 'singular'
  const what = isSingular ? name : `a record of ${name}`
  const parameters = isSingular ? [] : [idParameter(resource, context)]
  const describe = (
    verb: string,
    summary: string,
    description: string,
    responses: Operation['responses'],
  ): Operation =>
    operation(context, {
      id: `${verb}${singularName}`,
      tag,
      summary,
      description,
      parameters,
      responses: { ...responses, ...(!isSingular && { 404: NOT_FOUND }) },
    })
  const read = describe(
    'get',
    `Get ${what}`,
    isSingular
      ? 'The resource: there is only one.'
      : 'The record, with the related records that the query asks for.',
    {
      200: {
        description: 'What is stored.',
        headers: headers('ETag'),
        content: json(recordSchema(resource, context)),
      },
      304: notModified('ETag'),
      400: isSingular ? BAD_QUERY : BAD_PATH,
    },
  )
  const get = { ...read, parameters: [...parameters, ...relationParameters(resource, context)] }
  if (context.readOnly) return { get }
  const failures = context.savesToFile ? SAVE_FAILURES : {}
  const change = (verb: string, summary: string, description: string, status = 200): Operation => ({
    ...describe(verb, summary, isSingular ? description : `${description} It keeps its id.`, {
      [status]: {
        description: 'What is stored now.',
        ...(status === 201 && { headers: headers('Location') }),
        content: json(schemaReference(schemaName)),
      },
      ...BODY_FAILURES,
      ...failures,
    }),
    requestBody: requestBody(resource),
  })
  const put = change('replace', `Replace ${what}`, 'Its fields become those of the body.')
  const patch = change('update', `Change ${what}`, 'The fields of the body are changed, the others stay.')
  if (isSingular) {
    const post = change('create', `Replace ${what} by a POST`, 'The same as PUT, with the status 201.', 201)
    return { get, post, put, patch }
  }
  const remove = describe('delete', `Delete ${what}`, 'The records that refer to it are deleted, too.', {
    200: { description: 'The record was deleted.', content: json(EMPTY_OBJECT, {}) },
    400: BAD_PATH,
    ...failures,
  })
  return { get, put, patch, delete: remove }
}
