import type { Data } from '../../../../lib/data/valid-data'
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
