import type { DocumentContext } from '../context'
import { relationsOf } from '../resources/relations'
import type { Resource } from '../resources/resource-model'
import type { PathEntry, PathItem } from '../types'
import { createOperation, listOperation } from './list-operations'
import { recordOperations } from './record-operations'

/**
 * The paths that json-server's router has for a singular resource; or for a collection, its records, and the records of
 * other collections that refer to them.
 */
export function resourcePaths(resource: Resource, context: DocumentContext): PathEntry[] {
  const { kind, segment } = resource
  if (segment === undefined) return []
  if (kind === 'singular') return [[`/${segment}`, recordOperations(resource, context)]]
  const { children } = relationsOf(resource, context.resources, context.foreignKeySuffix)
  return [
    [`/${segment}`, listAndCreate(resource, context)],
    [`/${segment}/{id}`, recordOperations(resource, context)],
    // json-server decodes the nested name, but not the first one.
    ...children
      .filter(isNestable)
      .map(
        (child): PathEntry => [
          `/${segment}/{id}/${encodeURIComponent(child.name)}`,
          listAndCreate(child.resource, context, resource),
        ],
      ),
  ]
}

/** Whether json-server finds the collection: it puts the decoded name into the path. */
function isNestable({ name }: { name: string }): boolean {
  return name !== '' && !/[?#%:()*+\\^$|[\]]|\p{Surrogate}/u.test(name)
}

function listAndCreate(resource: Resource, context: DocumentContext, parent?: Resource): PathItem {
  const get = listOperation(resource, context, parent)
  return context.readOnly ? { get } : { get, post: createOperation(resource, context, parent) }
}
