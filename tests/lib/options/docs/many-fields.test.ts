import type { Data } from '../../../../lib/data/valid-data'
import { documentOf } from '../../../support/document'

/** Objects in objects: a table of tables. */
function nested(width: number, depth: number): unknown {
  if (depth === 0) return 1
  return Object.fromEntries(
    Array.from({ length: width }, (_, name) => [`f${name}`, nested(width, depth - 1)]),
  )
}

test.each<[title: string, data: Data]>([
  ['fields', { a: [Object.fromEntries(Array.from({ length: 10000 }, (_, number) => [`f${number}`, 1]))] }],
  ['fields in fields', { a: [nested(20, 3)], b: nested(20, 3) }],
])('the document of many %s is small', (_title, data) => {
  expect(JSON.stringify(documentOf(data)).length).toBeLessThan(5e6)
})
