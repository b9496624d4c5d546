import { holdsToString } from '../../../lib/json-server/holds-to-string'

test.each([
  { toString: 1 },
  { a: { toString: null } },
  { a: [{ b: [{ toString: 'x' }] }] },
  [{ toString: {} }],
  JSON.parse(`${'{"a":'.repeat(10_000)}{"toString":1}${'}'.repeat(10_000)}`),
])('row %#: there is a field named toString', (value: unknown) => {
  expect(holdsToString(value)).toBe(true)
})

test.each([
  undefined,
  null,
  1,
  'toString',
  {},
  [],
  ['toString'],
  { a: 'toString' },
  { ToString: 1 },
  { a: [null] },
])('%j has no field named toString', (value: unknown) => {
  expect(holdsToString(value)).toBe(false)
})
