import fc from 'fast-check'
import { textInPieces } from '../../../lib/data/text-pieces'

const LONGEST = 2_000_000
jest.mock('node:buffer', () => ({
  ...jest.requireActual('node:buffer'),
  constants: { MAX_STRING_LENGTH: 2_000_000 },
}))

const textOf = (records: readonly unknown[], depth: 1 | 2) =>
  Buffer.concat(textInPieces(records, depth)).toString()

it('gives the bytes of JSON.stringify for any records', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (records) => {
      expect(`[\n  ${textOf(records, 1)}\n]`).toBe(JSON.stringify(records, null, 2))
      expect(`[\n  [\n    ${textOf(records, 2)}\n  ]\n]`).toBe(JSON.stringify([records], null, 2))
    }),
  )
})

it('makes the text of large records one by one, and that of small ones together', () => {
  const large = Array.from({ length: 10 }, () => 'x'.repeat(100_000))
  expect(textInPieces(large, 1)).toHaveLength(10)
  const small = Array.from({ length: 1000 }, (_, id) => ({ id }))
  expect(textInPieces(small, 1).length).toBeLessThan(100)
})

it('makes the text of at most sixteen large records together that come after a small one', () => {
  const records = Array.from({ length: 40 }, () => 'x'.repeat(20_000))
  const sizes = textInPieces([1, ...records], 1).map((piece) => piece.length)
  expect(Math.max(...sizes)).toBeLessThan(17 * 20_000)
})

it('makes no text that is longer than a string can be, however short each record is', () => {
  const records = Array.from({ length: 20 }, () => 'x'.repeat(LONGEST / 20))
  expect(() => textInPieces(records.slice(1), 1)).not.toThrow()
  expect(() => textInPieces(records, 1)).toThrow(RangeError)
})
