import { inPatternTime, SafePattern, SlowPattern } from '../../../../lib/options/schemas/patterns'

const ambiguous = new SafePattern('^(a|b)+c$', '')
const endless = new SafePattern('^(a+)+$', '')
const text = `${'a'.repeat(50)}b`

test('a pattern has no limit where nobody has set one, also after one that has taken too long', () => {
  expect(ambiguous.test('abc')).toBe(true)
  expect(() => inPatternTime(() => endless.test(text), text.length)).toThrow(SlowPattern)
  expect(ambiguous.test('abc')).toBe(true)
})
