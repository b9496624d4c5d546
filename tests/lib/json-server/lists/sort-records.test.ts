import fc from 'fast-check'
import jsonServer from 'json-server'
import { sortRecords } from '../../../../lib/json-server/lists/sort-records'

const { orderBy, map } = jsonServer.router({}, { foreignKeySuffix: 'Id' }).db._

/** The records in our order; undefined where lodash has to sort. */
function sort(data: readonly unknown[], paths: readonly string[], directions: readonly string[]) {
  return sortRecords(
    data,
    paths.map((path) => map(data, path)),
    directions,
  )
}

const records = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.record({ a: value, b: fc.integer({ min: 0, max: 3 }) }), { maxLength: 30 })
const words = fc.constantFrom('', 'a', 'A', 'b', 'ab', 'é', '10', '9', '\ud83d\ude00', '\uffff')
const numbers = fc.constantFrom(0, -0, 1, -1, 1.5, 1e300, Number.POSITIVE_INFINITY)
const missing = fc.constantFrom(null, undefined)
const orders = fc.array(fc.constantFrom('asc', 'desc', ''), { maxLength: 2 })

test.each([
  ['strings', words],
  ['numbers', numbers],
  ['booleans', fc.boolean()],
  ['strings, some of them missing', fc.oneof(words, missing)],
  ['numbers, some of them missing', fc.oneof(numbers, missing)],
  ['booleans, some of them missing', fc.oneof(fc.boolean(), missing)],
  ['missing values', missing],
])('%s are in the order in which lodash puts them', (_name, value) => {
  fc.assert(
    fc.property(
      records(value),
      fc.subarray(['a', 'b'], { minLength: 1 }),
      orders,
      (data, paths, directions) => {
        const all: readonly unknown[] = data
        const sorted = sort(data, paths, directions)
        const expected = orderBy(data, paths, directions)
        // By identity: equal records must keep their order.
        expect(sorted?.map((record) => all.indexOf(record))).toEqual(
          Array.isArray(expected) && expected.map((record) => all.indexOf(record)),
        )
      },
    ),
  )
})

test('a path through several fields is followed as lodash does it', () => {
  const data = [{ a: { b: 2 } }, { a: { b: 1 } }, { 'a.b': 3 }, { a: null }, null, 'text']
  for (const path of ['a.b', "a['b']", 'a[0]', 'length']) {
    expect(sort(data, [path], ['asc'])).toEqual(orderBy(data, [path], ['asc']))
  }
})

test.each([
  { title: 'mixed types', values: [1, '1'] },
  { title: 'NaN', values: [Number.NaN, 1] },
  { title: 'objects', values: [{}, {}] },
  { title: 'symbols', values: [Symbol('one'), Symbol('other')] },
])('$title are left to lodash', ({ values }) => {
  const data = values.map((a) => ({ a }))
  expect(sort(data, ['a'], ['asc'])).toBeUndefined()
})
