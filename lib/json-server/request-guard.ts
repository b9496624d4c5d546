import type { RequestHandler } from 'express'
import { decodePath } from '../http/request'
import { checkBody, checkId } from './body-guard'
import { checkQuery } from './query-guard'

export interface RequestGuardOptions {
  /** Whether the router serves a resource of this name, and whether it is a collection or singular. */
  kindOf: (name: string) => 'collection' | 'singular' | undefined
  /** The name of the id property. Default: `id`. */
  idProperty?: string
}

/**
 * Keeps from json-server's router the requests on which it crashes, hangs or corrupts the data: see {@link checkQuery},
 * {@link checkBody} and {@link checkId}. Of requests for other paths, only the path itself is looked at.
 */
export function requestGuard({ kindOf, idProperty = 'id' }: RequestGuardOptions): RequestHandler {
  return function requestGuardMiddleware(request, _response, next) {
    decodePath(request.path)
    const target = readTarget(request.path)
    const kind = kindOf(target.resource)
    if (kind === undefined) return next()
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        if (kind === 'collection') checkQuery(request.query, target.isRecord ? 'record' : 'list')
        break
      case 'POST':
      case 'PUT':
      case 'PATCH':
        checkBody(request)
        if (request.method === 'POST' && kind === 'collection') checkId(request.body[idProperty], idProperty)
    }
    next()
  }
}

/** What a path is about: `users` for `/users` and `/blogs/1/users`, a record of `users` for `/users/1`. */
function readTarget(path: string): { resource: string; isRecord: boolean } {
  const [, resource = '', id, nested] = path.split('/')
  // Only the name of a nested resource is decoded by json-server.
  return nested ? { resource: decodePath(nested), isRecord: false } : { resource, isRecord: Boolean(id) }
}
