import { createRequire } from 'node:module'
import { isPlainlyQuick, type Parts } from '../../../lib/http/quick-rules'
import { QUICK, SLOW } from './rule-forms'

const { parse }: { parse: (pattern: string) => Parts } = createRequire(require.resolve('express-urlrewrite'))(
  'path-to-regexp',
)

test.each(QUICK)('the rule %s is plainly quick', (from) => {
  expect(isPlainlyQuick(parse(from))).toBe(true)
})

test.each(SLOW)('the rule %s is not known to be quick', (from) => {
  expect(isPlainlyQuick(parse(from))).toBe(false)
})
