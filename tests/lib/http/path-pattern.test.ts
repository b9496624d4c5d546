import { pathMatcher } from '../../../lib/http/path-pattern'

test.each([
  { pattern: '/', path: '/', matches: true },
  { pattern: '/', path: '/blogs', matches: false },
  { pattern: '/blogs', path: '/blogs', matches: true },
  { pattern: '/blogs', path: '/BLOGS', matches: false },
  { pattern: '/blogs', path: '/blogs/', matches: false },
  { pattern: '/blogs/:id', path: '/blogs/1', matches: true },
  { pattern: '/blogs/:id', path: '/blogs/', matches: false },
  { pattern: '/blogs/:id', path: '/blogs', matches: false },
  { pattern: '/blogs/:id', path: '/blogs/1/users', matches: false },
  { pattern: '/:a/:b', path: '/blogs/%2f', matches: true },
  { pattern: '/blogs/*', path: '/blogs/1/users', matches: true },
  { pattern: '/blogs/*', path: '/blogs/', matches: true },
  { pattern: '/blogs/*', path: '/blogs', matches: false },
  { pattern: '/*', path: '/', matches: true },
  { pattern: '/*', path: '/blogs/1/users', matches: true },
  { pattern: '/b.ogs', path: '/blogs', matches: false },
])('$pattern and $path: $matches', ({ pattern, path, matches }) => {
  expect(pathMatcher(pattern)(path)).toBe(matches)
})
