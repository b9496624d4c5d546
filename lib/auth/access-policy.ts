/**
 * What needs no token. Everything else does, whatever the method and whether or not the path exists.
 *
 * All three compare the path as it was sent: no decoding, no case folding, no trailing slash. A spelling that
 * is not listed here is therefore never public, even where json-server's router would accept it.
 */

/** The user lookup, with every method: it answers 405 itself (user-lookup-service). */
export function isUserLookup(path: string): boolean {
  return path === '/api/users.php'
}

/** The login (blog-and-user-mock-service, Endpoints). */
export function isLogin(method: string, path: string): boolean {
  return method === 'POST' && path === '/auth/login'
}

/** A public read: of the whole list, or of the one record whose id stands in the path, still encoded. */
export type PublicRead = { kind: 'list' } | { kind: 'single'; encodedId: string }

/**
 * The two public reads of one collection: `/blogs`, and `/blogs/:id` or `/blog/:id` (routing rule 3 names both).
 *
 * @param names the collection as it is named in the data file, and the singular of that name
 * @returns the read that the request asks for, or undefined when it needs a token
 */
export function publicRead(
  method: string,
  path: string,
  { plural, singular }: { plural: string; singular: string },
): PublicRead | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [, first, encodedId, ...rest] = path.split('/')
  if (first === plural && encodedId === undefined) return { kind: 'list' }
  if ((first === plural || first === singular) && encodedId && rest.length === 0)
    return { kind: 'single', encodedId }
  return undefined
}
