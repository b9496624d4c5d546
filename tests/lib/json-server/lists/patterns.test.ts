import { Patterns } from '../../../../lib/json-server/lists/patterns'

const records = [{ text: `${'a'.repeat(40)}!` }, { text: 'b' }, {}, { text: null }, { text: 0 }]
const ENDLESS = '^(a+)+$'

const textOf = (record: unknown): unknown => Object(record).text

function filter(patterns: readonly string[], given: readonly unknown[] = records): unknown[] {
  return new Patterns().filter(given, textOf, patterns)
}

/** An error 400 whose message says this. */
function refused(says: string | RegExp) {
  return expect.objectContaining({ status: 400, message: expect.stringMatching(says) })
}

it('leaves the records with a value that one of the patterns matches, without regard to case', () => {
  expect(filter(['B'])).toEqual([records[1]])
  expect(filter(['!$', '^0'])).toEqual([records[0], records[4]])
  expect(filter(['null|undefined|x'])).toEqual([])
  expect(filter([''])).toEqual([records[0], records[1], records[4]])
  expect(filter(['a'], [])).toEqual([])
})

it('stops a pattern that takes too long, and works again for the next request', () => {
  expect(() => filter([ENDLESS])).toThrow(refused('take too long'))
  expect(filter(['b'])).toEqual([records[1]])
})

it('stops patterns of which each is fast enough alone', () => {
  const slow = Array.from({ length: 100 }, () => ({ text: `${'a'.repeat(18)}!` }))
  const patterns = new Patterns()
  const filterAll = () => {
    for (let round = 0; round < 100; round += 1) patterns.filter(slow, textOf, [ENDLESS])
  }
  expect(filterAll).toThrow(refused('take too long'))
})

it('stops one that comes after many records', () => {
  const many = Array.from({ length: 50_000 }, () => ({ text: 'short' }))
  expect(() => filter([ENDLESS], [...many, ...records])).toThrow(refused('take too long'))
})

it('goes on where it was interrupted, as long as it gets on', () => {
  // As if the machine gave it little time: two seconds for 20 MB.
  const long = Array.from({ length: 200 }, (_, index) => ({ text: `${index}${'x'.repeat(100_000)}` }))
  let looks = 0
  const slowly = (record: unknown): unknown => {
    looks += 1
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return textOf(record)
  }
  expect(new Patterns().filter(long, slowly, ['^1\\d\\dx'])).toEqual(long.slice(100))
  expect(looks).toBeLessThan(2 * long.length)
})

it('explains why a pattern cannot be run', () => {
  expect(() => filter(['('])).toThrow(refused('put a backslash before'))
  const nested = Array(10)
    .fill(0)
    .reduce((inner: string) => `(?:${inner}|^){60000}`, 'a')
  // On a busy machine the time may be up before the stack overflows.
  const says = /nested too deeply: simplify it|take too long/
  expect(() => filter([nested], [{ text: 'x' }])).toThrow(refused(says))
})

it('ignores an invalid pattern where no record has the field', () => {
  expect(filter(['('], [{}, { text: null }])).toEqual([])
})

it('passes on what reading a value throws', () => {
  const failing = () => {
    throw new Error('no value')
  }
  expect(() => new Patterns().filter(records, failing, ['a'])).toThrow('no value')
})
