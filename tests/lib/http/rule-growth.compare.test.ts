import { runInNewContext } from 'node:vm'
import { compileRules, ruleProblem } from '../../../lib/http/rewrite-rules'
import { growthOf } from '../../../lib/http/rule-growth'

/** Rules that are accepted, and those for which a target over 4 kB is refused. */
const SHARED = ['/*', '/api/*', '/posts*', '/(.*)', '/(.*)/x', '/:id', '/:id(\\d+)']
const SEGMENTS = ['/:a/:b/:c/x', '/:a?/:b?/:c?/x', '/:a/*', '/:a/*/x', '/:a*', '/:a+/x']
const GROUPS = ['/(posts|comments)/:id', '/:year(\\d{4})-:month(\\d{2})', '/:u([0-9a-f]{8}-[0-9a-f]{4,12})']
const PLAIN = ['/x', '/articles\\?id=:id', '/colou?r', '/:a(\\w+)/:b(\\w+)/:c(\\w+)']
const FOR_SHORT = [
  '/*/*',
  '/*/x/*/y',
  '/*/posts/*/comments',
  '/:a*/:b*',
  '/:a:b',
  '/(.*)(.*)x',
  '/:a/*/x/*/y',
  '/*/:a/x',
  '/:a.:type?',
  '/:a-:b-:c',
]

/** Rules that are refused: the same text can be divided among their parts in too many ways. */
const REFUSED = [
  '/v1:rest*',
  '/@:name+',
  '/:a_:b_:c_:d',
  '/:a(.+)+/x',
  '/(.*)(.*)(.*)x',
  '/:a:b:c',
  '/:a+/:b+/:c+/x',
  '/*/x/*/y/*/z',
  `${'/*'.repeat(30)}/x`,
  '/:a(a|b)+',
  '/:a(a|a)+',
  '/:a([ab]|a)+',
  '/:a([ac]+):b([ab]+):c([bc]+)x',
  // The library makes real groups of escaped ones.
  '/:a(\\(a+|b\\)+)',
  `/(${'a?'.repeat(30)})x`,
  '/(a{0,30}a{0,30}a{0,30}a{0,30})x',
]

/** What this cannot be sure of. */
const UNCERTAIN = ['/(a)/(\\1)', '/(\\ba)', '/:a--:b--:c', '/:a([)', '/([a-)']

const ACCEPTED = [...SHARED, ...SEGMENTS, ...GROUPS, ...PLAIN, ...FOR_SHORT]

test.each([...REFUSED, ...UNCERTAIN])('the rule %s is refused', (from) => {
  expect(ruleProblem(from, '/found')).toContain(from)
  expect(() => compileRules({ [from]: '/found' })).toThrow(TypeError)
})

/** Gives URLs to a rule. */
function rewriterOf(from: string): (url: string) => void {
  const rewrite = compileRules({ [from]: '/found' })
  return (url) => rewrite(Object.create({ url }), Object.create(null))
}

test.each(ACCEPTED)('the rule %s is accepted', (from) => {
  expect(ruleProblem(from, '/found')).toBeUndefined()
  const rewrite = rewriterOf(from)
  const long = () => rewrite(`/${'a'.repeat(4096)}`)
  if (FOR_SHORT.includes(from)) expect(long).toThrow(expect.objectContaining({ status: 414 }))
  else expect(long).not.toThrow()
  expect(() => rewrite(`/${'a'.repeat(4095)}`)).not.toThrow()
})

/** Paths of 4 kB that are hard to compare: repeated texts, and an end that does not fit. */
const STARTS = ['/', '/x', '']
const REPEATED = ['a', '/', '-', '1', 'a/', '/x/y', 'a-', '/posts/comments', '\\a']
const ENDS = ['!', '//']
const HARD_PATHS = STARTS.flatMap((start) =>
  REPEATED.flatMap((text) =>
    ENDS.map((end) => (start + text.repeat(4096)).slice(0, 4096 - end.length) + end),
  ),
)

test.each(ACCEPTED)('no path of 4 kB makes the rule %s hang the server', (from) => {
  const compare = () => HARD_PATHS.forEach(rewriterOf(from))
  // All together take up to some seconds; with one of the refused rules, minutes or for ever.
  expect(() => runInNewContext('compare()', { compare }, { timeout: 120_000 })).not.toThrow()
})

test.each([
  ['ab', 0],
  ['a*b', 0],
  ['.*', 1],
  ['.*a*$', 2],
  ['(a+|b+)c', 2],
  ['(a+)+', Number.POSITIVE_INFINITY],
])('the steps of %s grow with this power of a text', (source, power) => {
  expect(growthOf(`^${source}`)).toBe(power)
})
