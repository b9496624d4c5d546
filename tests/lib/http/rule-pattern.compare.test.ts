import rewrite from 'express-urlrewrite'
import fc from 'fast-check'
import type { HttpRequest } from '../../../lib/http/handler'
import { compileRules } from '../../../lib/http/rewrite-rules'
import { RulePattern } from '../../../lib/http/rule-pattern'
import { runs } from '../../support/random'

/** What the library itself makes of a URL. */
function byLibrary(from: string, to: string, url: string): object {
  const request: HttpRequest = Object.create({ url })
  rewrite(from, to)(request, Object.create(null), () => {})
  return { ...request }
}

function byUs(from: string, to: string, url: string): object {
  const request: HttpRequest = Object.create({ url })
  compileRules({ [from]: to })(request, Object.create(null))
  return { ...request }
}

/** Short, because the library can need seconds for longer ones. */
const PIECES = ['/', 'a', 'b', 'ab', '-', '.', 'x', ':p', ':q', '*', '/*', '/:s', '/:t?', '/:u*', '/:v+']
const ODD_PIECES = [':w*', ':y+', ':z?', '?', '+', '\\:', '\\(', '.:e', '.:f?', '.:g*', '.*', 'A', '(']
const pattern = fc
  .array(fc.constantFrom(...PIECES, ...ODD_PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => `/${pieces.join('')}`)
const filling = fc.string({ unit: fc.constantFrom(...'//aabb--..xAB?'), maxLength: 3 })

/** A URL that the pattern may match: with something in the place of each parameter. */
const patternAndUrl = fc.tuple(pattern, fc.infiniteStream(filling)).map(([from, fillings]) => {
  const fill = () => fillings.next().value ?? ''
  return { from, url: from.replace(/\\|:\w+[?*+]?|\*/g, fill) }
})

test('every rule without a group rewrites as json-server rewrites', () => {
  fc.assert(
    fc.property(patternAndUrl, ({ from, url }) => {
      const { names } = new RulePattern(from)
      const to = `/found/${names.map((name, index) => `$${index + 1}:${name}`).join('|')}?a=$0&b=1#c`
      expect([from, byUs(from, to, url)]).toEqual([from, byLibrary(from, to, url)])
    }),
    runs(2000),
  )
})

test.each([
  // A run without a slash.
  ['/v1:rest*', '/v1abc', ['abc']],
  ['/v1:rest*', '/v1', [undefined]],
  ['/v1:rest*', '/v1a/b', undefined],
  ['/a:b+:c', '/aBcd', ['Bc', 'd']],
  // A list.
  ['/v1/:rest*', '/v1/a/b', ['a/b']],
  ['/v1/:rest*', '/v1', [undefined]],
  // As much as possible for the first, of everything.
  ['/*/x/*/y/*', '/a/x/b/x/c/y/d/y/e', ['a/x/b', 'c/y/d', 'e']],
  ['/:year-:month', '/2026-11/', ['2026', '11']],
  // The second value does not hold the text between the two, in whatever case.
  ['/:p-A:q', '/1-A2-a3', ['1-A2', '3']],
  ['/:file.:type?', '/a.json', ['a', 'json']],
])('%s finds in %s %j', (from, url, parameters) => {
  expect(new RulePattern(from).match(url)).toEqual(parameters)
})

/** Rules for which the library's own expression takes seconds, or for ever, and a path for each. */
const HOSTILE = [
  ['/v1:rest*', '/v1', 'a', '/x'],
  ['/@:name*', '/@', 'a', '/x'],
  ['/file-:name+', '/file-', '-', '/x'],
  ['/a:b+:c', '/a', 'a', '/x'],
  ['/*/x/*/y/*/z', '/', '/x/y', '/'],
  ['/:a*/:b*/:c*', '/', 'a/', '/'],
  ['/*:a', '/', 'a', '//'],
  [`${'/*'.repeat(30)}/x`, '/', '/', 'a'],
  ['/*-*-*/x', '/', '-', ''],
  ['/:a-:b*-:c*/x', '/', 'a-', ''],
] as const

test.each(HOSTILE)('%s is compared with a long path at once', (from, start, repeated, end) => {
  const url = start + repeated.repeat(16_000 / repeated.length) + end
  // The library would not come to an end before the test is given up.
  expect([{}, { url: '/found', originalUrl: '/found' }]).toContainEqual(byUs(from, '/found', url))
})
