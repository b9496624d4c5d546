import {
  isLogin,
  isServiceRequest,
  isUserLookup,
  publicNames,
  publicReadOf,
} from '../../../lib/auth/access-policy'

const readOf = publicReadOf(publicNames('blogs'))

test.each([
  { method: 'GET', path: '/blogs', read: {} },
  { method: 'HEAD', path: '/blogs', read: {} },
  { method: 'GET', path: '/blogs/1', read: { encodedId: '1' } },
  { method: 'HEAD', path: '/blogs/1', read: { encodedId: '1' } },
  { method: 'GET', path: '/blog/1', read: { encodedId: '1' } },
  { method: 'GET', path: '/blogs/%31', read: { encodedId: '%31' } },
  { method: 'GET', path: '/blogs/..', read: { encodedId: '..' } },
])('$method $path is a public read', ({ method, path, read }) => {
  expect(readOf({ method, path })).toEqual(read)
})

test.each([
  { method: 'POST', path: '/blogs' },
  { method: 'PUT', path: '/blogs/1' },
  { method: 'PATCH', path: '/blogs/1' },
  { method: 'DELETE', path: '/blogs/1' },
  { method: 'OPTIONS', path: '/blogs' },
  { method: 'get', path: '/blogs' },
  { method: 'GET', path: '/' },
  { method: 'GET', path: 'blogs' },
  { method: 'GET', path: '/blog' },
  { method: 'GET', path: '/blogs/' },
  { method: 'GET', path: '/blog/' },
  { method: 'GET', path: '//blogs' },
  { method: 'GET', path: '//blogs/1' },
  { method: 'GET', path: '/BLOGS' },
  { method: 'GET', path: '/Blog/1' },
  { method: 'GET', path: '/%62logs' },
  { method: 'GET', path: '/blogs/1/' },
  { method: 'GET', path: '/blogs//1' },
  { method: 'GET', path: '/blogs/1/users' },
  { method: 'GET', path: '/blogs/../users' },
  { method: 'GET', path: '/users/blogs' },
  { method: 'GET', path: '/users' },
  { method: 'GET', path: '/blogsx' },
])('$method $path is not a public read', ({ method, path }) => {
  expect(readOf({ method, path })).toBeUndefined()
})

test.each([
  { method: 'POST', path: '/auth/login', expected: true },
  { method: 'GET', path: '/auth/login', expected: false },
  { method: 'PUT', path: '/auth/login', expected: false },
  { method: 'post', path: '/auth/login', expected: false },
  { method: 'POST', path: '/auth/login/', expected: false },
  { method: 'POST', path: '/AUTH/login', expected: false },
  { method: 'POST', path: '//auth/login', expected: false },
  { method: 'POST', path: '/auth/login/users', expected: false },
  { method: 'POST', path: '/auth%2Flogin', expected: false },
])('$method $path is the login: $expected', ({ method, path, expected }) => {
  expect(isLogin({ method, path })).toBe(expected)
})

test.each([
  { path: '/api/users.php', expected: true },
  { path: '/api/users.php/', expected: false },
  { path: '/API/users.php', expected: false },
  { path: '//api/users.php', expected: false },
  { path: '/api/users', expected: false },
  { path: '/api/users%2Ephp', expected: false },
])('$path is the user lookup: $expected', ({ path, expected }) => {
  expect(isUserLookup({ path })).toBe(expected)
})

test.each([
  { method: 'POST', path: '/auth/login', collection: 'blogs', expected: true },
  { method: 'GET', path: '/auth/login', collection: false as const, expected: true },
  { method: 'GET', path: '/api/users.php', collection: false as const, expected: true },
  { method: 'GET', path: '/blogs', collection: 'blogs', expected: true },
  { method: 'GET', path: '/blog/1', collection: 'blogs', expected: true },
  { method: 'GET', path: '/blogs', collection: 'cats', expected: false },
  { method: 'GET', path: '/blogs', collection: false as const, expected: false },
  { method: 'GET', path: '/blogs/1/users', collection: 'blogs', expected: false },
  { method: 'GET', path: '/auth', collection: 'blogs', expected: false },
])('$method $path is one of the services, with $collection public: $expected', (request) => {
  expect(isServiceRequest(request, request.collection)).toBe(request.expected)
})
