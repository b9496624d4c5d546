import { isRecord } from '../is-record'
import { isField } from './query-guard'

/**
 * Leaves out the records that have none of the values of a parameter that is given several times, such as `id=1&id=2`:
 * json-server compares each record with all values, and then has fewer records to compare.
 *
 * @param query the filters of the request
 */
export function withGivenValues(records: readonly unknown[], query: object): readonly unknown[] {
  let left = records
  for (const [name, values] of Object.entries(query)) {
    // A name such as `author.name` may lead through several fields.
    if (!Array.isArray(values) || !isField(name) || /[.[]/.test(name)) continue
    const given = new Set(values)
    left = left.filter((record) => !isRecord(record) || given.has(String(record[name])))
  }
  return left
}
