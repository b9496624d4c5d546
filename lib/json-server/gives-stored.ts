import { type Request, type Response, response as unchanged } from 'express'

/**
 * Whether the response to a request gives stored records to a user's middleware, which may change them in
 * place. A middleware can replace `res.jsonp`. json-server passes it the whole data for `/db`, and for
 * `_embed` and `_expand` the stored records of other collections. The records of the
 * resource itself are copies, and nothing of a singular resource is cached.
 */
export function givesStored({ path, query }: Request, { jsonp }: Response): boolean {
  if (jsonp === unchanged.jsonp) return false
  return query._embed !== undefined || query._expand !== undefined || /^\/db\/?$/i.test(path)
}
