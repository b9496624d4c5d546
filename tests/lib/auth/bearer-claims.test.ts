import jwt from 'jsonwebtoken'
import { signingKey } from '../../../lib/auth/access-token'
import { bearerClaims } from '../../../lib/auth/bearer-claims'

const NOW = Date.UTC(2026, 0, 1)
const CACHED = 1000

afterEach(() => jest.restoreAllMocks())

/** How many times signatures are verified for these tokens, one after the other. */
function verifications(tokens: readonly string[], key = signingKey('a secret')): number {
  const verify = jest.spyOn(jwt, 'verify')
  for (const token of tokens) bearerClaims(`Bearer ${token}`, key, NOW)
  return verify.mock.calls.length
}

function tokensOf(count: number): string[] {
  return Array.from({ length: count }, (_, id) => jwt.sign({ id, exp: NOW / 1000 + 60 }, 'a secret'))
}

test('a token is verified once, however many requests carry it', () => {
  const [one = '', two = ''] = tokensOf(2)
  expect(verifications([one, two, one, two, one])).toBe(2)
})

test('a token that is refused is verified each time', () => {
  const expired = jwt.sign({ exp: NOW / 1000 }, 'a secret')
  expect(verifications([expired, expired, 'a.b.c', 'a.b.c'])).toBe(4)
})

test('refused tokens push no other out of the cache', () => {
  const [token = ''] = tokensOf(1)
  const refused = Array.from({ length: CACHED }, (_, index) => `a.b.${index}`)
  expect(verifications([token, ...refused, token])).toBe(1 + CACHED)
})

test('a token that one key has signed is verified again for another', () => {
  const [token = ''] = tokensOf(1)
  const header = `Bearer ${token}`
  expect(bearerClaims(header, signingKey('a secret'), NOW)).toMatchObject({ id: 0 })
  expect(bearerClaims(header, signingKey('b secret'), NOW)).toHaveProperty('reason')
})

test.each([
  { others: CACHED - 1, again: 0 },
  { others: CACHED, again: 1 },
])(
  'a token is verified $again times more after $others others, because of the limit',
  ({ others, again }) => {
    const [token = '', ...more] = tokensOf(others + 1)
    expect(verifications([token, ...more, token])).toBe(others + 1 + again)
  },
)
