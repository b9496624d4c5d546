import { accountMatcher, allRoutes, readAccountRoutes } from '../../../../lib/accounts/account-routes'
import { readFaultRules } from '../../../../lib/options/faults/read-fault-rules'

const ROUTES = allRoutes(readAccountRoutes({ login: '/api/login', signUp: '/join' }))
const read = (rules: unknown, state: () => object | undefined = () => ({})) =>
  readFaultRules(rules, accountMatcher(ROUTES, state))

const RIGHT = { path: '/blogs', status: 500 }

test.each([
  [[]],
  [[RIGHT]],
  [[{ method: 'POST', path: '/blogs/:id', status: 400, body: null, headers: {}, delay: 60_000, times: 1 }]],
  [[{ path: '/*', drop: true }]],
  [[{ path: '/*', drop: true, delay: 0 }]],
  [[{ path: '/', delay: 5 }]],
  [[{ path: '/checkout', status: 201, body: { orderId: 7 }, headers: { Location: '/orders/7' }, times: 1 }]],
  [[{ path: '/auth/login', status: 400 }]],
  [[{ method: 'GET', path: '/api/login', status: 200 }]],
  // The login is compared to the letter.
  [[{ path: '/AUTH/login', status: 200 }]],
  [[{ method: 'POST', path: '/AUTH/login', status: 200 }]],
  [[{ path: '/*', status: 204, headers: {} }]],
  [[{ path: '/', delay: [0, 60_000], probability: 0, seed: -7 }]],
  [[{ path: '/', delay: [5, 5], probability: 1, seed: Number.MAX_SAFE_INTEGER }]],
  [[{ ...RIGHT, when: { query: { page: 2 }, headers: { 'x-a': null }, body: [1] } }]],
  [[{ ...RIGHT, when: {} }]],
  [
    [
      { ...RIGHT, times: 2 },
      { ...RIGHT, times: 1, repeat: true },
    ],
  ],
  [
    [
      { ...RIGHT, times: 1, repeat: true },
      { ...RIGHT, method: 'GET' },
    ],
  ],
  [[{ path: '/a:b/c(d)/+', status: 599, headers: { 'Set-Cookie': 'a=b', __proto: 'x', 'Retry-After': 1 } }]],
])('%j is valid', (rules) => {
  expect(read(rules)).toEqual(rules)
})

test.each(['GET', 'HEAD', undefined])(
  '%s /auth/me is answered where the data has that path, or may have it',
  (method) => {
    const rules = [{ path: '/auth/me', status: 200, ...(method !== undefined && { method }) }]
    expect(() => read(rules)).toThrow(/^Rule 1 /)
    expect(read(rules, () => ({ auth: [] }))).toEqual(rules)
    expect(read(rules, () => undefined)).toEqual(rules)
  },
)

test.each([[undefined], [null], ['x'], [{}], [{ path: '/', status: 500 }], [5]])(
  '%j is not an array',
  (body) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ name: 'OptionError', message: expect.stringMatching(/array/) }),
    )
  },
)

function deep(levels: number): unknown {
  return levels === 0 ? 1 : [deep(levels - 1)]
}

test('"repeat" belongs to the last rule of a path', () => {
  const rules = [RIGHT, { ...RIGHT, times: 1, repeat: true }, { path: '/other', status: 500 }, RIGHT]
  expect(() => read(rules)).toThrow(/^Rule 2 .*rule 4/)
})

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
  ...[null, [], 'a', { cookies: {} }, { query: 'a=1' }, { headers: [] }, { body: deep(101) }].map((when) => ({
    rule: { ...RIGHT, when },
    says: '"when"',
  })),
  { rule: { ...RIGHT, times: 1, repeat: false }, says: '"repeat"' },
  { rule: { ...RIGHT, repeat: true }, says: '"times"' },
  ...['post', '', 'GET ', 'BREW', 5, null, ['GET']].map((method) => ({
    rule: { ...RIGHT, method },
    says: '"method"',
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
  ...[100, 199, 600, 500.5, '500', null, Number.NaN, true, [500], {}].map((status) => ({
    rule: { ...RIGHT, status },
    says: '"status"',
  })),
  ...[-1, 60_001, 1.5, '5', null, true, Number.POSITIVE_INFINITY].map((delay) => ({
    rule: { ...RIGHT, delay },
    says: '"delay"',
  })),
  ...[false, 'true', 1, null, {}].map((drop) => ({ rule: { path: '/', drop }, says: '"drop"' })),
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
    says: '"headers"',
  })),
  { rule: { path: '/', delay: 1, body: {} }, says: '"body"' },
  { rule: { path: '/', drop: true, headers: {} }, says: '"headers"' },
  { rule: { ...RIGHT, drop: true }, says: '"drop"' },
  ...[[], [5], [1, 2, 3], [6, 5], [0, 60_001], ['1', 5], [1.5, 2], { from: 1 }].map((delay) => ({
    rule: { ...RIGHT, delay },
    says: '"delay"',
  })),
  ...[-0.1, 1.1, '0.5', null, Number.NaN].map((probability) => ({
    rule: { ...RIGHT, probability },
    says: '"probability"',
  })),
  ...[1.5, '7', null, 2 ** 53].map((seed) => ({ rule: { ...RIGHT, seed }, says: '"seed"' })),
  ...[204, 205, 304].map((status) => ({
    rule: { path: '/', status, body: null },
    says: '"body"',
  })),
  { rule: { path: '/', probability: 0.5, seed: 7 }, says: '"status"' },
  // Whoever logs in, or is logged in, gets no response by a rule.
  ...[
    { path: '/auth/login' },
    { path: '/auth/login', method: 'POST' },
    { path: '/auth/me', method: 'GET' },
    { path: '/auth/me', method: 'HEAD' },
    { path: '/api/login' },
    { path: '/API/login/' },
    { path: '/join', method: 'POST' },
  ].map((line) => ({ rule: { ...line, status: 200 }, says: line.path })),
]

test.each(wrong.map((row) => ({ title: JSON.stringify(row.rule), ...row })))(
  '$title -> an error that names $says, and which rule',
  ({ rule, says }) => {
    expect(() => read([RIGHT, rule])).toThrow(
      expect.objectContaining({ name: 'OptionError', message: expect.stringMatching(/^Rule 2 /) }),
    )
    expect(() => read([RIGHT, rule])).toThrow(says)
  },
)
