import type { Request } from 'express'
import { badRequest, HttpError } from '../errors'
import { BODY_LIMITS } from '../http/body-limits'
import { hasBody } from '../http/request'
import { isObject, isRecord } from '../is-record'

export type Query = Readonly<Record<string, unknown>>

/** Characters of an id: each can take nine in a URL, and Node reads no URL of more than 16 kB. */
const LONGEST_ID = 1000

/** An unpaired surrogate, which a URL cannot hold. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Names that are refused at any depth: `__proto__` would set an object's prototype, and `toString` would hide
 * the function by which json-server turns a value into a string, so that filters would fail.
 */
const REFUSED_NAMES = ['__proto__', 'toString']

/**
 * Refuses the bodies that json-server would store and then fail on later.
 *
 * @param request a POST, PUT or PATCH
 * @throws HttpError 415 when nothing has read the body; 400 when it is not an object; as {@link checkContent}
 */
export function checkBody(request: Request): void {
  // A user's middleware may have read a body that the parsers ignore, such as a multipart form.
  if (hasBody(request) && !request.readableDidRead && !request.readableEnded) {
    throw new HttpError({
      status: 415,
      message: 'The body must be JSON or a form: send the header Content-Type: application/json.',
    })
  }
  const body: unknown = request.body
  if (!isRecord(body)) throw badRequest('The body must be a JSON object, in braces.')
  checkContent(body)
}

/**
 * Refuses an id under which json-server could not find the record again, or after which it has no next one.
 *
 * @throws HttpError 400 when it is neither a string nor a number up to 2^53 - 1, or a string that no URL can
 *   hold; a missing, null or empty one is left to json-server
 */
export function checkId(id: unknown, idProperty: string): void {
  const isUsable =
    typeof id === 'number'
      ? Math.abs(id) <= Number.MAX_SAFE_INTEGER
      : typeof id === 'string' && id.length <= LONGEST_ID && !LONE_SURROGATE.test(id)
  if (id && !isUsable)
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
    for (const item of Array.isArray(value) ? value : Object.values(value)) check(item, depth + 1)
  }
  check(body, 1)
}

/** Each `_embed` and `_expand` is looked up for each record of the response: thousands would take minutes. */
const MOST_RELATIONS = 20

/** json-server takes a value from each record for each field, which takes memory. */
const MOST_SORT_FIELDS = 20

/** The parameters of a list that json-server reads itself. */
const OWN = ['q', '_page', '_limit', '_start', '_end', '_sort', '_order']

/**
 * V8 compiles a regular expression in one go that no time limit can stop: the time grows with the square of
 * the length, and with each word boundary it may double.
 */
const LONGEST_PATTERN = 500
const MOST_BOUNDARIES = 4

/**
 * Refuses an object as the value of a parameter (`q[a]=b`): json-server treats values as strings, and an
 * object can have a `toString` that is not a function. A list (`id[]=1`) is fine.
 *
 * @throws HttpError 400 that names the parameter
 */
export function checkValues(query: Query, name: string): void {
  if ([query[name]].flat().some(isObject))
    throw badRequest(
      `The query parameter "${name}" must be a string or a list: leave out the name in brackets.`,
    )
}

/** Whether a query asks for records of other collections. */
export function asksForRelations({ _embed, _expand }: Query): boolean {
  return _embed !== undefined || _expand !== undefined
}

/**
 * Refuses relations that json-server fails on.
 *
 * @throws HttpError 400 for a value that is an object, or too many of them
 */
export function checkRelations(query: Query): void {
  for (const name of ['_embed', '_expand']) {
    checkValues(query, name)
    if ([query[name]].flat().length > MOST_RELATIONS)
      throw badRequest(`The query parameter "${name}" must not be given more than ${MOST_RELATIONS} times.`)
  }
}

/**
 * Refuses a list query that makes json-server fail, or take too long. Parameters that json-server ignores are
 * not looked at.
 *
 * @param query as Express or a rewrite rule has parsed it
 * @throws HttpError 400 for an object as a value, a repeated `_sort` or `_order`, too many fields in `_sort`,
 *   a `_like` that is too long
 */
export function checkListQuery(query: Query): void {
  for (const name of Object.keys(query)) {
    if (OWN.includes(name) || /_(lte|gte|ne|like)$/.test(name)) checkValues(query, name)
    if (name.endsWith('_like'))
      for (const pattern of [query[name]].flat()) checkPattern(name, String(pattern))
  }
  for (const name of ['_sort', '_order'])
    if (Array.isArray(query[name]))
      throw badRequest(`The query parameter "${name}" may be given once: separate several fields by commas.`)
  if (String(query._sort).split(',').length > MOST_SORT_FIELDS)
    throw badRequest(`The query parameter "_sort" must name at most ${MOST_SORT_FIELDS} fields.`)
}

function checkPattern(name: string, pattern: string): void {
  if (pattern.length > LONGEST_PATTERN || pattern.split(/\\b/i).length > MOST_BOUNDARIES + 1)
    throw badRequest(
      `The regular expression in "${name}" must not be longer than ${LONGEST_PATTERN} characters, ` +
        `or have more than ${MOST_BOUNDARIES} word boundaries.`,
    )
}
