import { badRequest } from '../../errors'

type Query = Readonly<Record<string, unknown>>

/** json-server looks up each parameter in each record, which takes seconds for thousands of them. */
const MOST_PARAMETERS = 100

/** Each of these adds a field to each record of the response, which takes memory. */
const RELATIONS = ['_embed', '_expand']
const MOST_RELATIONS = 20

/** json-server takes a value from each record for each field, which takes memory. */
const MOST_SORT_FIELDS = 20

/** The parameters that json-server reads itself. */
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
  const value = query[name]
  if (typeof value === 'string' || value === undefined) return
  if (!Array.isArray(value) || value.some((one) => typeof one === 'object'))
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
  if (!asksForRelations(query)) return
  for (const name of RELATIONS) {
    checkValues(query, name)
    const values = query[name]
    if (Array.isArray(values) && values.length > MOST_RELATIONS)
      throw badRequest(`The query parameter "${name}" must not be given more than ${MOST_RELATIONS} times.`)
  }
}

/**
 * Refuses a list query that makes json-server fail, or take too long. Parameters that json-server ignores are
 * not looked at.
 *
 * @param query as Express or a rewrite rule has parsed it
 * @throws HttpError 400 for an object as a value, a repeated `_sort` or `_order`, too many parameters or
 *   fields in `_sort`, a `_like` that is too long
 */
export function checkListQuery(query: Query): void {
  const names = Object.keys(query)
  if (names.length > MOST_PARAMETERS)
    throw badRequest(`The query must not have more than ${MOST_PARAMETERS} parameters.`)
  for (const name of names) {
    if (OWN.includes(name) || /_(lte|gte|ne|like)$/.test(name)) checkValues(query, name)
    if (isPattern(name)) for (const pattern of [query[name]].flat()) checkPattern(name, String(pattern))
  }
  for (const name of ['_sort', '_order']) {
    if (Array.isArray(query[name])) {
      throw badRequest(`The query parameter "${name}" may be given once: separate several fields by commas.`)
    }
  }
  if (String(query._sort).split(',').length > MOST_SORT_FIELDS) {
    throw badRequest(`The query parameter "_sort" must name at most ${MOST_SORT_FIELDS} fields.`)
  }
}

/** Whether json-server treats the values of a parameter as regular expressions. */
export function isPattern(name: string): boolean {
  return name.endsWith('_like')
}

function checkPattern(name: string, pattern: string): void {
  if (pattern.length > LONGEST_PATTERN) {
    throw badRequest(
      `The regular expression in "${name}" must not be longer than ${LONGEST_PATTERN} characters.`,
    )
  }
  if (pattern.split(/\\b/i).length > MOST_BOUNDARIES + 1) {
    throw badRequest(
      `The regular expression in "${name}" must not have more than ${MOST_BOUNDARIES} word boundaries.`,
    )
  }
}
