import { blankedJson } from '../../../lib/sandboxes/blanked-json'

const blanked = (value: unknown): unknown => JSON.parse(blankedJson(value))

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
  ['{"password":"x"}', '{"password":"***"}'],
  ['{"password":"","a":1}', '{"password":"***","a":1}'],
  ['{"password"  :  "x", "a": "b"}', '{"password"  :  "***", "a": "b"}'],
  ['{"password" : "x y"}', '{"password" : "***"}'],
  ['{"password":"x\\"y, z"}', '{"password":"***"}'],
  ['{"password":"x\\\\","a":"b"}', '{"password":"***","a":"b"}'],
  ['{"password":"x', '{"password":"***"'],
  ['{"password":"x\\', '{"password":"***"\\'],
  ['{"password":["x", "y"],"a":1}', '{"password":"***","a":1}'],
  ['{"password":["x"', '{"password":"***"'],
  ['{"password":1234}', '{"password":"***"}'],
  ['{"password":1234,"a":5}', '{"password":"***","a":5}'],
  ['{"password": 1234 , "a":5}', '{"password": "***" , "a":5}'],
  ['[{"password":1234]', '[{"password":"***"]'],
  ['{"password":1234"', '{"password":"***""'],
  ['{"access_token":"x","password":"y"}', '{"access_token":"***","password":"***"}'],
  ['{"password":', '{"password":'],
  ['{"newpassword":"x"}', '{"newpassword":"x"}'],
  ['password:"x"', 'password:"x"'],
])('JSON in a text: %s', (text, kept) => {
  expect(blanked(text)).toBe(kept)
  expect(blanked([{ [text]: text }])).toEqual([{ [kept]: kept }])
})

test.each([
  ['eyJhbGci-_0.eyJhIjoi-_0.s1-_g', '***'],
  ['eyJ.e.', '***'],
  ['Bearer eyJh.eyJh.sig, and eyJh.eyJh.sig!', 'Bearer ***, and ***!'],
  ['eyJhbGci', 'eyJhbGci'],
  ['eyJh.eyJh', 'eyJh.eyJh'],
  ['eyJh..sig', 'eyJh..sig'],
  ['eyJ h.eyJh.sig', 'eyJ h.eyJh.sig'],
  ['eyjh.eyjh.sig', 'eyjh.eyjh.sig'],
  ['keyJh.eyJh.sig', 'keyJh.eyJh.sig'],
])('a token in a text: %s', (text, kept) => {
  expect(blanked({ [text]: [text] })).toEqual({ [kept]: [kept] })
})

test.each([null, true, 0, 1.5, 'text', [], {}, [[null, { a: [1, 'b'] }]]])('%j is kept as it is', (value) => {
  expect(blanked(value)).toEqual(value)
})

test('what is no value in JSON becomes null', () => {
  expect(blankedJson(undefined)).toBe('null')
})
