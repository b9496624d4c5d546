import { isRecord } from '../is-record'

/** Paths that lodash reads as the name of one field, not as a way through several. */
const FIELD_NAME = /^[\w-]+$/

type Compare = (one: number, other: number) => number

/**
 * The records in the order in which lodash's `orderBy` puts them, some times as fast: for fields that hold only strings, or
 * only numbers, in all records. Equal records keep their order.
 *
 * @param paths the fields to sort by, the most important first
 * @param orders `desc` for a field that is sorted downward, by position
 * @returns undefined for fields whose values lodash has rules of its own for: missing ones, mixed types, paths
 */
export function sortRecords(
  records: readonly unknown[],
  paths: readonly string[],
  orders: readonly string[],
): unknown[] | undefined {
  const comparisons: Compare[] = []
  for (const [index, path] of paths.entries()) {
    const compare = FIELD_NAME.test(path) ? compareBy(records, path) : undefined
    if (compare === undefined) return undefined
    comparisons.push(orders[index] === 'desc' ? (one, other) => compare(other, one) : compare)
  }
  const [first, ...others] = comparisons
  if (first === undefined) return undefined
  const compareAll: Compare = (one, other) => {
    let result = first(one, other)
    for (let next = 0; result === 0 && next < others.length; next += 1)
      result = others[next]?.(one, other) ?? 0
    return result
  }
  const positions = records.map((_record, position) => position)
  return positions.sort(others.length === 0 ? first : compareAll).map((position) => records[position])
}

/** Compares records by their positions; undefined where the values of a field are of more than one type. */
function compareBy(records: readonly unknown[], name: string): Compare | undefined {
  const values = records.map((record) => (isRecord(record) ? record[name] : undefined))
  if (values.every(isString)) return comparison(values)
  if (values.every(isNumber)) return comparison(values)
  return undefined
}

function comparison<Value extends string | number>(values: readonly Value[]): Compare {
  return (one, other) => {
    const first = values[one]
    const second = values[other]
    if (first === undefined || second === undefined || first === second) return 0
    return first < second ? -1 : 1
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** NaN has no place in an order of its own. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}
