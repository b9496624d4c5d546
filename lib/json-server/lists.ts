import { createContext, Script } from 'node:vm'
import { errorCode } from '../error-code'
import { badRequest } from '../errors'
import { isObject } from '../is-record'
import type { CollectionIndex } from './collection-index'
import { standIn, withFields } from './collections'
import { lodash } from './handlers'

export type Query = Readonly<Record<string, unknown>>

/**
 * The parameters that json-server does not filter by, whatever fields the records have. By `_page` it does.
 */
const NO_FILTERS = ['q', '_start', '_end', '_sort', '_order', '_limit', '_embed', '_expand', 'callback', '_']

/** Milliseconds by the clock that regular expressions may take. */
const TIME = 1000

/** Milliseconds for each record besides: an honest pattern takes a twentieth of it. */
const TIME_OF_RECORD = 0.01

/**
 * What stands for the lodash chain of a collection, of which json-server's `list` makes what is sent. It
 * would compare each record with each value, evaluate its chain three times, and copy all of the list: so
 * the records are filtered here beforehand, and the order of a whole collection is remembered.
 *
 * @param hasRelations whether json-server adds other records to what is sent
 * @returns the chain; and `result`, which gives what is sent for the list that json-server has made
 * @throws HttpError 400 as {@link checkListQuery} does; for a field whose value is an object; for a pattern
 *   that is not valid, overflows the stack, or takes too long
 */
export function listOf(index: CollectionIndex, query: Query, hasRelations: boolean) {
  checkListQuery(query)
  /** Whether json-server filters by a parameter: others are ignored. */
  const isFilter = (name: string) => {
    if (NO_FILTERS.includes(name)) return false
    const isField = index.hasField(name)
    if (isField) checkValues(query, name)
    return isField || /_(lte|gte|ne|like)$/.test(name)
  }
  const filters = Object.keys(query).filter(isFilter)
  // json-server looks for each parameter in each record. Here, one stands for all.
  const sample = Object.fromEntries(filters.map((name) => [name, true]))
  const tests = filters.map((name) => filter(name, [query[name]].flat().map(String)))
  if (query.q) {
    const sought = String([query.q].flat()[0]).toLowerCase()
    tests.unshift((record) => lodash().deepQuery(Object(record), sought) === true)
  }
  let records = index.collection
  const filterAll = () => {
    for (const test of tests) records = records.filter(test)
  }
  const hasPatterns = filters.some((name) => name.endsWith('_like'))
  if (hasPatterns) runInTime(filterAll, TIME + TIME_OF_RECORD * records.length)
  else filterAll()
  /**
   * Keeps only these records, which are a page or all. json-server gets as many empty places, or where it
   * adds to them what stands in for them; `result` puts the stored ones back.
   */
  const keepPage = (start?: number, end?: number) => {
    records = records.slice(start, end)
    return hasRelations ? records.map(standIn) : Array(records.length)
  }
  const chain: object = {
    // `list` looks for each parameter in it, and takes it for no filter if there is no record. By `_page`, it
    // takes a slice of it.
    value: () => (index.collection.length === 0 ? [] : { sample, length: records.length, slice: keepPage }),
    filter: () => chain,
    orderBy: (paths: string[], orders: string[]) => {
      const sort = () => lodash().orderBy(records, paths, orders)
      const isWhole = records === index.collection
      records = isWhole ? index.order(JSON.stringify([paths, orders]), sort) : sort()
      return chain
    },
    size: () => records.length,
    slice: (start: number, end: number) => lodash().chain(keepPage(start, end)),
    cloneDeep: () => lodash().chain(keepPage()).cloneDeep(),
  }
  const result = (made: readonly object[]) =>
    hasRelations ? records.map((record, position) => withFields(record, made[position])) : records
  return { chain, result }
}

type Test = (value: unknown) => boolean

/** Whether a record has a value that is one of the given ones, or as the end of the parameter's name says. */
function filter(parameter: string, given: readonly string[]): Test {
  const [, path = parameter, operator] = /^(.*)_(lte|gte|ne|like)$/s.exec(parameter) ?? []
  const matches = comparison(operator, given)
  return (record) => {
    const value = lodash().get(record, path)
    return value !== undefined && value !== null && matches(value)
  }
}

function comparison(operator: string | undefined, given: readonly string[]): Test {
  // An object is compared as the value that it stands for.
  if (operator === 'gte') return (value) => given.some((least) => least <= Object(value))
  if (operator === 'lte') return (value) => given.some((most) => most >= Object(value))
  if (operator === 'like') {
    let patterns: RegExp[] | undefined
    return (value) => {
      // Not before: json-server ignores an invalid pattern for a field that no record has.
      patterns ??= given.map((pattern) => new RegExp(pattern, 'i'))
      return patterns.some((pattern) => pattern.test(String(value)))
    }
  }
  const values = new Set(given)
  return (value) => values.has(String(value)) === (operator !== 'ne')
}

const script = new Script('work()', { filename: 'in-limited-time' })
const context = createContext()

/**
 * Only Node's `vm` can interrupt a regular expression that takes forever.
 *
 * @param limit milliseconds
 */
function runInTime(work: () => void, limit: number): void {
  context.work = work
  try {
    script.runInContext(context, { timeout: Math.ceil(limit) })
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw badRequest('The regular expressions of this query take too long on this data: use simpler ones.')
    if (error instanceof SyntaxError)
      throw badRequest(
        'The regular expression in "_like" is not valid: put a backslash before each special character.',
      )
    // The stack is too small to compile or to run the regular expression.
    if (error instanceof RangeError)
      throw badRequest('The regular expression in "_like" is nested too deeply: simplify it.')
    throw error
  }
}

/** Each `_embed` and `_expand` is looked up for each record of the response: thousands would take minutes. */
const MOST_RELATIONS = 20

/** json-server takes a value from each record for each field, which takes memory. */
const MOST_SORT_FIELDS = 20

/** The parameters of a list that json-server reads itself. */
const READ = ['q', '_page', '_limit', '_start', '_end', '_sort', '_order']

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
    if (READ.includes(name) || /_(lte|gte|ne|like)$/.test(name)) checkValues(query, name)
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
