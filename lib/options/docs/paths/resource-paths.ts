import type { Parameter } from '../../docs-addition'
import { type DocumentContext, MOST_NESTED } from '../context'
import { newRecord, relationParameters } from '../resources/resource-components'
import type { Resource } from '../resources/resource-model'
import templates from '../templates/resource.json'
import { template } from '../templates/template'
import { type Operations, type Path, referTo } from '../types'

const fillSingular = template(templates.singular)
const fillList = template(templates.list)
const fillRecord = template(templates.record)

/**
 * The paths that json-server's router has for a singular resource; or for a collection, its records, and the
 * records of other collections that refer to them.
 */
export function resourcePaths(resource: Resource, context: DocumentContext): Path[] {
  const { isCollection, segment, children } = resource
  if (segment === undefined) return []
  const parameters = [idParameter(resource, context)]
  const nested =
    context.nestedCount > MOST_NESTED ? [] : children.filter((child) => child.segment !== undefined)
  const paths = isCollection
    ? [
        { path: `/${segment}`, operations: listOf(resource) },
        { path: `/${segment}/{id}`, parameters, operations: recordOf(resource) },
        ...nested.map((child) => ({
          path: `/${segment}/{id}/${child.segment}`,
          parameters,
          operations: listOf(child, resource),
        })),
      ]
    : [{ path: `/${segment}`, operations: fillSingular(resource) }]
  if (!context.readOnly) return paths
  return paths.map((path) => ({ ...path, operations: { get: path.operations.get } }))
}

/** The list of a collection and the creation of a record, or of those that belong to a parent. */
function listOf(resource: Resource, parent?: Resource) {
  const { name, schemaName } = resource
  const texts = parent
    ? {
        where: `the ${name} of a record of ${parent.name}`,
        suffix: `Of${parent.schemaName}`,
        created: 'added',
      }
    : { where: name, suffix: '', created: `${schemaName}_created` }
  const { get, post } = fillList({ ...resource, ...texts })
  return {
    get: { ...get, parameters: [...get.parameters, ...relations(resource)] },
    post: { ...post, requestBody: newRecord(resource, parent?.foreignKey) },
  } satisfies Operations
}

function recordOf(resource: Resource) {
  const dependents = resource.children.length > 0 ? ', and what refers to it' : ''
  const { get, ...changes } = fillRecord({ ...resource, dependents })
  return { get: { ...get, parameters: relations(resource) }, ...changes } satisfies Operations
}

/** References to the query parameters that add records of other collections. */
function relations(resource: Resource) {
  return Object.keys(relationParameters(resource)).map((name) => referTo('parameters', name))
}

/**
 * The id of a record in a path. Not a component: of two operations that are opened at once, Swagger UI would
 * leave the second without it.
 */
export function idParameter({ id, example }: Resource, { idProperty }: DocumentContext): Parameter {
  const first = example?.[idProperty]
  return {
    ...templates.id,
    ...(id.type === 'integer'
      ? { schema: { type: 'integer' }, example: first ?? 1 }
      : { schema: { type: 'string' }, example: first === undefined ? first : String(first) }),
  }
}
