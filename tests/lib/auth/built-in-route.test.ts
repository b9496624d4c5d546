import { type BuiltInRoute, isFor, isTaken, routesIn } from '../../../lib/auth/built-in-route'
import { publicReadsRoute } from '../../../middlewares/public-reads'
import { USER_LOOKUP } from '../../../middlewares/user-lookup'

const logIn: BuiltInRoute = {
  hasPath: (path) => path === '/auth/login',
  hasMethod: (method) => method === 'POST',
  isOpen: true,
  mayBeRewritten: false,
  shown: () => [],
}
const blogs = publicReadsRoute('blogs', () => [])

function whichIsFor(method: string, path: string): number[] {
  const builtInRoutes = routesIn([USER_LOOKUP, false, undefined, [logIn, blogs]])
  return builtInRoutes.flatMap((route, index) => (isFor(route, { method, path }) ? [index] : []))
}

test.each([
  { request: 'GET /api/users.php', found: [0] },
  { request: 'DELETE /api/users.php', found: [0] },
  { request: 'GET /api/users.php/', found: [] },
  { request: 'GET /API/users.php', found: [] },
  { request: 'GET //api/users.php', found: [] },
  { request: 'GET /api/users', found: [] },
  { request: 'GET /api/users%2Ephp', found: [] },
  { request: 'POST /auth/login', found: [1] },
  { request: 'GET /auth/login', found: [] },
  { request: 'PUT /auth/login', found: [] },
  { request: 'post /auth/login', found: [] },
  { request: 'POST /auth/login/', found: [] },
  { request: 'POST /AUTH/login', found: [] },
  { request: 'POST //auth/login', found: [] },
  { request: 'POST /auth/login/users', found: [] },
  { request: 'POST /auth%2Flogin', found: [] },
  { request: 'GET /blogs', found: [2] },
  { request: 'HEAD /blogs/1', found: [2] },
  { request: 'GET /blog/1', found: [2] },
  { request: 'get /blogs', found: [] },
  { request: 'POST /blogs', found: [] },
  { request: 'DELETE /blogs/1', found: [] },
  { request: 'OPTIONS /blogs', found: [] },
  { request: 'GET /blogs/1/users', found: [] },
  { request: 'GET /users', found: [] },
])('$request is for service $found', ({ request, found }) => {
  const [method = '', path = ''] = request.split(' ')
  expect(whichIsFor(method, path)).toEqual(found)
})

test('no file takes the place of an open service, of the specified login, and of a public collection that there is', () => {
  const missing = publicReadsRoute('cats', () => undefined)
  const builtInRoutes = routesIn([USER_LOOKUP, logIn, missing])
  const isPathTaken = (path: string) => isTaken(builtInRoutes, { method: 'GET', path })
  expect(['/auth/login', '/api/users.php', '/cats', '/auth'].map(isPathTaken)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
