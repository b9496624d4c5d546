import type { Data } from '../../../../lib/data/valid-data'
import type { OpenApiDocument } from '../../../support/document'
import { documentOf } from '../../../support/document'

const TIMES = 16
/** Sixteen times the names may cost sixteen times as much; with the square of it, that would be 256 times. */
const MOST = 64

/** The processor time for the document, in microseconds: the least of several tries. */
function cost(data: Data): number {
  const tries = Array.from({ length: 2 }, () => {
    const start = process.cpuUsage()
    documentOf(data)
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.min(...tries)
}

const numbered = (number: number) => `a${number}`
/** The names of schemas are made of letters and digits: these get numbers instead. */
const chinese = (number: number) => String.fromCodePoint(0x4e00 + number)

/** Collections of one record, which refers to as many of the next collections. */
function collections(count: number, references: number, name: (number: number) => string): Data {
  return Object.fromEntries(
    Array.from({ length: count }, (_, number) => {
      const keys = Array.from({ length: references }, (_, next) => `${name((number + next) % count)}Id`)
      return [`${name(number)}`, [Object.fromEntries(['id', ...keys].map((key) => [key, 1]))]]
    }),
  )
}

test.each([
  ['collections whose names no generated client can use', 400, 0, chinese],
  ['collections that refer to six others', 12, 6, numbered],
])('the work for the document of %s grows with their number', (_title, size, references, name) => {
  const small = cost(collections(size, references, name))
  expect(cost(collections(size * TIMES, references, name))).toBeLessThan(small * MOST)
})

const sizeOf = (data: Data) => JSON.stringify(documentOf(data)).length

/** Whether a document has these paths. */
function lists({ paths }: OpenApiDocument, ...wanted: string[]): boolean[] {
  return wanted.map((path) => path in paths)
}

test('nested paths are left out where there are more than a tool can show, and the document says so', () => {
  const few = documentOf(collections(20, 5, numbered))
  expect(lists(few, '/a1/{id}/a0')).toEqual([true])
  expect(few.info.description).not.toContain('not listed')
  const many = documentOf(collections(200, 10, numbered))
  expect(lists(many, '/a1/{id}/a0', '/a199', '/a199/{id}')).toEqual([false, true, true])
  expect(many.info.description).toContain(
    'The 2000 nested paths, such as `/posts/{id}/comments`, are not listed.',
  )
})

test('resources are left out where there are more than a tool can show, and the document says so', () => {
  const many = documentOf({ ...collections(1500, 0, numbered), blogs: [] })
  expect(lists(many, '/a999', '/a1000', '/blogs')).toEqual([true, false, true])
  expect(many.info.description).toContain('Only the first 1000 of 1501 resources are listed.')
})

test.each([
  ['collections', collections(5000, 0, numbered)],
  ['relations', collections(500, 40, numbered)],
  ['fields', { a: [Object.fromEntries(Array.from({ length: 10000 }, (_, number) => [`f${number}`, 1]))] }],
  ['fields in fields', { a: [nested(20, 3)], b: nested(20, 3) }],
])('the document of many %s is small', (_title, data) => {
  expect(sizeOf(data)).toBeLessThan(5e6)
})

test('each path is compared with each rewrite rule a few times, and not once for each other rule', () => {
  const COUNT = 40
  const rules = Array.from({ length: COUNT }, (_, number) => [`/short${number}/:id`, `/a${number}/:id`])
  const compared = jest.spyOn(RegExp.prototype, 'exec')
  const { paths } = documentOf(collections(COUNT, 0, numbered), Object.fromEntries(rules))
  const calls = compared.mock.calls.length
  compared.mockRestore()
  expect(paths).toHaveProperty('/short7/{id}')
  expect(calls).toBeGreaterThan(Object.keys(paths).length * COUNT)
  expect(calls).toBeLessThan(Object.keys(paths).length * COUNT * 5)
})

/** Objects in objects: a table of tables. */
function nested(width: number, depth: number): unknown {
  if (depth === 0) return 1
  return Object.fromEntries(
    Array.from({ length: width }, (_, name) => [`f${name}`, nested(width, depth - 1)]),
  )
}
