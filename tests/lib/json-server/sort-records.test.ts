import fc from 'fast-check'
import jsonServer from 'json-server'
import { sortRecords } from '../../../lib/json-server/sort-records'

const { orderBy } = jsonServer.router({}, { foreignKeySuffix: 'Id' }).db._

const records = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.record({ a: value, b: fc.integer({ min: 0, max: 3 }) }), { maxLength: 30 })
const words = fc.constantFrom('', 'a', 'A', 'b', 'ab', 'é', '10', '9', '\ud83d\ude00', '\uffff')
const numbers = fc.constantFrom(0, -0, 1, -1, 1.5, 1e300, Number.POSITIVE_INFINITY)
const orders = fc.array(fc.constantFrom('asc', 'desc', ''), { maxLength: 2 })

test.each([
  ['strings', words],
  ['numbers', numbers],
])('%s are in the order in which lodash puts them', (_name, value) => {
  fc.assert(
    fc.property(
      records(value),
      fc.subarray(['a', 'b'], { minLength: 1 }),
      orders,
      (data, paths, directions) => {
        const all: readonly unknown[] = data
        const sorted = sortRecords(data, paths, directions)
        const expected = orderBy(data, paths, directions)
        // By identity: equal records must keep their order.
        expect(sorted?.map((record) => all.indexOf(record))).toEqual(
          Array.isArray(expected) && expected.map((record) => all.indexOf(record)),
        )
      },
    ),
  )
})

test.each([
  { title: 'a missing field', data: [{ a: 1 }, {}] },
  { title: 'mixed types', data: [{ a: 1 }, { a: '1' }] },
  { title: 'null', data: [{ a: null }, { a: 1 }] },
  { title: 'NaN', data: [{ a: Number.NaN }, { a: 1 }] },
  { title: 'a record that is no object', data: [{ a: 1 }, null] },
])('$title is left to lodash', ({ data }) => {
  expect(sortRecords(data, ['a'], ['asc'])).toBeUndefined()
})

test('a path through several fields is left to lodash', () => {
  expect(sortRecords([{ a: { b: 1 } }, { a: { b: 2 } }], ['a.b'], ['asc'])).toBeUndefined()
  expect(sortRecords([{ a: [1] }, { a: [2] }], ['a[0]'], ['asc'])).toBeUndefined()
})
