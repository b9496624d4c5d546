import pluralize from 'pluralize'

/**
 * The requests to the two services that need no token. Beside them, only preflights, static files and the page of `--docs`
 * need none. Everything else does, whatever the method and whether or not the path exists.
 *
 * All compare the path as it was sent: no decoding, no case folding, no trailing slash. A spelling that is not listed here
 * is therefore never public, even where json-server's router would accept it.
 */

/** The user lookup, with every method: it refuses the others itself (user-lookup-service). */
export function isUserLookup(path: string): boolean {
  return path === '/api/users.php'
}

/** The login (blog-and-user-mock-service, Endpoints). */
export function isLogin(method: string, path: string): boolean {
  return method === 'POST' && path === LOGIN_PATH
}

const LOGIN_PATH = '/auth/login'

/** A publicly readable collection, as it is named in the data, and the singular of that name. */
export interface PublicNames {
  plural: string
  singular: string
}

/** The two names under which the records of a collection are read publicly. */
export function publicNames(collection: string): PublicNames {
  return { plural: collection, singular: pluralize.singular(collection) }
}

/** A public read: of the whole list, or of the one record whose id stands in the path, still encoded. */
export type PublicRead = { kind: 'list' } | { kind: 'single'; encodedId: string }

/**
 * The two public reads of one collection: `/blogs`, and `/blogs/:id` or `/blog/:id` (routing rule 3 names both).
 *
 * @returns the read that the request asks for, or undefined when it needs a token
 */
export function publicRead(
  method: string,
  path: string,
  { plural, singular }: PublicNames,
): PublicRead | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [, first, encodedId, ...rest] = path.split('/')
  if (first === plural && encodedId === undefined) return { kind: 'list' }
  if ((first === plural || first === singular) && encodedId && rest.length === 0)
    return { kind: 'single', encodedId }
  return undefined
}

/**
 * Whether a request is for one of the services by its path, so that no file may take its place.
 *
 * @param names of the public collection, if there is one
 */
export function isOfServices(method: string, path: string, names: PublicNames | undefined): boolean {
  const isPublicRead = names !== undefined && publicRead(method, path, names) !== undefined
  return path === LOGIN_PATH || isUserLookup(path) || isPublicRead
}
