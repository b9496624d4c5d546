import fc from 'fast-check'
import { type Chunks, textOf } from '../../../lib/data/data-text'
import type { Data } from '../../../lib/data/valid-data'
import { runs } from '../../support/random'

type StoredRecord = Record<string, unknown>

/** One change, by where in the collection it happens: a fraction of its length. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), value: fc.jsonValue() }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  fc.record({
    kind: fc.constant('change' as const),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    value: fc.jsonValue(),
  }),
)

function read(data: Data, known?: Chunks): string {
  return Buffer.concat(textOf(data, known)).toString()
}

function newRecords(count: number): StoredRecord[] {
  return Array.from({ length: count }, (_item, id) => ({
    id,
    title: `Title\n"${id}"`,
    nested: { list: [1, {}] },
  }))
}

it('gives the bytes of JSON.stringify for any data', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue())), (data) => {
      expect(read(data)).toBe(JSON.stringify(data, null, 2))
    }),
    runs(40),
  )
})

it.each([0, 1, 255, 256, 257, 1000])('still does after any changes of %d records', (count) => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 6 }), (rounds) => {
      const records = newRecords(count)
      const data = { before: [], records, after: { single: true } }
      const known: Chunks = new WeakMap()
      for (const round of [[], ...rounds]) {
        for (const step of round) {
          const index = step.kind === 'add' ? 0 : Math.floor(step.at * records.length)
          const record = records[index]
          if (step.kind === 'add') records.push({ value: step.value })
          else if (step.kind === 'remove') records.splice(index, 1)
          else records.splice(index, 1, { ...record, value: step.value })
        }
        expect(read(data, known)).toBe(JSON.stringify(data, null, 2))
      }
    }),
    runs(10),
  )
})

it('makes unchanged records into text only once', () => {
  let made = 0
  const record = {
    get title() {
      made += 1
      return 'title'
    },
  }
  const records: unknown[] = [record, ...newRecords(600)]
  const known: Chunks = new WeakMap()
  read({ records }, known)
  records.push({ id: 'new' })
  records.splice(500, 1)
  read({ records }, known)
  expect(made).toBe(1)
})

it('makes only the neighbours of a removed record into text again, and none of those that move up', () => {
  let made = 0
  const moving = {
    get title() {
      made += 1
      return 'title'
    },
  }
  const records: unknown[] = [...newRecords(600), moving]
  const known: Chunks = new WeakMap()
  read({ records }, known)
  records.splice(0, 1)
  expect(read({ records }, known)).toBe(JSON.stringify({ records }, null, 2))
  expect(made).toBe(2)
})
