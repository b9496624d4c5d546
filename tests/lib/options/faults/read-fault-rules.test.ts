import { readFaultRules } from '../../../../lib/options/faults/read-fault-rules'

const RIGHT = { path: '/blogs', status: 500 }

test.each([
  [[]],
  [[RIGHT]],
  [[{ method: 'POST', path: '/blogs/:id', status: 400, body: null, headers: {}, delay: 60_000, times: 1 }]],
  [[{ path: '/*', drop: true }]],
  [[{ path: '/*', drop: true, delay: 0 }]],
  [[{ path: '/', delay: 5 }]],
  [[{ path: '/a:b/c(d)/+', status: 599, headers: { 'Set-Cookie': 'a=b', __proto: 'x', 'Retry-After': 1 } }]],
])('%j is valid', (rules) => {
  expect(readFaultRules(rules)).toEqual(rules)
})

test.each([[undefined], [null], ['x'], [{}], [{ path: '/', status: 500 }], [5]])(
  '%j is not an array',
  (body) => {
    expect(() => readFaultRules(body)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/array/) }),
    )
  },
)

const wrong: { rule: unknown; says: string }[] = [
  { rule: null, says: 'object' },
  { rule: 'drop', says: 'object' },
  { rule: [], says: 'object' },
  { rule: {}, says: '"path"' },
  { rule: { status: 500 }, says: '"path"' },
  { rule: { path: '/' }, says: '"status"' },
  { rule: { path: '/', times: 1, method: 'GET' }, says: '"status"' },
  {
    rule: { ...RIGHT, staus: 500 },
    says: '"staus"',
  },
  { rule: JSON.parse('{"path": "/", "status": 500, "__proto__": 1}'), says: '"__proto__"' },
  { rule: { ...RIGHT, constructor: 1 }, says: '"constructor"' },
  ...['post', '', 'GET ', 'BREW', 5, null, ['GET']].map((method) => ({
    rule: { ...RIGHT, method },
    says: 'capitals',
  })),
  ...[
    '',
    'blogs',
    'blogs/1',
    '*',
    '/a?b',
    '/a#b',
    '/:',
    '/:/a',
    '/a*',
    '/*/a',
    '/**',
    '/ä',
    '/a b',
    '/a\n',
    5,
    null,
    ['/a'],
    {},
  ].map((path) => ({ rule: { ...RIGHT, path }, says: '"path"' })),
  ...[200, 399, 600, 500.5, '500', null, Number.NaN, true, [500], {}].map((status) => ({
    rule: { ...RIGHT, status },
    says: '599',
  })),
  ...[-1, 60_001, 1.5, '5', null, true, Number.POSITIVE_INFINITY].map((delay) => ({
    rule: { ...RIGHT, delay },
    says: '60000',
  })),
  ...[false, 'true', 1, null, {}].map((drop) => ({ rule: { path: '/', drop }, says: 'true' })),
  ...[0, -1, 1.5, '1', null, 2 ** 53].map((times) => ({
    rule: { ...RIGHT, times },
    says: '"times"',
  })),
  ...[
    null,
    [],
    'X: y',
    { 'a b': 'c' },
    { '': 'c' },
    { 'a:': 'c' },
    { 'X-Y': 'a\r\nX-Z: b' },
    { 'X-Y': 'a\u0000' },
    { 'X-Y': '€' },
    { 'X-Y': null },
    { 'X-Y': ['a'] },
    { 'X-Y': {} },
    { 'Content-Length': '5' },
    { 'content-length': 5 },
    { 'TRANSFER-ENCODING': 'chunked' },
    { Connection: 'close' },
    { Trailer: 'X-Y' },
  ].map((headers) => ({
    rule: { ...RIGHT, headers },
    says: 'transfer-encoding',
  })),
  { rule: { path: '/', delay: 1, body: {} }, says: '"status"' },
  { rule: { path: '/', drop: true, headers: {} }, says: '"status"' },
  { rule: { ...RIGHT, drop: true }, says: 'both' },
]

test.each(wrong.map((row) => ({ title: JSON.stringify(row.rule), ...row })))(
  '$title -> an error that says $says, and which rule',
  ({ rule, says }) => {
    expect(() => readFaultRules([RIGHT, rule])).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(/^Rule 2 /) }),
    )
    expect(() => readFaultRules([RIGHT, rule])).toThrow(says)
  },
)
