import pluralize from 'pluralize'

/**
 * What needs no token. Every other request needs one, whatever its method and whether or not its path exists.
 *
 * - The services that say of themselves that they are open (`built-in-route.ts`): the user lookup, the login and the
 *   public reads, each in its file in `middlewares/`. The user lookup compares the path as it was sent, the
 *   others as a rewrite rule may have made it, and none decodes it, folds its case or drops a trailing slash.
 *   A spelling that is not listed is never public, even where json-server's router would accept it.
 * - The paths of `--login`, `--sign-up`, `--refresh` and `--logout`, in any case and with or without a slash at the
 *   end, as Express compares them: `lib/accounts/`. A sign-up reaches the list of users alone.
 * - OPTIONS, when CORS is on: a browser sends its preflights without a token.
 * - GET and HEAD of the files in the static folder, when there is one: `middlewares/static-files.ts`.
 * - What `--allow` names: `allow-rules.ts`, enforced by `authentication.ts`. With `--allow all`, that is everything
 *   but `GET /auth/me` and the paths of `--me`, and `middlewares/local-only.ts` refuses web pages of other sites.
 * - GET and HEAD of json-server's home page at `/`, with `--allow all`: `middlewares/home-page.ts`.
 * - GET and HEAD of `/`, `/docs`, its files and `/openapi.json`, with `--docs`: `lib/options/docs/`.
 * - `GET /__sandbox/login`, with `--sandboxes`, which says no more than the path of the login and names of fields.
 *
 * With `--sandboxes`, the other routes below `/__sandbox` come before the token check and pass a request without a
 * token on to it. The rules of a sandbox make every request fail that names it, those of `--faults` every other one. A
 * rule that answers stands in the place of what it answers for, after the token check wherever that is.
 */

export const LOGIN_PATH = '/auth/login'
export const USER_LOOKUP_PATH = '/api/users.php'
export const WHO_AM_I_PATH = '/auth/me'

/** Whether the data has a resource `auth`, to which the path of "who am I" then belongs. */
export function isWhoAmITaken(state: object): boolean {
  return Object.hasOwn(state, 'auth')
}

/** The page of `--docs`; the files that it loads are below. */
export const PAGE_PATH = '/docs'
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
