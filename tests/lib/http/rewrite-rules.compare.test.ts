import { compileRules, ruleProblem } from '../../../lib/http/rewrite-rules'
import { runInLimitedTime } from '../../../lib/limited-time'
import { hardPaths, QUICK, SLOW } from './rule-forms'

/** In characters: the longest is all that Node reads. */
const LENGTHS = [4000, 8000, 16_000]

/** Gives URLs to a rule. */
function rewriterOf(from: string): (url: string) => void {
  const rewrite = compileRules({ [from]: '/found' })
  return (url) => rewrite(Object.create({ url, originalUrl: url }), Object.create(null))
}

test.each([...QUICK, ...SLOW])('the rule %s can be used', (from) => {
  expect(ruleProblem(from, '/found')).toBeUndefined()
})

test.each(QUICK)('the rule %s is compared with each path of up to 16 kB', (from) => {
  const rewrite = rewriterOf(from)
  // A second is a thousand times what it takes.
  for (const length of LENGTHS)
    for (const path of hardPaths(from, length))
      expect(runInLimitedTime(() => rewrite(path), 1000)).toEqual({ result: undefined })
})

test.each(SLOW)('the rule %s ends with each path of up to 16 kB, in a refusal if it takes long', (from) => {
  const rewrite = rewriterOf(from)
  const refusals: unknown[] = []
  const paths = LENGTHS.flatMap((length) => hardPaths(from, length))
  for (const path of paths) {
    const compare = () => {
      try {
        rewrite(path)
      } catch (error) {
        refusals.push(error)
      }
    }
    // A rule that is compared without a limit would take minutes.
    expect(runInLimitedTime(compare, 10_000)).toBeDefined()
    // Each has taken a tenth of a second.
    if (refusals.length > 2) break
  }
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 414, message: expect.stringContaining(`"${from}"`) })
})
