import { publicNames, publicReadAt } from '../../../lib/auth/paths'

const names = publicNames('blogs')

test.each([
  { path: '/blogs', read: {} },
  { path: '/blogs/1', read: { encodedId: '1' } },
  { path: '/blog/1', read: { encodedId: '1' } },
  { path: '/blogs/%31', read: { encodedId: '%31' } },
  { path: '/blogs/..', read: { encodedId: '..' } },
])('$path is a public read', ({ path, read }) => {
  expect(publicReadAt(names, path)).toEqual(read)
})

test.each([
  { path: '/' },
  { path: 'blogs' },
  { path: '/blog' },
  { path: '/blogs/' },
  { path: '/blog/' },
  { path: '//blogs' },
  { path: '//blogs/1' },
  { path: '/BLOGS' },
  { path: '/Blog/1' },
  { path: '/%62logs' },
  { path: '/blogs/1/' },
  { path: '/blogs//1' },
  { path: '/blogs/1/users' },
  { path: '/blogs/../users' },
  { path: '/users/blogs' },
  { path: '/users' },
  { path: '/blogsx' },
])('$path is not a public read', ({ path }) => {
  expect(publicReadAt(names, path)).toBeUndefined()
})
