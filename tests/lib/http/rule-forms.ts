/** Rules that are compared as they are. */
export const QUICK = [
  // Whole segments, and optional ones
  '/x',
  '/:a',
  '/:a/:b/:c/x',
  // Parts of a segment
  // The rest of a path
  '/*',
  '/api/*',
  // Queries
  '/articles\\?id=:id',
]

/** Rules that are compared in limited time: there are paths that take most of them long, or for ever. */
export const SLOW = [
  '/*/*/x',
  '/*/x/*/y',
  '/:a*/:b*',
  '/:a:b',
  '/:a-*/x',
  '/:a-:b*',
  '/:a(.*)-:b(.*)-z',
  '/v1:rest*',
  '/@:name+',
  '/:a_:b_:c_:d',
  '/:a(.+)+/x',
  '/(.*)(.*)(.*)x',
  '/:a+/:b+/:c+/x',
  '/:a(a|a)+',
  '/(a{0,30}a{0,30}a{0,30}a{0,30})x',
  '/:a?/:b?/:c?/:d?/:e?/:f?/x',
  '/*/*/*/*/*/*/*',
  `${'/*'.repeat(30)}`,
  `${'/*'.repeat(30)}/x`,
  // These are quick, but nobody knows.
  '/:a?/:b?/:c?/x',
  '/:id(\\d+)',
  '/:a-:b',
  '/:a-:b-:c',
  '/:a--:b--:c/x',
  '/:a-:b/:c-:d/x',
  '/:a.:type?',
  '/(.*)/x',
  '/posts*',
  '/:a*',
  '/:a+/x',
  '/:a/*/x',
  '/*/:a/x',
  '/*-:a/x',
  '/*/*/*/*/*/*',
  '/:a/*/*/*',
  '/a\\?x=:x&y=:y',
  '/*\\?*',
  '/:a\\?x=:b&*',
  '/:list\\?where=%7B%22title%22%3A%22:title%22%7D&*',
  '/(posts|comments)/:id',
  '/v2(/.*)',
  '/:year(\\d{4})-:month(\\d{2})',
  '/Track/all(|\\?.*)',
]

/** Texts of which a path can consist that is hard to compare with a rule: those of the rule, and others. */
function unitsOf(from: string): string[] {
  const texts = from.replace(/\\/g, '').match(/[^:*()?+|]+/g) ?? []
  const others = ['a', '/', '-', '1', 'a/', '/a', 'a-', '-a', '//', '.', '/x/y', '?x=', '&']
  return [
    ...new Set([...texts, ...texts.map((text) => `${text}a`), texts.join(''), texts.join('a'), ...others]),
  ]
}

/**
 * Paths of a length that are hard to compare with a rule: a text again and again, maybe after the beginning of one that
 * fits, and an end that does not.
 */
export function hardPaths(from: string, length: number): string[] {
  const units = unitsOf(from)
  const starts = ['/', '/x', '/a/x/', `/${units.slice(0, 3).join('a')}`, `/a${units.slice(0, 2).join('a')}`]
  return units.flatMap((unit) =>
    starts.flatMap((start) =>
      ['!', '//', '/y'].map((end) => {
        const middle = unit
          .repeat(Math.ceil(length / unit.length))
          .slice(0, length - start.length - end.length)
        return `${start}${middle}${end}`
      }),
    ),
  )
}
