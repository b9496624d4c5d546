import pluralize from 'pluralize'
import { type Allowed, isNamed } from '../../auth/allow-rules'
import {
  bodyOf,
  EMPTY,
  listOf,
  NOT_FOUND,
  type Operation,
  type OperationRow,
  type Schema,
  STREAMED,
} from '../../http/openapi'
import { isRecord } from '../../is-record'
import { inferSchema } from './infer-schema'
import { pascalCase, type Resource } from './resources'

interface NestedRowsOptions {
  /** All resources, of which no name is that of a field in the path of a record. */
  readonly resources: readonly Resource[]
  /** What a list can be asked for, without relations. */
  readonly listQuery: readonly Schema[]
  readonly idProperty: string
  readonly allowed: () => Allowed
}

/** The operations of lists and objects in the records of a collection, or in another resource, one level deep. */
export function nestedRows(resource: Resource, options: NestedRowsOptions): OperationRow[] {
  const { isCollection, fields } = resource
  const names = options.resources.map(({ name }) => name.toLowerCase())
  const hasPath = (field: string) =>
    /^\w+$/.test(field) && !(isCollection && names.includes(field.toLowerCase()))
  return fields.filter(hasPath).flatMap((field) => rowsOfField(field, resource, options))
}

function rowsOfField(
  field: string,
  { name, isCollection, schemaName, records, idParameter }: Resource,
  { listQuery, idProperty, allowed }: NestedRowsOptions,
): OperationRow[] {
  const values = records
    .map((record) => record[field])
    .filter((value) => value !== null && value !== undefined)
  const path = isCollection ? `/${name}/{id}/${field}` : `/${name}/${field}`
  const parameters = isCollection ? [idParameter] : []
  const [item, end] = [pascalCase(pluralize.singular(field)), `Of${schemaName}`]
  const row = (method: string, id: string, operation: Operation): OperationRow => {
    // For a field, a rule with `:id` opens nothing.
    const needsToken = isNamed(allowed(), method, path) ? {} : { needsToken: true }
    return [`${method} ${path}`, id, { parameters, errors: NOT_FOUND, ...needsToken, ...operation }]
  }
  if (values.length > 0 && values.every(isRecord)) {
    const success = inferSchema(values, { isComplete: true })
    const change = { success, requestBody: bodyOf(inferSchema(values)) }
    const object = `${pascalCase(field)}${end}`
    return [
      row('GET', `get${object}`, { description: STREAMED, success }),
      row('PUT', `replace${object}`, change),
      row('PATCH', `update${object}`, change),
      row('POST', `create${object}`, { ...change, status: 201 }),
    ]
  }
  if (values.length === 0 || !values.every(Array.isArray)) return []
  const elements = values.flat()
  const success = inferSchema(elements, { isComplete: true })
  const list = row('GET', `list${pascalCase(field)}${end}`, {
    description: STREAMED,
    parameters: [...parameters, ...listQuery],
    success: listOf(success),
  })
  if (!elements.every(isRecord)) return [list]
  const change = {
    success,
    requestBody: bodyOf(elements.length > 0 ? inferSchema(elements) : { type: 'object' }),
  }
  const rows = [list, row('POST', `create${item}${end}`, { ...change, status: 201 })]
  const id = success.properties?.[idProperty]
  if (id === undefined) return rows
  const itemId = `${pluralize.singular(field)}Id`
  const idOfItem = { name: itemId, in: 'path', required: true, schema: { type: id.type } }
  const one = { success, parameters: [...parameters, idOfItem], errors: NOT_FOUND }
  const itemPath = `${path}/{${itemId}}`
  return [
    ...rows,
    [`GET ${itemPath}`, `get${item}${end}`, { ...one, description: STREAMED }],
    [`PUT ${itemPath}`, `replace${item}${end}`, { ...one, ...change }],
    [`PATCH ${itemPath}`, `update${item}${end}`, { ...one, ...change }],
    [`DELETE ${itemPath}`, `delete${item}${end}`, { ...one, success: EMPTY }],
  ]
}
