import type { RequestHandler } from 'express'
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
 * {@link checkBody} and {@link checkId}. Requests for other paths are none of its business.
 */
export function requestGuard({ kindOf, idProperty = 'id' }: RequestGuardOptions): RequestHandler {
  return function requestGuardMiddleware(request, _response, next) {
    const kind = kindOf(resourceName(request.path))
    if (kind === undefined) return next()
    checkQuery(request.query)
    if (request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH') {
      checkBody(request)
      if (request.method === 'POST' && kind === 'collection') checkId(request.body[idProperty], idProperty)
    }
    next()
  }
}

/** The resource that a path is about: `users` for `/users`, `/users/1` and `/blogs/1/users`. */
function resourceName(path: string): string {
  const [, resource = '', , nested] = path.split('/')
  return nested ? decode(nested) : resource
}

/** Only the nested name is decoded by json-server. A code that is no text is left to it: it answers 400. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
