import type { Request } from 'express'
import { checkBody, checkId } from './body-guard'
import { checkListQuery, checkParameters } from './query-guard'
import type { ResourceKind } from './router-layers'

/**
 * Keeps from a resource of json-server's router the requests on which it crashes, hangs or corrupts the data.
 *
 * @param request at the door of the resource: its path begins behind the name of the resource
 * @throws HttpError as {@link checkParameters}, {@link checkListQuery}, {@link checkBody} and {@link checkId} do
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
