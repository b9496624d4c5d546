import type { Request } from 'express'
import type { ResourceKind } from '../router-layers'
import { checkBody, checkId } from './body-guard'
import { checkListQuery, checkParameters } from './query-guard'

/**
 * Refuses the requests on which a resource of json-server's router would crash, hang or corrupt the data.
 *
 * @param request whose path begins after the name of the resource, as inside the router of that resource
 * @throws HttpError as {@link checkParameters}, {@link checkListQuery}, {@link checkBody} and {@link checkId}
 *   do
 */
export function checkRequest(request: Request, kind: ResourceKind, idProperty: string): void {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      checkParameters(request.query)
      if (kind === 'collection' && request.path === '/') checkListQuery(request.query)
      break
    case 'POST':
    case 'PUT':
    case 'PATCH':
      checkBody(request)
      if (request.method === 'POST' && kind === 'collection') checkId(request.body[idProperty], idProperty)
  }
}
