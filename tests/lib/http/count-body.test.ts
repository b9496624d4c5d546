import { gzipSync } from 'node:zlib'
import { parseBody } from '../../../middlewares/parse-body'
import type { TestServer } from '../../support/helpers'
import { ask, json, serveHandlers } from '../../support/requests'

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(parseBody(), (_request, response) => {
    response.status(204).end()
  })
})
afterAll(() => server.close())

function post(body: string | Buffer, headers: Record<string, string> = {}) {
  return ask(server.url, {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
}

function list(count: number, value: string): string {
  return `[${Array(count).fill(value).join()}]`
}

function fields(count: number, first = 0): string {
  return Array.from({ length: count }, (_, index) => `"f${first + index}":0`).join()
}

/** Whether each binary digit of a number is set. */
function digits(index: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, digit) => (index & (1 << digit)) !== 0)
}

/** A different name for each number, made of the letter n and line ends. */
function escapedName(index: number): string {
  return `"${digits(index, 15)
    .map((isSet) => (isSet ? '\\n' : 'n'))
    .join('')}"`
}

/** The same fields for each number, in another order. */
function reordered(index: number): string {
  const pairs = digits(index, 14).map((isSet, digit) => {
    const pair = [`"a${digit}":0`, `"b${digit}":0`]
    return isSet ? pair : pair.reverse()
  })
  return `{${pairs.flat().join()},${fields(20)}}`
}

/** A record with those of 10 fields whose bits are set in the number. */
function partial(index: number): string {
  const given = digits(index, 10).map((isSet, digit) => (isSet ? `"c${digit}":0,` : ''))
  return `{${given.join('')}"id":${index}}`
}

function each(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join()
}

test.each<[title: string, body: string, status: number]>([
  ['500,000 objects and arrays', list(499_999, '{}'), 204],
  ['one more', list(500_000, '[]'), 413],
  ['nearly 2,000,000 values', list(1_900_000, '0'), 204],
  ['more', list(2_000_000, '0'), 413],
  ['a million fractions', list(1_000_000, '.5'.replace('.', '0.')), 413],
  ['a million times -0', list(1_000_000, '-0'), 413],
  ['20,000 names', `{${fields(20_000)}}`, 204],
  // Two names may have the same hash.
  ['a few more', `{${fields(20_010)}}`, 413],
  ['a few more, in several records', list(2, `{${fields(5)}}`).replace('[', `[{${fields(20_005, 5)}},`), 413],
  [
    '200,000 objects with one of 2,000 names',
    list(100, `{"a":[${Array.from({ length: 2000 }, (_, i) => `{"k${i}":0}`)}]}`),
    413,
  ],
  [
    '20,010 names that differ only by escapes',
    `{${each(20_010, (index) => `${escapedName(index)}:0`)}}`,
    413,
  ],
  ['16,000 orders of the same 48 names', `[${each(16_000, reordered)}]`, 413],
  ['100,000 records that leave out fields', `[${each(100_000, partial)}]`, 204],
  ['100 names that come 10,000 times each in an object', `{${list(10_000, fields(100)).slice(1, -1)}}`, 204],
  ['the names of 100,000 records with 8 fields', list(100_000, `{${fields(8)}}`), 204],
  ['brackets, commas and colons in strings', list(10, JSON.stringify('[{,:\\"}]'.repeat(100_000))), 204],
  ['names that are values', list(30_000, '{"name":"x"}').replaceAll('x', () => String(Math.random())), 204],
  ['a string that does not end', `{"a":"${',:[{'.repeat(1_000_000)}`, 400],
])('a body with %s', async (_title, body, status) => {
  const answer = await post(body)
  expect(answer.status).toBe(status)
  if (status === 413)
    expect(json(answer)).toEqual({ error: expect.stringContaining('20,000 different field names') })
})

test('a body is counted before it is parsed', async () => {
  const parse = jest.spyOn(JSON, 'parse')
  expect((await post(`{${fields(20_010)}}`)).status).toBe(413)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

test('a compressed body is counted when it is inflated', async () => {
  const body = gzipSync(`{${fields(20_010)}}`)
  expect((await post(body, { 'Content-Encoding': 'gzip' })).status).toBe(413)
})

test.each([
  { length: 100_000, status: 204 },
  { length: 130_000, status: 413 },
])(
  'a body of $length characters in UTF-16, whose values cannot be counted -> $status',
  async ({ length, status }) => {
    const body = Buffer.from('[0]'.padEnd(length), 'utf16le')
    expect((await post(body, { 'Content-Type': 'application/json; charset=utf-16le' })).status).toBe(status)
  },
)
