import {
  ANY_OBJECT,
  EMPTY,
  jsonContent,
  jsonResponse,
  type Part,
  type PathItem,
  type Paths,
  type Responses,
  reference,
  type Schema,
  sharedResponses,
} from '../../http/operations'
import { childrenOf, inputName, type Resource } from './resources'
import { LIST_HEADERS, LIST_QUERY, RELATIONS } from './shared-parts'

const FAILED_CHANGE = sharedResponses('4XX', '5XX')

/** The operations of a resource, which refers to others or they to it. */
export function resourcePaths(resource: Resource, all: readonly Resource[]): Paths {
  return resource.isCollection ? collectionPaths(resource, all) : singularPaths(resource)
}

/** The operations of a collection, of its records, and of the records of others that refer to one. */
function collectionPaths(resource: Resource, all: readonly Resource[]): Paths {
  const { name, schemaName, idParameter } = resource
  const children = childrenOf(resource, all)
  return {
    [`/${name}`]: list(resource),
    [`/${name}/{id}`]: {
      ...readAndChange(resource, `a record of ${name}`, {
        parameters: [idParameter],
        relations: RELATIONS,
        otherResponses: sharedResponses(404),
      }),
      delete: {
        operationId: `delete${schemaName}`,
        tags: [name],
        parameters: [idParameter],
        summary: `Delete a record of ${name}${children.length > 0 ? ', and what refers to it' : ''}`,
        responses: {
          200: jsonResponse('The record was deleted.', EMPTY, {}),
          ...sharedResponses(404),
          ...FAILED_CHANGE,
        },
      },
    },
    ...Object.fromEntries(children.map((child) => [`/${name}/{id}/${child.name}`, list(child, resource)])),
  }
}

/** The operations of a singular resource. */
function singularPaths(resource: Resource): Paths {
  const { name, schemaName, record } = resource
  const post = {
    operationId: `create${schemaName}`,
    tags: [name],
    summary: `Replace ${name} (POST)`,
    requestBody: body(inputOf(resource)),
    responses: { 201: created(record), ...FAILED_CHANGE },
  }
  return { [`/${name}`]: { ...readAndChange(resource, name), post } }
}

/** What the operations of a record have, and those of a singular resource do not. */
interface RecordParts {
  readonly parameters?: readonly Part[]
  readonly relations?: readonly Part[]
  readonly otherResponses?: Responses
}

/** Of a record or a singular resource. */
function readAndChange(
  resource: Resource,
  what: string,
  { parameters = [], relations = [], otherResponses = {} }: RecordParts = {},
): PathItem {
  const { name, schemaName, record } = resource
  const responses = { 200: jsonResponse('What is stored.', record), ...otherResponses }
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
      parameters: [...parameters, ...relations],
      responses: { ...responses, ...sharedResponses(304, '4XX') },
    },
    put: { operationId: `replace${schemaName}`, summary: `Replace ${what}`, ...change },
    patch: { operationId: `update${schemaName}`, summary: `Change fields of ${what}`, ...change },
  }
}

/**
 * Of a collection, or of those of its records that refer to one of a parent.
 *
 * A POST must have what every record has, except the id and what the server sets, so that a generated client
 * catches a misspelt field.
 */
function list(resource: Resource, parent?: Resource): PathItem {
  const { name, listName, schemaName, record, item } = resource
  const where = parent ? `the ${name} of a record of ${parent.name}` : name
  const end = parent ? `Of${parent.schemaName}` : ''
  const required = resource.required.filter((field) => field !== parent?.foreignKey)
  const input = inputOf(resource)
  const records = { type: 'array', items: item }
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
