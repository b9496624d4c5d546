import { badRequest } from '../errors'
import { isObject } from '../is-record'

export type Query = Readonly<Record<string, unknown>>

/**
 * V8 compiles a regular expression in one go that no time limit can stop. The time grows with the square of
 * the length: `(?:a|b)?` over and over takes 20 ms with 500 characters, and 230 ms with 2,000. With each word
 * boundary it may double: `(?:\bx?|\By?)` takes 34 ms twelve times over, and 11 s twenty times.
 */
const LONGEST_PATTERN = 500
const MOST_BOUNDARIES = 4

/** The parameters of a list that json-server reads itself. */
export const PARAMETERS_OF_LISTS = ['q', '_page', '_limit', '_start', '_end', '_sort', '_order']

/** Those that say which part of a list is sent. */
export const PARAMETERS_OF_PAGES = ['_page', '_limit', '_start', '_end']

/** Those that add records of other collections. */
export const PARAMETERS_OF_RELATIONS = ['_embed', '_expand']

/** The operators of json-server. */
const OPERATORS = ['lte', 'gte', 'ne', 'like']

/** What a parameter says by its name: the field, or the path to one, and after the last underscore an operator, or ''. */
export function comparisonOf(parameter: string): { field: string; operator: string } {
  const [, field = parameter, operator = ''] = /^(.*)_([a-z]+)$/is.exec(parameter) ?? []
  return { field, operator }
}

/** Whether json-server has an operator itself: a parameter that ends with it is never a field to json-server. */
export function isOfJsonServer(operator: string): boolean {
  return OPERATORS.includes(operator)
}

/**
 * Refuses an object as the value of a parameter (`q[a]=b`): json-server treats values as strings, and an
 * object can have a `toString` that is not a function. A list (`id[]=1`) is fine, and so is one in a list, which the same
 * index twice makes (`id[0]=1&id[0]=2`), except where json-server reads texts alone.
 *
 * @throws HttpError 400 that names the parameter
 */
export function checkValues(query: Query, name: string): void {
  const isDeep = !['q', '_expand'].includes(name)
  if ([query[name]].flat(isDeep ? Number.POSITIVE_INFINITY : 1).some(isObject))
    throw badRequest(
      `The query parameter "${name}" must be a string or a list: leave out the name in brackets.`,
      'a query parameter is neither a string nor a list',
    )
}

/** The names in a parameter, which may be given several times. */
export function parameterNames(value: unknown): readonly string[] {
  if (value === undefined) return []
  return [value].flat().filter((name): name is string => typeof name === 'string' && name !== '')
}

/** Whether a query has regular expressions. */
export function hasPatterns(query: Query): boolean {
  return Object.keys(query).some((name) => name.endsWith('_like'))
}

/** Whether a query asks for records of other collections. */
export function asksForRelations({ _embed, _expand }: Query): boolean {
  return _embed !== undefined || _expand !== undefined
}

/**
 * Refuses relations that json-server fails on.
 *
 * @throws HttpError 400 for a value that is an object
 */
export function checkRelations(query: Query): void {
  for (const name of PARAMETERS_OF_RELATIONS) checkValues(query, name)
}

/**
 * Refuses a list query that makes json-server fail, or that no time limit could stop. Parameters that json-server
 * ignores are not looked at.
 *
 * @param query as Express or a rewrite rule has parsed it
 * @throws HttpError 400 for an object as a value, a repeated `_sort`, or `_order` beside it, a `_like` that is too long
 */
export function checkListQuery(query: Query): void {
  // json-server reads the order of what is sorted alone.
  const { _order, ...unsorted } = query
  const asked = query._sort ? query : unsorted
  for (const name of Object.keys(asked)) {
    const { operator } = comparisonOf(name)
    if (PARAMETERS_OF_LISTS.includes(name) || isOfJsonServer(operator)) checkValues(asked, name)
    if (operator === 'like') for (const pattern of [asked[name]].flat()) checkPattern(name, String(pattern))
  }
  for (const name of ['_sort', '_order'])
    if (Array.isArray(asked[name]))
      throw badRequest(`The query parameter "${name}" may be given once: separate several fields by commas.`)
}

function checkPattern(name: string, pattern: string): void {
  if (pattern.length > LONGEST_PATTERN || pattern.split(/\\b/i).length > MOST_BOUNDARIES + 1)
    throw badRequest(
      `The regular expression in "${name}" must not be longer than ${LONGEST_PATTERN} characters, ` +
        `or have more than ${MOST_BOUNDARIES} word boundaries.`,
      'a regular expression in the query is too long, or has too many word boundaries',
    )
}
