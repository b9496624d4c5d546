import { type Request, type Response, response as unchanged } from 'express'

/**
 * Whether the response to a request hands stored records to a user's middleware, which may change them in
 * place: json-server gives `res.jsonp`, for which a middleware can set a function of its own, the whole data
 * for `/db`, and for `_embed` and `_expand` the records of other collections. Its own records are copies, and
 * of a singular resource nothing is cached.
 */
export function givesStored({ path, query }: Request, { jsonp }: Response): boolean {
  if (jsonp === unchanged.jsonp) return false
  return query._embed !== undefined || query._expand !== undefined || /^\/db\/?$/i.test(path)
}
