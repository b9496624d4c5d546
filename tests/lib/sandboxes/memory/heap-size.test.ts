import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HeapSize } from '../../../../lib/sandboxes/memory/heap-size'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const COUNT = 50_000

function heapUsed(): number {
  collectGarbage()
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
