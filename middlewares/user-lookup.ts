import type { BuiltInRoute } from '../lib/auth/built-in-route'
import { USER_LOOKUP_PATH } from '../lib/auth/paths'
import { HttpError } from '../lib/errors'
import { type ErrorBody, setErrorBody } from '../lib/http/error-body'
import type { Handler, HttpRequest } from '../lib/http/handler'
import { type Describe, listOf, objectOf, responseOf, TEXT } from '../lib/http/openapi'
import { isRead } from '../lib/http/request'
import { sendJson } from '../lib/http/send-json'
import { requireKinds } from '../lib/option-kinds'
import type { LookupUser } from '../lib/options/app-options'

export interface UserLookupOptions {
  /** The fixed list. Default: three sample users. */
  users?: readonly LookupUser[]
}

export const SAMPLE_LOOKUP_USERS: readonly LookupUser[] = [
  { name: 'Hanako Yamada', age: 28 },
  { name: 'Taro Suzuki', age: 34 },
  { name: 'Ken Tanaka', age: 41 },
]

/**
 * The user lookup, as others see it. It responds to every method, because it refuses the others itself
 * (docs/promises.md, User lookup), and stands ahead of the rewrite rules.
 */
export const USER_LOOKUP: BuiltInRoute = {
  hasPath: (path) => path === USER_LOOKUP_PATH,
  hasMethod: () => true,
  isOpen: true,
  mayBeRewritten: false,
  shown: () => [{ method: 'GET', path: USER_LOOKUP_PATH }],
}

function isUserLookup(request: HttpRequest): boolean {
  return USER_LOOKUP.hasPath(request.path)
}

const LOOKUP_USER = objectOf({ name: TEXT, age: { type: 'integer' } })

/** How a document describes it. */
export const describeUserLookup: Describe = () => [
  'User lookup',
  [
    [
      `GET ${USER_LOOKUP_PATH}`,
      'lookUpUsers',
      {
        isFixed: true,
        needsToken: false,
        description: 'All users of a fixed list, or one.',
        parameters: [
          { name: 'id', in: 'query', schema: TEXT, description: 'A position, from 0.', example: '0' },
        ],
        success: objectOf({ status: TEXT, users: { anyOf: [listOf(LOOKUP_USER), LOOKUP_USER] } }),
        errors: { default: responseOf('What is wrong.', objectOf({ status: TEXT, message: TEXT })) },
      },
    ],
  ],
]

/** The exact content type of every response, errors included (docs/promises.md, User lookup). */
const CONTENT_TYPE = 'application/json; charset=UTF-8'
const INDENTATION = 4

/** The envelope of an error, with its content type and layout. One with a body of its own, such as a fault's, keeps that. */
const errorEnvelope: ErrorBody = ({ hasOwnBody, message }) =>
  hasOwnBody
    ? undefined
    : {
        text: JSON.stringify({ status: 'NG', message }, null, INDENTATION),
        headers: { 'Content-Type': CONTENT_TYPE },
      }

/**
 * The user lookup service: `GET /api/users.php` with an optional `id`, without a token. Any other path is
 * passed on.
 *
 * Passes on 400 when `id` is not one string of decimal digits, 404 when no record is at that position, 405
 * for other methods, and 500 with the message of any failure (docs/promises.md, User lookup).
 *
 * @throws TypeError when an option is of the wrong kind or does not exist
 *
 * @example
 * app.use(userLookup({ users: [{ name: 'Ada', age: 36 }] })) // GET /api/users.php?id=0
 */
export function userLookup(options: UserLookupOptions = {}): Handler {
  requireKinds(options, { users: ['an array'] })
  const { users = SAMPLE_LOOKUP_USERS } = options
  return function userLookupMiddleware(request, response, next) {
    if (!isUserLookup(request)) return next()
    setErrorBody(request, errorEnvelope)
    try {
      if (!isRead(request))
        throw new HttpError({ status: 405, message: 'Method not allowed', headers: { Allow: 'GET, HEAD' } })
      const result = lookUp(users, new URL(request.url, 'http://localhost').searchParams)
      const layout = { indentation: INDENTATION, contentType: CONTENT_TYPE }
      sendJson(response, { status: 'OK', users: result }, layout)
    } catch (error) {
      next(error instanceof HttpError ? error : new HttpError({ status: 500, message: textOfFailure(error) }))
    }
  }
}

/** Gives the envelope also to what steps ahead of the lookup pass on, such as 400 for the name of a sandbox. */
export function userLookupErrors(): Handler {
  return function userLookupErrorsMiddleware(request, _response, next) {
    if (isUserLookup(request)) setErrorBody(request, errorEnvelope)
    next()
  }
}

/** The specification wants it in the response. */
function textOfFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function lookUp(users: readonly LookupUser[], query: URLSearchParams): LookupUser | readonly LookupUser[] {
  const [id, ...others] = query.getAll('id')
  // PHP and Express read `id[]` and `id[x]` as the parameter `id` too, with a value that is not a string.
  const isMalformed = others.length > 0 || [...query.keys()].some((name) => name.startsWith('id['))
  if (id === undefined && !isMalformed) return users
  if (isMalformed || /[^0-9]/.test(String(id)))
    throw new HttpError({ status: 400, message: 'Invalid parameter' })
  const user = id === '' ? undefined : users[Number(id)]
  if (user === undefined) throw new HttpError({ status: 404, message: 'User not found' })
  return user
}
