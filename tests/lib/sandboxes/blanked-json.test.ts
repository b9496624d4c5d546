import { blankedJson } from '../../../lib/sandboxes/blanked-json'

const blanked = (value: unknown): unknown => JSON.parse(blankedJson(value, 100_000) ?? '"not kept"')

test.each([
  'password',
  'access_token',
  'user[password]',
  'user[access_token]',
  '[password]',
  'a[b][password]',
  'password]',
  'password[]',
  'password[0]',
  'user[password][]',
  'user[password][old]',
  'password[\n]',
  'user.password',
  'users[0].password',
  'user.access_token',
  'password.old',
  'password_like',
  'user.password_ne',
  'password_gte',
  'password_lte',
])('the value of a field named %s is blanked, whatever it is', (name) => {
  for (const value of ['x', '', 5, null, false, ['x'], { a: 'x' }])
    expect(blanked({ a: [{ [name]: value, pin: 'x' }] })).toEqual({ a: [{ [name]: '***', pin: 'x' }] })
})

test.each([
  'Password',
  'new_password',
  'password_hint',
  'passwords',
  'my_access_token',
  'access_tokens',
  'token',
])('the value of a field named %s stays', (name) => {
  expect(blanked({ [name]: 'x' })).toEqual({ [name]: 'x' })
})

test.each([
  ['{"password":"x"}', '{"password":***'],
  ['{"a":1,"password"  :  "x", "b": 2}', '{"a":1,"password"  :***'],
  ['{"password":"x', '{"password":***'],
  ['{"password":["x]", "y"]}', '{"password":***'],
  ['{"password":\n{"a":"x"}}', '{"password":***'],
  ['[{"password":1234]', '[{"password":***'],
  ['{"access_token":"x","password":"y"}', '{"access_token":***'],
  ['{"a":"{\\"password\\":\\"x\\"}"}', '{"a":"{\\"password\\":***'],
  ['"{\\\\\\"password\\\\\\":\\\\\\"x', '"{\\\\\\"password\\\\\\":***'],
  ['/login?password=x&a=b', '/login?password=***'],
  ['user[password]=x', 'user[password]=***'],
  ['{"password":', '{"password":'],
  ['{"newpassword":"x"}', '{"newpassword":"x"}'],
  ['/login?new_password=x', '/login?new_password=x'],
  ['password:"x"', 'password:"x"'],
  ['the "password", please', 'the "password", please'],
])('JSON and forms in a text: %j', (text, kept) => {
  expect(blanked([text, { a: text }])).toEqual([kept, { a: kept }])
  if (kept !== text) expect(blanked({ [text]: 'x', b: 'y', 12: 'z' })).toEqual({ [kept]: '***' })
})

test.each([
  ['eyJhbGci-_0.eyJhIjoi-_0.s1-_g', '***'],
  ['eyJ.e.', '***'],
  ['Bearer eyJh.eyJh.sig, and eyJh.eyJh.sig!', 'Bearer ***, and ***!'],
  ['eyJhbGci', 'eyJhbGci'],
  ['eyJh.eyJh', 'eyJh.eyJh'],
  ['eyJ h.eyJh.sig', 'eyJ h.eyJh.sig'],
  ['eyjh.eyjh.sig', 'eyjh.eyjh.sig'],
  ['id_eyJh.eyJh.sig', 'id_***'],
])('a token in a text: %s', (text, kept) => {
  expect(blanked({ [text]: [text] })).toEqual({ [kept]: [kept] })
})

test.each([null, true, 0, 1.5, 'text', [], {}, [[null, { a: [1, 'b'] }]]])('%j is kept as it is', (value) => {
  expect(blanked(value)).toEqual(value)
})

test('what is nested too deep, contains itself or is no value in JSON is not kept', () => {
  const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const itself: unknown[] = []
  itself.push(itself, itself)
  expect(blanked(deep(100))).toEqual(deep(100))
  for (const value of [deep(101), deep(50_000), itself, { a: 1n }])
    expect(blankedJson(value, 100_000)).toBeUndefined()
})

test('what is undefined becomes null', () => {
  expect(blankedJson(undefined, 4)).toBe('null')
})

test.each([['x'.repeat(1001)], [Array(1001).fill(0)], [{ ['x'.repeat(1000)]: 0 }], [Array(501).fill([0])]])(
  'what is too long is not kept, nor walked to its end',
  (value) => {
    const isRead = jest.fn(() => 0)
    const tail = Object.defineProperty({}, 'a', { get: isRead, enumerable: true })
    expect(blankedJson([value, tail], 1000)).toBeUndefined()
    expect(isRead).not.toHaveBeenCalled()
  },
)
