import {
  ANY_OBJECT,
  EMPTY,
  jsonContent,
  jsonResponse,
  type Operation,
  type Part,
  type PathItem,
  type Paths,
  reference,
  type Schema,
  sharedResponses,
} from '../../http/operations'
import { type Collection, childrenOf, inputName, type Resource, type Singular } from './resources'
import { LIST_HEADERS, LIST_QUERY, RELATIONS } from './shared-parts'

const FAILED_CHANGE = sharedResponses('4XX', '5XX')

/** The operations of a resource; in a collection, also those of the records of others that refer to one. */
export function resourcePaths(resource: Resource, all: readonly Resource[]): Paths {
  const { name } = resource
  if (!resource.isCollection)
    return { [`/${name}`]: { ...readAndChange(resource), post: replaceByPost(resource) } }
  const children = childrenOf(resource, all)
  return {
    [`/${name}`]: list(resource),
    [`/${name}/{id}`]: { ...readAndChange(resource), delete: remove(resource, children) },
    ...Object.fromEntries(children.map((child) => [`/${name}/{id}/${child.name}`, list(child, resource)])),
  }
}

/** Of a record of a collection, or of a singular resource. */
function readAndChange(resource: Resource): PathItem {
  const { name, isCollection, schemaName } = resource
  const what = isCollection ? `a record of ${name}` : name
  const parameters = resource.isCollection ? [resource.idParameter] : []
  const responses = {
    200: jsonResponse('What is stored.', recordOf(resource)),
    ...(isCollection && sharedResponses(404)),
  }
  const change = {
    tags: [name],
    parameters,
    requestBody: body(inputOf(resource)),
    responses: { ...responses, ...FAILED_CHANGE },
  }
  return {
    get: {
      operationId: `get${schemaName}`,
      tags: [name],
      summary: `Get ${what}`,
      parameters: isCollection ? [...parameters, ...RELATIONS] : parameters,
      responses: { ...responses, ...sharedResponses(304, '4XX') },
    },
    put: { operationId: `replace${schemaName}`, summary: `Replace ${what}`, ...change },
    patch: { operationId: `update${schemaName}`, summary: `Change fields of ${what}`, ...change },
  }
}

function remove({ name, schemaName, idParameter }: Collection, children: readonly Collection[]): Operation {
  return {
    operationId: `delete${schemaName}`,
    tags: [name],
    parameters: [idParameter],
    summary: `Delete a record of ${name}${children.length > 0 ? ', and what refers to it' : ''}`,
    responses: {
      200: jsonResponse('The record was deleted.', EMPTY, {}),
      ...sharedResponses(404),
      ...FAILED_CHANGE,
    },
  }
}

function replaceByPost(resource: Singular): Operation {
  const { name, schemaName } = resource
  return {
    operationId: `create${schemaName}`,
    tags: [name],
    summary: `Replace ${name} (POST)`,
    requestBody: body(inputOf(resource)),
    responses: { 201: created(recordOf(resource)), ...FAILED_CHANGE },
  }
}

/**
 * Of a collection, or of those of its records that refer to one of a parent.
 *
 * A POST must have what every record has, except the id and what the server sets, so that a generated client
 * catches a misspelt field.
 */
function list(resource: Collection, parent?: Collection): PathItem {
  const { name, listName, schemaName } = resource
  const where = parent ? `the ${name} of a record of ${parent.name}` : name
  const end = parent ? `Of${parent.schemaName}` : ''
  const required = resource.required.filter((field) => field !== parent?.foreignKey)
  const input = inputOf(resource)
  const record = recordOf(resource)
  const records = { type: 'array', items: record }
  const parameters = parent ? [parent.idParameter] : []
  return {
    get: {
      operationId: `list${listName}${end}`,
      tags: [name],
      summary: `List ${where}`,
      parameters: [...parameters, ...LIST_QUERY, ...RELATIONS],
      responses: {
        200: {
          ...jsonResponse('All records, or those that the query selects.', records),
          headers: LIST_HEADERS,
        },
        ...sharedResponses(304, '4XX'),
      },
    },
    post: {
      operationId: `create${schemaName}${end}`,
      tags: [name],
      summary: `Add a record to ${where}`,
      parameters,
      requestBody: body(required.length > 0 ? { allOf: [input], required } : input),
      // The id from the path is a string in a nested record.
      responses: { 201: created(parent ? ANY_OBJECT : record), ...FAILED_CHANGE },
    },
  }
}

function recordOf({ schemaName }: Resource): Schema {
  return reference('schemas', schemaName)
}

function inputOf({ schemaName }: Resource): Schema {
  return reference('schemas', inputName(schemaName))
}

function body(schema: Schema): Part {
  return { required: true, content: jsonContent(schema) }
}

function created(schema: Schema): Part {
  const Location = { description: 'The address of what was created.', schema: { type: 'string' } }
  return { ...jsonResponse('What was stored.', schema), headers: { Location } }
}
