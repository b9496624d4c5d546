import { HttpError } from '../../errors'

type Query = Readonly<Record<string, unknown>>

/** json-server looks up each parameter in each record. */
const MOST_PARAMETERS = 100

/** For each value of these, even a repeated one, json-server searches a whole collection for each record. */
const RELATIONS = ['_embed', '_expand']
const MOST_RELATIONS = 20

/** json-server looks up each field in each record, so that thousands of fields take seconds. */
const MOST_SORT_FIELDS = 20

/**
 * V8 compiles a regular expression in one go that no time limit can stop: the time grows with the square of
 * the length, and with each word boundary it may double.
 */
const LONGEST_PATTERN = 500
const MOST_BOUNDARIES = 4

/**
 * Refuses objects in a query (`q[a]=b`): json-server treats values as strings, and an object can have a
 * `toString` that is not a function. A list (`id[]=1`) is fine. Also refuses so many parameters or relations
 * that json-server would take seconds.
 *
 * @param query as Express or a rewrite rule has parsed it
 * @throws HttpError 400 that names the parameter, or the limit
 */
export function checkParameters(query: Query): void {
  const names = Object.keys(query)
  if (names.length > MOST_PARAMETERS)
    throw new HttpError({
      status: 400,
      message: `The query must not have more than ${MOST_PARAMETERS} parameters.`,
    })
  for (const name of names) {
    const values = [query[name]].flat()
    if (RELATIONS.includes(name) && values.length > MOST_RELATIONS)
      throw new HttpError({
        status: 400,
        message: `The query parameter "${name}" must not be given more than ${MOST_RELATIONS} times.`,
      })
    if (values.some((value) => typeof value === 'object')) {
      throw new HttpError({
        status: 400,
        message: `The query parameter "${name}" must be a string or a list: leave out the name in brackets.`,
      })
    }
  }
}

/**
 * Refuses a list query that makes json-server fail, or take seconds.
 *
 * @param query whose values are strings and lists
 * @throws HttpError 400 for a repeated `_sort` or `_order`, too many fields in `_sort`, a `_like` that is too
 *   long
 */
export function checkListQuery(query: Query): void {
  for (const name of ['_sort', '_order']) {
    if (Array.isArray(query[name])) {
      throw new HttpError({
        status: 400,
        message: `The query parameter "${name}" may be given once: separate several fields by commas.`,
      })
    }
  }
  if (String(query._sort).split(',').length > MOST_SORT_FIELDS) {
    throw new HttpError({
      status: 400,
      message: `The query parameter "_sort" must name at most ${MOST_SORT_FIELDS} fields.`,
    })
  }
  for (const name of Object.keys(query)) {
    if (isPattern(name)) for (const pattern of [query[name]].flat()) checkPattern(name, String(pattern))
  }
}

/** Whether json-server treats the values of a parameter as regular expressions. */
export function isPattern(name: string): boolean {
  return name.endsWith('_like')
}

/** Whether json-server treats a parameter as a field that must have exactly this value. */
export function isField(name: string): boolean {
  return !/^(q|_|callback|_(sort|order|start|end|limit|embed|expand))$|_(lte|gte|ne|like)$/.test(name)
}

/** Whether json-server looks up a parameter in the records. */
export function isFilter(name: string): boolean {
  return isField(name) || /_(lte|gte|ne|like)$/.test(name)
}

/** Whether a name is that of a single field, unlike a path such as `author.name`. */
export function isOneField(name: string): boolean {
  return isField(name) && !/[.[]/.test(name)
}

function checkPattern(name: string, pattern: string): void {
  if (pattern.length > LONGEST_PATTERN) {
    throw new HttpError({
      status: 400,
      message: `The regular expression in "${name}" must not be longer than ${LONGEST_PATTERN} characters.`,
    })
  }
  if (pattern.split(/\\b/i).length > MOST_BOUNDARIES + 1) {
    throw new HttpError({
      status: 400,
      message:
        `The regular expression in "${name}" must not have more than ${MOST_BOUNDARIES} ` +
        'word boundaries.',
    })
  }
}
