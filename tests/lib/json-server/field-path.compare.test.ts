import fc from 'fast-check'
import { fieldPath } from '../../../lib/json-server/field-path'
import { lodash } from '../../../lib/json-server/lodash'
import { runs } from '../../support/random'

/** Names and paths, with what lodash treats in its own way. */
const text = fc.oneof(
  fc
    .array(
      fc.constantFrom('a', 'b', '0', '.', '..', '[', ']', '[0]', '["a"]', "'", '\\', 'length', '__proto__'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('constructor', 'toString', 'a.length', 'a.0', 'a.b.constructor', ''),
)

const item: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  item: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, undefined, 0, 'ab', true),
    fc.array(tie('item'), { maxLength: 2 }),
    fc.dictionary(text, tie('item'), { maxKeys: 3 }),
  ),
})).item

test('a field is found where lodash finds it', () => {
  fc.assert(
    fc.property(text, item, (path, record) => {
      const { isIn, valueIn } = fieldPath(path)
      expect(isIn(record)).toBe(lodash().has(record, path))
      expect(valueIn(record)).toBe(lodash().get(record, path))
    }),
    runs(2000),
  )
})

test.each([
  ['a.b', { a: { b: 1 } }, 1],
  ['a.b', { 'a.b': 2, a: { b: 1 } }, 2],
  ['a.0', { a: ['x'] }, 'x'],
  ['a..b', { a: { '': { b: 3 } } }, 3],
  ['a[0]', { a: ['x'] }, 'x'],
  ['a[0', { 'a[0': 4 }, 4],
  ['__proto__', JSON.parse('{"__proto__": 5}'), 5],
])('%s in %j is %j', (path, record, value) => {
  expect(fieldPath(path).valueIn(record)).toBe(value)
  expect(fieldPath(path).isIn(record)).toBe(true)
})
