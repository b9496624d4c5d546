import { isCredentials, sampleLogin, whoCanLogIn } from '../../../lib/auth/credentials'
import { ADA, sampleData } from '../../support/data'

const MIA = { email: 'mia@example.com', password: 'sourdough' }

test.each([
  { value: ADA, expected: true },
  { value: { id: 1, ...ADA }, expected: true },
  { value: { email: '', password: '' }, expected: true },
  { value: { ...ADA, password: 5 }, expected: false },
  { value: { ...ADA, email: null }, expected: false },
  { value: { email: ADA.email }, expected: false },
  { value: [ADA], expected: false },
  { value: 'ada@example.com', expected: false },
  { value: null, expected: false },
  { value: undefined, expected: false },
])('$value is a login: $expected', ({ value, expected }) => {
  expect(isCredentials(value)).toBe(expected)
})

test.each([
  { password: `$2b$10$${'x'.repeat(53)}`, known: false },
  { password: `$argon2id$v=19$${'x'.repeat(20)}`, known: false },
  { password: `$1$${'x'.repeat(20)}`, known: false },
  { password: `$1$${'x'.repeat(19)}`, known: true },
  { password: `$$${'x'.repeat(20)}`, known: true },
  { password: `$ $${'x'.repeat(20)}`, known: true },
  { password: `1$1$${'x'.repeat(20)}`, known: true },
  { password: 'lovelace', known: true },
  { password: '', known: true },
])('somebody knows the password $password: $known', ({ password, known }) => {
  expect(whoCanLogIn([{ ...ADA, password }])).toHaveLength(known ? 1 : 0)
})

test.each([[undefined], [null], [ADA], ['ada'], [[null, 'ada', {}, [ADA]]]])(
  'nobody can log in with the users %j',
  (users) => {
    expect(whoCanLogIn(users)).toEqual([])
    expect(sampleLogin(users)).toBeUndefined()
  },
)

test('the sample login is that of the shipped data, if the users have it', () => {
  const { users } = sampleData()
  expect(sampleLogin(users)).toBeUndefined()
  expect(sampleLogin([{ ...MIA, password: 'rye' }])).toBeUndefined()
  expect(sampleLogin([{ ...MIA, email: 'max@example.com' }])).toBeUndefined()
  expect(sampleLogin([ADA, { id: 3, ...MIA }])).toEqual(MIA)
})
