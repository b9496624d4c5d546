import { publicNames } from '../../../auth/access-policy'
import type { Operations, Part } from '../../docs-addition'
import { type DocumentContext, MOST_NESTED, type Resource } from '../context'
import templates from '../templates/resource.json'
import { template } from '../templates/template'
import { type Path, toPath } from '../types'
import { newRecord, relationParameters } from './request-parts'

type Paths = Readonly<Record<string, Operations>>

const fillPublic = template<Paths>(templates.public)
const fillSingular = template<Paths>(templates.singular)
const fillList = template<Paths>(templates.list)
const fillRecord = template<Paths>(templates.record)

/** The public reads (docs/interface.md, Public reads), which never reach the router. */
export function publicPaths(context: DocumentContext): Path[] {
  const resource = context.resources.find(({ isPublic }) => isPublic)
  if (!resource?.isListed) return []
  const paths = fillPublic({
    ...resource,
    ...publicNames(resource.name),
    shown: context.live ? 'are now' : 'were loaded: later changes do not show',
    idParameters: [idParameter(resource, context)],
  })
  return Object.entries(paths).map(toPath)
}

/**
 * The paths that json-server's router has for a singular resource; or for a collection, its records, and the
 * records of other collections that refer to them.
 */
export function resourcePaths(resource: Resource, context: DocumentContext): Path[] {
  const paths = (resource.isCollection ? collectionPaths(resource, context) : [fillSingular(resource)])
    .flatMap((part) => Object.entries(part))
    .map(toPath)
  if (!context.readOnly) return paths
  return paths.map(({ path, operations: { get } }) => ({ path, operations: { ...(get && { get }) } }))
}

function collectionPaths(resource: Resource, context: DocumentContext): Paths[] {
  const { name, schemaName, children, foreignKey } = resource
  const id = idParameter(resource, context)
  const nested = context.nestedCount > MOST_NESTED ? [] : children.filter(({ isListed }) => isListed)
  return [
    fillList({
      ...resource,
      path: `/${name}`,
      where: name,
      suffix: '',
      created: `${schemaName}_created`,
      idParameters: [],
      listParameters: [...templates.query, ...relationParameters(resource)],
      newRecord: newRecord(resource),
    }),
    fillRecord({
      ...resource,
      idParameters: [id],
      recordParameters: [id, ...relationParameters(resource)],
      dependents: children.length > 0 ? ', and what refers to it' : '',
    }),
    ...nested.map((child) =>
      fillList({
        ...child,
        path: `/${name}/{id}/${child.name}`,
        where: `the ${child.name} of a record of ${name}`,
        suffix: `Of${schemaName}`,
        created: 'added',
        idParameters: [id],
        listParameters: [id, ...templates.query, ...relationParameters(child)],
        newRecord: newRecord(child, foreignKey),
      }),
    ),
  ]
}

/**
 * The id of a record in a path. It is no component, because its type and its example depend on the resource.
 */
function idParameter({ id, example }: Resource, { idProperty }: DocumentContext): Part {
  const first = example?.[idProperty]
  return {
    ...templates.id,
    ...(id.type === 'integer'
      ? { schema: { type: 'integer' }, example: first ?? 1 }
      : { schema: { type: 'string' }, example: first === undefined ? first : String(first) }),
  }
}
