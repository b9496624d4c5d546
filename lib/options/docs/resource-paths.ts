import {
  ANY_OBJECT,
  jsonContent,
  jsonResponse,
  type Part,
  type PathItem,
  type Paths,
  type Responses,
  type Schema,
  shared,
} from '../../http/operations'
import type { Resource } from './resources'
import { listHeaders } from './shared-parts'

const NOT_MODIFIED = { 304: shared('responses', 'notModified') }
const NOT_FOUND = { 404: shared('responses', 'notFound') }
const REFUSED = { '4XX': shared('responses', 'refused') }
const FAILED_CHANGE = { ...REFUSED, '5XX': shared('responses', 'notSaved') }

/**
 * The operations of a collection, its records, and the records of others that refer to them; or of a singular
 * resource.
 *
 * @param query the parameters of every list
 */
export function resourcePaths(resource: Resource, query: readonly Part[]): Paths {
  const { name, schemaName, idParameter, record, children } = resource
  if (!resource.isCollection) {
    const post = {
      operationId: `create${schemaName}`,
      tags: [name],
      summary: `Replace ${name} (POST)`,
      requestBody: body({ $ref: inputOf(resource) }),
      responses: { 201: created(record), ...FAILED_CHANGE },
    }
    return { [`/${name}`]: { ...readAndChange(resource, name), post } }
  }
  const nested = children.filter(({ isListed }) => isListed)
  return {
    [`/${name}`]: list(resource, query),
    [`/${name}/{id}`]: {
      parameters: [idParameter],
      ...readAndChange(resource, `a record of ${name}`, NOT_FOUND),
      delete: {
        operationId: `delete${schemaName}`,
        tags: [name],
        summary: `Delete a record of ${name}${children.length > 0 ? ', and what refers to it' : ''}`,
        responses: {
          200: jsonResponse('The record was deleted.', { type: 'object', maxProperties: 0 }, {}),
          ...NOT_FOUND,
          ...FAILED_CHANGE,
        },
      },
    },
    ...Object.fromEntries(
      nested.map((child) => [`/${name}/{id}/${child.name}`, list(child, query, resource)]),
    ),
  }
}

/** Of a record or a singular resource. */
function readAndChange(resource: Resource, what: string, otherResponses: Responses = {}): PathItem {
  const { name, schemaName, record } = resource
  const responses = { 200: jsonResponse('What is stored.', record), ...otherResponses }
  const change = {
    tags: [name],
    requestBody: body({ $ref: inputOf(resource) }),
    responses: { ...responses, ...FAILED_CHANGE },
  }
  return {
    get: {
      operationId: `get${schemaName}`,
      tags: [name],
      summary: `Get ${what}`,
      parameters: relationParameters(resource),
      responses: { ...responses, ...NOT_MODIFIED, ...REFUSED },
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
function list(resource: Resource, query: readonly Part[], parent?: Resource): PathItem {
  const { name, listName, schemaName, record } = resource
  const where = parent ? `the ${name} of a record of ${parent.name}` : name
  const end = parent ? `Of${parent.schemaName}` : ''
  const required = resource.required.filter((field) => field !== parent?.foreignKey)
  const input = { $ref: inputOf(resource) }
  const items = jsonResponse('All records, or those that the query selects.', {
    type: 'array',
    items: resource.item,
  })
  return {
    ...(parent && { parameters: [parent.idParameter] }),
    get: {
      operationId: `list${listName}${end}`,
      tags: [name],
      summary: `List ${where}`,
      parameters: [...query, ...relationParameters(resource)],
      responses: { 200: { ...items, headers: listHeaders() }, ...NOT_MODIFIED, ...REFUSED },
    },
    post: {
      operationId: `create${schemaName}${end}`,
      tags: [name],
      summary: `Add a record to ${where}`,
      requestBody: body(required.length > 0 ? { allOf: [input], required } : input),
      // The id from the path is a string in a nested record.
      responses: { 201: created(parent ? ANY_OBJECT : record), ...FAILED_CHANGE },
    },
  }
}

function inputOf({ inputName }: Resource): string {
  return `#/components/schemas/${inputName}`
}

function body(schema: Schema): Part {
  return { required: true, content: jsonContent(schema) }
}

function created(schema: Part): Part {
  const headers = { Location: shared('headers', 'Location') }
  return { ...jsonResponse('What was stored.', schema), headers }
}

/** The query parameters that add records of other collections. */
function relationParameters({ children, parents }: Resource): Part[] {
  const relation = (name: string, description: string, choices: readonly string[]) => {
    const schema = { type: 'array', items: { type: 'string', enum: choices } }
    return choices.length > 0 ? [{ name, in: 'query', description, schema }] : []
  }
  const embedded = children.map(({ name }) => name)
  return [
    ...relation('_embed', 'Adds the records of these collections that refer to a record.', embedded),
    ...relation('_expand', 'Adds the records that a record refers to.', parents),
  ]
}

/** Whether it is one of the query parameters that add records of other collections. */
export function isRelation({ name }: Part): boolean {
  return name === '_embed' || name === '_expand'
}
