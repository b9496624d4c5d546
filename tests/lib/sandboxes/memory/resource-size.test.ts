import { HeapSize } from '../../../../lib/sandboxes/memory/heap-size'
import { recordSize, resourceSize } from '../../../../lib/sandboxes/memory/resource-size'

const sizeOf = (record: unknown) => recordSize(new HeapSize(), record)

test.each(['1', '1000', '9999'])('a field named %s counts with the array that V8 reserves for it', (name) => {
  expect(sizeOf({ [name]: 0, a: 0 })).toBeGreaterThan(12_000)
})

test.each(['a', '10000', '1a', 'a1'])('a field named %s counts with itself alone', (name) => {
  expect(sizeOf({ [name]: 0 })).toBeLessThan(1000)
})

test('a resource counts with its routes and all its records', () => {
  const [record, routes] = [{ text: 'x'.repeat(1000) }, resourceSize(new HeapSize(), [])]
  expect(routes).toBeGreaterThan(6000)
  expect(resourceSize(new HeapSize(), record)).toBe(routes + sizeOf(record))
  expect(resourceSize(new HeapSize(), [record, record])).toBe(routes + 2 * sizeOf(record))
})
