import type { CollectionIndex } from './collection-index'
import { fieldPath } from './field-path'
import { runInLimitedTime } from './limited-time'
import { lodash } from './lodash'
import { checkValues, comparisonOf, type Operator, type Query } from './query-checks'

/**
 * The parameters that json-server does not filter by, whatever fields the records have, but for `q`: `list`
 * reads them itself, or leaves them in the query for JSONP.
 */
const NO_FILTERS = ['_start', '_end', '_sort', '_order', '_limit', '_embed', '_expand', 'callback', '_']

/** What json-server reads. It also filters by `_page`, where a record has a field of this name. */
export const READ_BY_JSON_SERVER: readonly string[] = ['_page', ...NO_FILTERS]

type Test = (value: unknown) => boolean

/** The names of the parameters by which json-server filters a collection: it ignores others. */
export function filtersOf(query: Query, index: CollectionIndex): string[] {
  return Object.keys(query).filter((name) => {
    if (name === 'q' || NO_FILTERS.includes(name)) return false
    return comparisonOf(name).operator !== undefined || index.hasField(name)
  })
}

/**
 * The records of a collection that a query asks for, as json-server filters them. json-server itself would
 * look for each parameter in each record, compare each record with each value, and do so three times for a
 * page: with 100,000 records, a filtered page takes it seven times as long (`npm run bench`).
 *
 * @param query one that {@link checkListQuery} has let through
 * @param filters the names of its parameters that are filters
 * @returns the collection itself where the query has no filter
 * @throws HttpError 400 for a field whose value is an object; for a pattern that is not valid, overflows the
 *   stack, or takes too long
 */
export function filtered(
  { collection }: CollectionIndex,
  query: Query,
  filters: readonly string[],
): readonly unknown[] {
  for (const name of filters) checkValues(query, name)
  const tests = filters.map((name) => testOf(name, [query[name]].flat().map(String)))
  if (query.q) {
    const text = String([query.q].flat()[0]).toLowerCase()
    tests.unshift((record) => lodash().deepQuery(Object(record), text) === true)
  }
  let records = collection
  const applyAll = () => {
    for (const test of tests) records = records.filter(test)
  }
  const hasPatterns = filters.some((name) => comparisonOf(name).operator === 'like')
  if (hasPatterns) runInLimitedTime(applyAll, records.length)
  else applyAll()
  return records
}

/** Tests whether a record has a value that is one of the given ones, or as the parameter's name says. */
function testOf(parameter: string, given: readonly string[]): Test {
  const { field, operator } = comparisonOf(parameter)
  const matches = comparison(operator, given)
  const { valueIn } = fieldPath(field)
  return (record) => {
    const value = valueIn(record)
    return value !== undefined && value !== null && matches(value)
  }
}

function comparison(operator: Operator, given: readonly string[]): Test {
  if (operator === 'gte') return ordering((least, value) => least <= value, given)
  if (operator === 'lte') return ordering((most, value) => most >= value, given)
  if (operator === 'like') {
    let patterns: RegExp[] | undefined
    return (value) => {
      const text = String(value)
      // json-server ignores an invalid pattern where no record has the field, so a pattern is compiled only
      // for a record that has it.
      patterns ??= given.map((pattern) => new RegExp(pattern, 'i'))
      return patterns.some((pattern) => pattern.test(text))
    }
  }
  const values = new Set(given)
  return (value) => values.has(String(value)) === (operator !== 'ne')
}

/** JavaScript compares two strings as text, a string and a number as numbers, and an array as its text. */
function ordering(isInOrder: (bound: string, value: string) => boolean, bounds: readonly string[]): Test {
  return (value) => {
    // An array becomes text once: a million letters take 10 ms, and a query may have 50 bounds. Any other
    // value is compared as it is: `Object` only tells TypeScript that it can be.
    const compared = Array.isArray(value) ? String(value) : Object(value)
    return bounds.some((bound) => isInOrder(bound, compared))
  }
}
