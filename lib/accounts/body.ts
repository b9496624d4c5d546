import type { PersonFields, User } from '../auth/person-fields'
import { badRequest } from '../errors'
import { JSON_TYPES, MULTIPART } from '../http/body-parsers'
import type { HttpRequest } from '../http/handler'
import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import { hasBody } from '../http/request'
import { isRecord } from '../is-record'
import { labelOf } from '../labels'

/** How many fields the body of a login or a sign-up may have. */
const MOST_FIELDS = 200

/**
 * The fields of a body, which may stand in one object that has a name, such as `{"user": {...}}`, where nothing beside it
 * says who somebody is.
 *
 * @param body of any type
 * @throws HttpError 400 where there are too many
 */
export function fieldsIn(body: unknown, fields: PersonFields): User {
  const outer: User = isRecord(body) ? body : {}
  const [only, ...others] = Object.values(outer).filter(isRecord)
  const isLabelled = Object.keys(outer)
    .map(labelOf)
    .some((label) => fields.isName(label) || fields.isPassword(label))
  const inner = only === undefined || others.length > 0 || isLabelled ? outer : only
  for (const part of [outer, inner])
    if (Object.keys(part).length > MOST_FIELDS)
      throw badRequest(`The body must not have more than ${MOST_FIELDS} fields.`)
  return inner
}

/**
 * All fields of a new user: those in such an object, and what stands beside it. Where its names are in an object of a record,
 * the body is one.
 *
 * @param body of any type
 * @throws HttpError 400 where there are too many
 */
export function recordIn(body: unknown, fields: PersonFields): User {
  const outer: User = isRecord(body) ? body : {}
  const inner = fieldsIn(body, fields)
  if (inner === outer || fields.namesInside(outer).length > 0) return outer
  const beside = Object.entries(outer).filter(([, value]) => value !== inner)
  return { ...Object.fromEntries(beside), ...inner }
}

/** The types of bodies that are read for a login. */
const READ_TYPES = [...JSON_TYPES, 'urlencoded', MULTIPART]

/**
 * Why the body of a request was not read as it was meant, as a clause; undefined where it was, or where there is none. A
 * middleware of the user may have read one of another type.
 */
export function unreadProblem(request: HttpRequest): string | undefined {
  if (hasFields(request)) return isJsonAsForm(request.body) ? JSON_AS_FORM : undefined
  const type = mediaTypeOf(request)
  return type === undefined || !hasBody(request) || request.is(READ_TYPES)
    ? undefined
    : `the body is ${type}: send JSON, with the header Content-Type: application/json`
}

/** Whether a request has sent nothing: no body, or one that was read and has no fields. */
export function isEmptyBody(request: HttpRequest): boolean {
  return !hasFields(request) && (!hasBody(request) || Boolean(request.is(READ_TYPES)))
}

/** Why the body of a login has no fields that are its own, as a clause. */
export function bodyProblem(request: HttpRequest): string | undefined {
  const problem = unreadProblem(request)
  if (problem !== undefined || hasFields(request)) return problem
  return mediaTypeOf(request) !== undefined
    ? 'the body has no fields'
    : 'the body is empty, or has no Content-Type: send JSON or a form'
}

/** Express gives an empty body where it has read none. */
function hasFields(request: HttpRequest): request is HttpRequest & { body: Record<string, unknown> } {
  return isRecord(request.body) && Object.keys(request.body).length > 0
}

function mediaTypeOf({ headers }: HttpRequest): string | undefined {
  return /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0]
}
