import type { Operation, PathEntry, PathItem } from '../../docs-addition'
import type { DocumentContext } from '../context'
import type { Resource } from '../resources/resource-model'
import { BODY_FAILURES, created, saveFailures, shared } from '../responses'
import { referTo } from '../types'
import { listPath } from './list-path'
import { idParameter, relationReferences } from './parameters'

/**
 * The paths that json-server's router has for a singular resource; or for a collection, its records, and the
 * records of other collections that refer to them.
 */
export function resourcePaths(resource: Resource, context: DocumentContext): PathEntry[] {
  const { kind, segment, children } = resource
  if (segment === undefined) return []
  const paths: PathEntry[] =
    kind === 'singular'
      ? [[`/${segment}`, recordPath(resource, context)]]
      : [
          [`/${segment}`, listPath(resource, context)],
          [`/${segment}/{id}`, recordPath(resource, context)],
          ...children
            .filter((child) => child.segment !== undefined)
            .map(
              (child): PathEntry => [`/${segment}/{id}/${child.segment}`, listPath(child, context, resource)],
            ),
        ]
  return context.readOnly ? paths.map(([path, { parameters, get }]) => [path, { parameters, get }]) : paths
}

/** What can be done with one record of a collection, or with a singular resource. */
function recordPath(resource: Resource, context: DocumentContext): PathItem {
  const { kind, name, tag, schemaName, children } = resource
  const isSingular = kind === 'singular'
  const what = isSingular ? name : `a record of ${name}`
  const stored = referTo('responses', schemaName)
  const missing = !isSingular && { 404: shared('notFound') }
  const common = (verb: string, summary: string) => ({
    operationId: `${verb}${schemaName}`,
    tags: [tag],
    summary,
  })
  const change = (
    verb: string,
    summary: string,
    success: Operation['responses'] = { 200: stored },
  ): Operation => ({
    ...common(verb, summary),
    requestBody: referTo('requestBodies', schemaName),
    responses: { ...success, ...missing, ...BODY_FAILURES, ...saveFailures(context) },
  })
  const changes = {
    put: change('replace', `Replace ${what}`),
    patch: change('update', `Change fields of ${what}`),
  }
  const get = {
    ...common('get', `Get ${what}`),
    parameters: relationReferences(resource),
    responses: { 200: stored, 304: shared('notModified'), 400: shared('badQuery'), ...missing },
  }
  if (isSingular)
    return {
      get,
      ...changes,
      post: change('create', `Replace ${what} (POST)`, { 201: created(schemaName) }),
    }
  return {
    parameters: [idParameter(resource, context)],
    get,
    ...changes,
    delete: {
      ...common('delete', `Delete ${what}${children.length > 0 ? ', and what refers to it' : ''}`),
      responses: { 200: shared('deleted'), 400: shared('badPath'), ...missing, ...saveFailures(context) },
    },
  }
}
