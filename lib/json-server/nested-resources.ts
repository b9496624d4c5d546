import { type RequestHandler, Router } from 'express'
import pluralize from 'pluralize'
import { isRecord } from '../is-record'

export interface NestedResourcesOptions {
  /** The records of a collection, or undefined when there is no such collection. */
  records: (name: string) => readonly unknown[] | undefined
  /** The record of a collection with this id. */
  find: (name: string, id: string) => unknown
  idProperty: string
  foreignKeySuffix: string
}

/**
 * What stands in json-server's router in place of its own nested routes.
 *
 * - `GET /users/1/blogs` becomes `/blogs` with a filter. Where no blog has the foreign key, json-server drops the filter and
 *   gives all blogs; here there are none.
 * - `POST /posts/1/comments` becomes `/comments` with the foreign key in the body. json-server stores it as the text from the
 *   path, which `_embed` then misses; here it is the parent's own id.
 */
export function nestedResources(options: NestedResourcesOptions): RequestHandler {
  const { records, find, idProperty, foreignKeySuffix } = options
  const foreignKey = (resource: string): string => `${pluralize.singular(resource)}${foreignKeySuffix}`

  const router = Router()
    .get('/:resource/:id/:nested', function filterByParent(request, _response, next) {
      const { params, query } = request
      const key = foreignKey(params.resource)
      const collection = records(params.nested)
      query[key] = params.id
      request.url = `/${params.nested}`
      if (
        collection !== undefined &&
        !collection.some((record) => isRecord(record) && Object.hasOwn(record, key))
      ) {
        // json-server never drops a filter whose name ends like this one, and no record passes it.
        query[`${key}_like`] = ''
      }
      next()
    })
    .post('/:resource/:id/:nested', function addToParent(request, _response, next) {
      const { resource, id, nested } = request.params
      const parent = find(resource, id)
      const body: unknown = request.body
      if (isRecord(body)) body[foreignKey(resource)] = isRecord(parent) ? parent[idProperty] : id
      request.url = `/${nested}`
      next()
    })

  return function nestedResourcesMiddleware(request, response, next) {
    // Most requests are for no nested resource, and matching routes is the dearest part of Express.
    if (NESTED_PATH.test(request.path)) router(request, response, next)
    else next()
  }
}

const NESTED_PATH = /^\/[^/]+\/[^/]+\/[^/]+\/?$/
