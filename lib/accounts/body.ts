import type { PersonFields, User } from '../auth/person-fields'
import { badRequest } from '../errors'
import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
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
 * Why a body was not read as it was meant, as a clause; undefined where it was. Express gives an empty body where it has read
 * none.
 *
 * @param body of any type
 */
export function unreadProblem(body: unknown, contentType = ''): string | undefined {
  const fields: User = isRecord(body) ? body : {}
  if (Object.keys(fields).length > 0) return isJsonAsForm(fields) ? JSON_AS_FORM : undefined
  const type = typeIn(contentType)
  return type === undefined || /json|urlencoded/.test(type)
    ? undefined
    : `the body is ${type}: send JSON, with the header Content-Type: application/json`
}

/** Why the body of a login has no fields that are its own, as a clause. */
export function bodyProblem(body: unknown, contentType = ''): string | undefined {
  if (isRecord(body) && Object.keys(body).length > 0) return unreadProblem(body)
  if (typeIn(contentType) === undefined)
    return 'the body is empty, or has no Content-Type: send JSON or a form'
  return unreadProblem(body, contentType) ?? 'the body has no fields'
}

function typeIn(contentType: string): string | undefined {
  return /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0]
}
