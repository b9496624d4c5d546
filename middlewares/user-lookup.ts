import { USER_LOOKUP_PATH } from '../lib/auth/access-policy'
import { asService, isFor, type Service } from '../lib/auth/service'
import { HttpError } from '../lib/errors'
import type { ErrorHandler, Handler, HttpRequest } from '../lib/http/handler'
import { exactly, jsonResponse, type Paths } from '../lib/http/operations'
import { isRead } from '../lib/http/request'
import { sendJson } from '../lib/http/send-json'

/** A record of the user lookup service. It has no id: a client names it by its position in the list. */
export interface LookupUser {
  readonly name: string
  readonly age: number
}

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
 * (docs/interface.md, Service: user lookup), and stands ahead of the rewrite rules.
 */
const USER_LOOKUP: Service = {
  hasPath: (path) => path === USER_LOOKUP_PATH,
  hasMethod: () => true,
  isOpen: true,
  isRewritten: false,
  routes: () => [{ method: 'GET', path: USER_LOOKUP_PATH, note: 'always there' }],
  operations: userLookupOperations,
}

function isUserLookup(request: HttpRequest): boolean {
  return isFor(USER_LOOKUP, request)
}

/** The exact content type of every response, errors included (docs/interface.md, Service: user lookup). */
const CONTENT_TYPE = 'application/json; charset=UTF-8'
const INDENTATION = 4

/** Turns any error into one of the user lookup service, with its envelope, content type and layout. */
class UserLookupError extends HttpError {
  constructor(error: unknown) {
    const message = error instanceof Error ? error.message : String(error)
    const { status, headers, reason } = error instanceof HttpError ? error : { status: 500 }
    super({
      status,
      message,
      ...(reason !== undefined && { reason }),
      headers: { 'Content-Type': CONTENT_TYPE, ...headers },
      text: JSON.stringify({ status: 'NG', message }, null, INDENTATION),
    })
  }
}

/**
 * The user lookup service: `GET /api/users.php` with an optional `id`, without a token. Any other path is
 * passed on.
 *
 * Passes on 400 when `id` is not one string of decimal digits, 404 when no record is at that position, 405
 * for other methods, and 500 with the message of any failure (docs/interface.md, Service: user lookup).
 *
 * @example
 * app.use(userLookup({ users: [{ name: 'Ada', age: 36 }] })) // GET /api/users.php?id=0
 */
export function userLookup({ users = SAMPLE_LOOKUP_USERS }: UserLookupOptions = {}): Handler {
  const step: Handler = (request, response, next) => {
    if (!isUserLookup(request)) return next()
    try {
      if (!isRead(request))
        throw new HttpError({ status: 405, message: 'Method not allowed', headers: { Allow: 'GET, HEAD' } })
      const result = lookUp(users, new URL(request.url, 'http://localhost').searchParams)
      const layout = { indentation: INDENTATION, contentType: CONTENT_TYPE }
      sendJson(response, { status: 'OK', users: result }, layout)
    } catch (error) {
      next(new UserLookupError(error))
    }
  }
  return asService(USER_LOOKUP, step)
}

/**
 * Gives the envelope of the user lookup to what other steps pass on for a request to it, such as 400 for the
 * name of a sandbox. An error with a body of its own, such as a fault's, keeps that.
 */
export function userLookupErrors(): ErrorHandler {
  return function userLookupErrorsMiddleware(error, request, _response, next) {
    const hasOwnBody = error instanceof HttpError && error.hasOwnBody
    next(isUserLookup(request) && !hasOwnBody ? new UserLookupError(error) : error)
  }
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

/** The user lookup, for the document. */
function userLookupOperations(): Paths {
  const text = { type: 'string' }
  const user = {
    type: 'object',
    description: 'It has no id: it is addressed by its position in the list, from 0.',
    properties: { name: text, age: { type: 'integer' } },
    required: ['name', 'age'],
  }
  const failure = (description: string, message: string) =>
    jsonResponse(description, exactly({ status: { type: 'string', enum: ['NG'] }, message: text }), {
      status: 'NG',
      message,
    })
  return {
    [USER_LOOKUP_PATH]: {
      get: {
        operationId: 'lookUpUsers',
        tags: ['User lookup'],
        security: [],
        summary: 'List the users of a fixed list, or get one by its position',
        description:
          'Every response is pretty-printed JSON with the content type `application/json; charset=UTF-8`. ' +
          'Any other method gives 405.',
        parameters: [
          {
            name: 'id',
            in: 'query',
            description: 'A position in the list, from 0, in decimal digits. Left out for all.',
            schema: text,
          },
        ],
        responses: {
          200: jsonResponse(
            'The list, or one user.',
            exactly({
              status: { type: 'string', enum: ['OK'] },
              users: { anyOf: [{ type: 'array', items: user }, user] },
            }),
            { status: 'OK', users: SAMPLE_LOOKUP_USERS.slice(0, 1) },
          ),
          400: failure('`id` contains a character that is not a decimal digit.', 'Invalid parameter'),
          404: failure('There is no record at this position.', 'User not found'),
          500: failure('Something went wrong.', 'The message of the failure'),
        },
      },
    },
  }
}
