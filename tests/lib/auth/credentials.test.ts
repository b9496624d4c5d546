import { isCredentials, knownLogins, sampleLogin } from '../../../lib/auth/credentials'
import { isHash } from '../../../lib/auth/hash-pattern'
import { ADA, sampleData } from '../../support/data'

const MIA = { email: 'mia@example.com', password: 'sourdough' }

test.each([
  { why: 'both fields', value: ADA, expected: true },
  { why: 'further fields', value: { id: 1, ...ADA }, expected: true },
  { why: 'empty texts', value: { email: '', password: '' }, expected: true },
  { why: 'a password that is a number', value: { ...ADA, password: 5 }, expected: false },
  { why: 'an email that is null', value: { ...ADA, email: null }, expected: false },
  { why: 'no password', value: { email: ADA.email }, expected: false },
  { why: 'an array', value: [ADA], expected: false },
  { why: 'a text', value: 'ada@example.com', expected: false },
  { why: 'null', value: null, expected: false },
  { why: 'undefined', value: undefined, expected: false },
])('$why is a login: $expected', ({ value, expected }) => {
  expect(isCredentials(value)).toBe(expected)
})

test.each([
  { why: 'of bcrypt', password: `$2b$10$${'x'.repeat(53)}`, known: false },
  { why: 'of bcrypt, cut short', password: '$2b$31$x', known: false },
  { why: 'of Argon2', password: '$argon2id$v=19', known: false },
  { why: 'of MD5', password: `$1$${'x'.repeat(20)}`, known: false },
  { why: 'of Argon2 in capitals', password: '$Argon2id$v=19', known: false },
  { why: 'of Spring', password: `{bcrypt}$2a$10$${'x'.repeat(53)}`, known: false },
  { why: 'of LDAP', password: '{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3', known: false },
  { why: 'of WordPress', password: `$wp$2y$10$${'x'.repeat(53)}`, known: false },
  { why: 'of phpBB', password: `$H$9${'x'.repeat(30)}`, known: false },
  { why: 'of Drupal', password: `$S$D${'x'.repeat(51)}`, known: false },
  { why: 'of Django', password: 'sha1$salt$hash', known: false },
  { why: 'of Django with SHA512', password: 'sha512$salt$hash', known: false },
  { why: 'that begins with a name of one', password: 'md5$ecret', known: true },
  { why: 'in braces', password: '{x}y', known: true },
  { why: 'with an s between dollar signs', password: '$s$hort', known: true },
  { why: 'with a space behind what a hash begins with', password: '$1$ off', known: true },
  { why: 'with a price', password: '$5', known: true },
  { why: 'without a kind of hash', password: `$$${'x'.repeat(20)}`, known: true },
  { why: 'with a space for the kind of hash', password: `$ $${'x'.repeat(20)}`, known: true },
  { why: 'with something ahead of the hash', password: `1$1$${'x'.repeat(20)}`, known: true },
  { why: 'in words', password: 'lovelace', known: true },
  { why: 'that is empty', password: '', known: true },
])('somebody knows the password $why: $known', ({ password, known }) => {
  expect(isHash(password)).toBe(!known)
  expect(knownLogins([{ ...ADA, password }])).toHaveLength(known ? 1 : 0)
})

test.each([[undefined], [null], [ADA], ['ada'], [[null, 'ada', {}, [ADA]]]])(
  'nobody can log in with the users %j',
  (users) => {
    expect(knownLogins(users)).toEqual([])
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
