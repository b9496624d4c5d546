type Compare = (one: number, other: number) => number

/**
 * The records in the order of lodash's `orderBy`, but several times as fast: for fields whose values are all
 * strings, all numbers or all booleans, or missing. Equal records keep their order.
 *
 * @param fields the values of all records in each field that they are sorted by, the most important first
 * @param orders `desc` for a field that is sorted downward, by position
 * @returns undefined for values that lodash has rules of its own for, such as numbers among strings
 */
export function sortRecords(
  records: readonly unknown[],
  fields: readonly (readonly unknown[])[],
  orders: readonly string[],
): unknown[] | undefined {
  const comparisons: Compare[] = []
  for (const [index, values] of fields.entries()) {
    const compare = comparisonOf(values)
    if (compare === undefined) return undefined
    comparisons.push(orders[index] === 'desc' ? (one, other) => compare(other, one) : compare)
  }
  if (comparisons.length === 0) return undefined
  const compareAll = comparisons.reduceRight(
    (further, compare) => (one, other) => compare(one, other) || further(one, other),
  )
  const positions = records.map((_record, position) => position)
  return positions.sort(compareAll).map((position) => records[position])
}

/** Compares records by their positions. */
function comparisonOf(values: readonly unknown[]): Compare | undefined {
  if (hold(values, isString)) return comparison(values)
  if (hold(values, isNumber)) return comparison(values)
  if (hold(values, isBoolean)) return comparison(values)
  return undefined
}

type Values<Value> = readonly (Value | null | undefined)[]

/** What is missing comes last: null, and then undefined. */
function comparison<Value extends string | number | boolean>(values: Values<Value>): Compare {
  return (one, other) => {
    const first = values[one]
    const second = values[other]
    if (first === second) return 0
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1
    if (first === null || second === null) return first === null ? 1 : -1
    return first < second ? -1 : 1
  }
}

function hold<Value>(
  values: readonly unknown[],
  isValue: (value: unknown) => value is Value,
): values is Values<Value> {
  return values.every((value) => value === null || value === undefined || isValue(value))
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** NaN has no place in an order of its own. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
