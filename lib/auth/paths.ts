import pluralize from 'pluralize'

export const LOGIN_PATH = '/auth/login'
export const USER_LOOKUP_PATH = '/api/users.php'
export const WHO_AM_I_PATH = '/auth/me'

/** Whether the data has a resource `auth`, to which the path of "who am I" then belongs. */
export function isWhoAmITaken(state: object): boolean {
  return Object.hasOwn(state, 'auth')
}

/** The page of `--docs`; the files that it loads are below. */
export const PAGE_PATH = '/docs'
/** The page of `--docs` that shows the data. */
export const DATA_PATH = '/docs/data'
/** What that page shows of the requests. It needs a token, as the data does. */
export const REQUESTS_PATH = '/docs/requests'
/** The document of `--docs`. */
export const DOCUMENT_PATH = '/openapi.json'

/**
 * The name of a publicly readable collection in the data, and the singular of that name, also as a title.
 */
interface PublicNames {
  plural: string
  singular: string
  title: string
}

/** The names under which the records of a collection are read publicly. */
export function publicNames(collection: string): PublicNames {
  const singular = pluralize.singular(collection)
  return { plural: collection, singular, title: singular.charAt(0).toUpperCase() + singular.slice(1) }
}

/** A public read. */
interface PublicRead {
  /** The id of the one record that is read, still encoded; undefined for the whole list. */
  encodedId: string | undefined
}

/**
 * Which of the two public reads of one collection a path is for: `/blogs`, or `/blogs/:id` and `/blog/:id`
 * (docs/promises.md, Public reads).
 *
 * @param path still encoded
 * @returns undefined for any other path
 */
export function publicReadAt({ plural, singular }: PublicNames, path: string): PublicRead | undefined {
  const [, first, encodedId, ...rest] = path.split('/')
  const isList = first === plural && encodedId === undefined
  const isSingle = (first === plural || first === singular) && encodedId && rest.length === 0
  return isList || isSingle ? { encodedId } : undefined
}
