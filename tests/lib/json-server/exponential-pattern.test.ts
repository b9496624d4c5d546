import { isExponential } from '../../../lib/json-server/exponential-pattern'

test.each([
  '(a+)+',
  '^(a+)+$',
  '(a*)*',
  '(a+)*b',
  '(a+){2,}',
  '((a+))+',
  '(?:a+)+',
  '(\\w+\\s?)*',
  '([a-z]+)+$',
  'x(y(z+)+)?',
  '(a|b+)+',
  '((a+)+,)*',
])('%s is exponential', (pattern) => {
  expect(isExponential(pattern)).toBe(true)
})

test.each([
  '',
  'a',
  'a+',
  'a+b+',
  '(a+)?',
  '(a+){2}',
  '(ab)+',
  '(\\w+,)*',
  '(a+b)+',
  '^[a-z]+@[a-z]+\\.com$',
  '(?<year>\\d{4})-(?<month>\\d{2})',
  '(?<=a)b',
  '\\p{L}+',
])('%s is not exponential', (pattern) => {
  expect(isExponential(pattern)).toBe(false)
})

test('what is nested too deep to be looked through is refused, and does not throw', () => {
  expect(isExponential(`${'('.repeat(5000)}a${')'.repeat(5000)}`)).toBe(true)
})
