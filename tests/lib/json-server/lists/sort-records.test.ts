import fc from 'fast-check'
import jsonServer from 'json-server'
import { sortRecords } from '../../../../lib/json-server/lists/sort-records'

const { orderBy, map } = jsonServer.router({}, { foreignKeySuffix: 'Id' }).db._

/** The records in our order. */
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
// lodash fails when it compares an object that cannot be turned into text.
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('"toString"'))
const orders = fc.array(fc.constantFrom('asc', 'desc', ''), { maxLength: 2 })

test.each([
  ['strings', words],
  ['numbers', numbers],
  ['booleans', fc.boolean()],
  ['strings, some of them missing', fc.oneof(words, missing)],
  ['numbers, some of them missing', fc.oneof(numbers, missing)],
  ['booleans, some of them missing', fc.oneof(fc.boolean(), missing)],
  ['missing values', missing],
  ['all that JSON can hold', json],
  ['values of several types', fc.oneof(words, numbers, missing, fc.boolean(), fc.constantFrom([9], [], {}))],
  ['dates and NaN', fc.oneof(fc.date({ noInvalidDate: true }), numbers, missing, fc.constant(Number.NaN))],
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
        expect(sorted.map((record) => all.indexOf(record))).toEqual(
          Array.isArray(expected) && expected.map((record) => all.indexOf(record)),
        )
      },
    ),
  )
})

test('a record that cannot be turned into text causes no error', () => {
  const odd = { a: { toString: 0 }, b: 1 }
  expect(sort([odd], ['a'], ['asc'])).toEqual([odd])
  expect(sort([odd, { a: 'text', b: 0 }], ['a'], ['asc'])).toEqual([{ a: 'text', b: 0 }, odd])
})

test('a path through several fields is followed as lodash does it', () => {
  const data = [{ a: { b: 2 } }, { a: { b: 1 } }, { 'a.b': 3 }, { a: null }, null, 'text']
  for (const path of ['a.b', "a['b']", 'a[0]', 'length']) {
    expect(sort(data, [path], ['asc'])).toEqual(orderBy(data, [path], ['asc']))
  }
})

test('an object is turned into text once for each record', () => {
  const toText = jest.fn(() => 'text')
  const data = Array.from({ length: 100 }, () => ({ a: { toString: toText } }))
  expect(sort(data, ['a'], ['asc'])).toEqual(data)
  expect(toText).toHaveBeenCalledTimes(data.length)
})
