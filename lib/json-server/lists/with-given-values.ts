import { isRecord } from '../../is-record'
import { isOneField } from '../requests/query-guard'

/**
 * Leaves out the records that have none of the values of a repeated parameter, such as `id=1&id=2`, so that
 * json-server, which compares each record with all values, has fewer records to compare.
 *
 * @param query the filters of the request
 */
export function withGivenValues(records: readonly unknown[], query: object): readonly unknown[] {
  let left = records
  for (const [name, values] of Object.entries(query)) {
    if (!Array.isArray(values) || !isOneField(name)) continue
    const given = new Set(values)
    left = left.filter((record) => !isRecord(record) || given.has(String(record[name])))
  }
  return left
}
