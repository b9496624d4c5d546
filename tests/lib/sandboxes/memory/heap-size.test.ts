import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HeapSize } from '../../../../lib/sandboxes/memory/heap-size'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const COUNT = 50_000

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Values that take much memory for their length in JSON, or that are common. */
test.each<[title: string, text: (index: number) => string]>([
  ['empty objects', () => '{}'],
  ['empty arrays', () => '[]'],
  ['arrays in arrays', () => '[[[0.5]]]'],
  ['-0 among other values', (index) => (index === 0 ? '""' : '-0')],
  ['fractions in objects', (index) => `{"a":${index}.5}`],
  ['empty strings', () => '""'],
  ['short strings', (index) => `"x${index}"`],
  ['strings of two bytes a character', (index) => `"${'中'.repeat(20)}${index}"`],
  ['keys that come once', (index) => `{"q${index}":0}`],
  ['seven keys that come once', (index) => `{${[...'abcdefg'].map((letter) => `"${letter}${index}":0`)}}`],
  [
    'keys in any combination',
    (index) => `{${[...'abcdefghijklmnop'].flatMap((l, bit) => (index & (1 << bit) ? [`"${l}":0`] : []))}}`,
  ],
  ['keys that are indexes', (index) => `{"${index}":0}`],
  ['records', (index) => `{"id":${index},"title":"Title ${index}","done":false,"score":${index / 7}}`],
])('the memory of %s is bounded', (_title, text) => {
  const json = `[${Array.from({ length: COUNT }, (_, index) => text(index)).join()}]`
  const before = heapUsed()
  const value: unknown = JSON.parse(json)
  const taken = heapUsed() - before
  expect(taken / new HeapSize().of(value)).toBeLessThanOrEqual(1.05)
})

test('the keys that records share count once, so that the bound is close to the real size', () => {
  const records = Array.from({ length: 1000 }, (_, id) => ({
    id,
    title: 'A title',
    body: 'Some text',
    done: true,
  }))
  expect(new HeapSize().of(records)).toBeLessThan(JSON.stringify(records).length * 4)
})

describe('which objects share their keys', () => {
  const [SHARED, OWN] = [100, 128]
  const keyed = (key: string) => new HeapSize().of({ [key]: 0 })
  const numbered = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))

  test.each(['a', '12a', 'a12', 'x'.repeat(100)])('one with the key %s', (key) => {
    expect(keyed(key)).toBeLessThan(SHARED)
  })

  test.each(['1', '12', 'x'.repeat(101)])('not one with the key %s', (key) => {
    expect(keyed(key)).toBeGreaterThan(OWN + 2 * key.length)
  })

  test('not one with more than 100 keys, and not one without a prototype', () => {
    expect(new HeapSize().of(numbered(100))).toBeLessThan(100 * SHARED)
    expect(new HeapSize().of(numbered(101))).toBeGreaterThan(101 * OWN)
    expect(new HeapSize().of(Object.assign(Object.create(null), { a: 0 }))).toBeGreaterThan(OWN)
  })

  test('those of the first 1,000 orders of keys', () => {
    const heap = new HeapSize()
    const sizes = Array.from({ length: 1001 }, (_, index) => heap.of({ [`k${index}`]: 0 }))
    expect(Math.max(...sizes.slice(0, 1000))).toBeLessThan(SHARED)
    expect(sizes[1000]).toBeGreaterThan(OWN)
    expect(heap.of({ k0: 0 })).toBeLessThan(SHARED)
  })
})

test('each item of an array counts with its place', () => {
  const sizeOf = (value: unknown) => new HeapSize().of(value)
  expect(sizeOf(['text', 0.5])).toBeGreaterThan(sizeOf([]) + sizeOf('text') + sizeOf(0.5))
})
