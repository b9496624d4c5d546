import type { Request, RequestHandler } from 'express'
import { badRequest, HttpError } from '../errors'
import { BODY_LIMITS } from '../http/body-limits'
import { isJsonAsForm, JSON_AS_FORM } from '../http/json-as-form'
import { notesOf } from '../http/notes'
import { isObject, isRecord } from '../is-record'
import { hasUrl, LONGEST_ID } from './addresses'

/**
 * Names that are refused at any depth: `__proto__` would set an object's prototype, and `toString` would hide
 * the function by which json-server turns a value into a string, so that filters would fail.
 */
const REFUSED_NAMES = ['__proto__', 'toString']

/** What is known of the body of a request. */
interface ParsedBody {
  /** As the parsers have left it: an empty object in the place of one that they do not read. */
  readonly parsed: unknown
  /** Why it could not be read, where nothing else has read it. */
  readonly refusal?: unknown
}

const parsedBodies = new WeakMap<Request, ParsedBody>()

/** Comes after the parsers: a body that they have not read is stored only if somebody else has. */
export const rememberParsedBody: RequestHandler = (request, _response, next) => {
  parsedBodies.set(request, { parsed: request.body })
  next()
}

/** Whether a request has a body that nothing has read, and in whose place no middleware has put another. */
export function hasUnreadBody(request: Request): boolean {
  const body: unknown = request.body
  return isObject(body) && parsedBodies.get(request)?.parsed === body && !request.readableEnded
}

/** Has {@link checkSentBody} refuse the body of a request, unless something else is put in its place. */
export function rememberRefusal(request: Request, refusal: unknown): void {
  parsedBodies.set(request, { parsed: request.body, refusal })
}

/**
 * Refuses a body that could not be read, or was read as something else.
 *
 * @throws HttpError 415 when nothing has read it, and no middleware has put another in its place; 400 for JSON that was
 *   sent as a form; what {@link rememberRefusal} was given
 */
export function checkSentBody(request: Request): void {
  const body: unknown = request.body
  const { parsed, refusal } = parsedBodies.get(request) ?? {}
  if (refusal !== undefined && parsed === body) throw refusal
  // A user's middleware may have read a body that the parsers ignore, such as a multipart form.
  if (hasUnreadBody(request)) {
    throw new HttpError({
      status: 415,
      message: 'The body must be JSON or a form: send the header Content-Type: application/json.',
    })
  }
  if (request.is('urlencoded') && isRecord(body) && isJsonAsForm(body))
    throw badRequest(`${JSON_AS_FORM}.`, JSON_AS_FORM)
}

/**
 * Refuses what json-server would store and then fail on later, and notes one that has nothing to store.
 *
 * @param request a POST, PUT or PATCH
 * @param content its body, or a record in it
 * @throws HttpError 400 when it is not an object; as {@link checkSentBody} and {@link checkContent}
 */
export function checkBody(request: Request, content: unknown): void {
  checkSentBody(request)
  if (!isRecord(content)) throw badRequest('The body must be a JSON object, in braces.')
  // Mostly it was left out of the request by mistake, and the response looks as if all had gone well.
  if (request.method !== 'PATCH' && Object.keys(content).length === 0)
    notesOf(request).reason = 'it has no body, or one without fields'
  checkContent(content)
}

/**
 * Refuses an id under which json-server could not find the record again, or after which it has no next one.
 *
 * @throws HttpError 400 when it is neither a string nor a number up to 2^53 - 1, or a string that no URL can
 *   hold; a missing, null or empty one is left to json-server
 */
export function checkId(id: unknown, idProperty: string): void {
  if (id && !hasUrl(id))
    throw badRequest(
      `"${idProperty}" must be a number up to ${Number.MAX_SAFE_INTEGER}, or a string of at most ` +
        `${LONGEST_ID} whole characters, or be left out: no URL leads to another.`,
    )
}

/**
 * Refuses a JSON value that would make json-server fail later.
 *
 * @throws HttpError 400 when the value is nested deeper than {@link BODY_LIMITS} allows, or has a field with
 *   a refused name
 */
export function checkContent(body: unknown): void {
  const check = (value: unknown, depth: number): void => {
    if (!isObject(value)) return
    if (depth > BODY_LIMITS.depth)
      throw badRequest(`The body must not be nested deeper than ${BODY_LIMITS.depth} levels.`)
    for (const name of REFUSED_NAMES) {
      if (Object.hasOwn(value, name)) throw badRequest(`The body must not have a field named "${name}".`)
    }
    for (const item of Object.values(value)) check(item, depth + 1)
  }
  check(body, 1)
}
