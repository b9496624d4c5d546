import type { AccountOptions } from '../../../lib/accounts/account-options'
import { readAccountRoutes } from '../../../lib/accounts/account-routes'

test.each<[title: string, options: AccountOptions, routes: object[]]>([
  [
    'the usual methods',
    { login: '/a', me: '/b', logout: '/c' },
    [
      { does: 'logIn', method: 'POST', path: '/a' },
      { does: 'whoAmI', method: 'GET', path: '/b' },
      { does: 'logOut', method: 'POST', path: '/c' },
    ],
  ],
  ['one path twice', { login: ['/a', '/A/'] }, [{ does: 'logIn', method: 'POST', path: '/a' }]],
  [
    'a refresh at the path of a login',
    { refresh: ['/b', 'POST /a'], login: '/a' },
    [
      { does: 'logIn', method: 'POST', path: '/a', takesRefresh: true },
      { does: 'refresh', method: 'POST', path: '/b' },
    ],
  ],
  [
    'one path by two methods',
    { me: ['/a', 'PATCH /a'], logout: 'DELETE /b', login: '/b' },
    [
      { does: 'logIn', method: 'POST', path: '/b' },
      { does: 'whoAmI', method: 'GET', path: '/a' },
      { does: 'changeMe', method: 'PATCH', path: '/a' },
      { does: 'logOut', method: 'DELETE', path: '/b' },
    ],
  ],
  [
    'those that every server has',
    { login: '/auth/login', me: '/auth/me', refresh: '/auth/login' },
    [
      { does: 'logIn', method: 'POST', path: '/auth/login', takesRefresh: true },
      { does: 'whoAmI', method: 'GET', path: '/auth/me' },
    ],
  ],
])('reads %s', (_title, options, routes) => {
  expect(readAccountRoutes(options)).toEqual(routes)
})

test.each<[title: string, options: AccountOptions, flags: string[]]>([
  ['a login and a sign-up', { login: '/a', signUp: '/a' }, ['POST /a', '--login', '--sign-up']],
  ['a login, a refresh and a logout', { login: '/a', refresh: '/a', logout: '/a' }, ['--login', '--logout']],
  ['a refresh and a logout', { refresh: '/a', logout: '/A' }, ['--refresh', '--logout']],
  ['two changes', { login: 'PATCH /a', me: 'PATCH /a' }, ['PATCH /a', '--login', '--me']],
  ['a sign-up and the specified login', { signUp: '/auth/login' }, ['Every server', '--login', '--sign-up']],
  [
    'a refresh and the specified login',
    { refresh: '/auth/login' },
    ['Every server', 'add --login /auth/login', '--refresh'],
  ],
  ['the specified who am I', { logout: 'GET /auth/me' }, ['Every server', '--me', '--logout']],
  ['the user lookup', { login: '/api/users.php' }, ['--login', '/api/users.php']],
  ['a sign-up without a body', { signUp: 'GET /a' }, ['--sign-up', 'GET of /a', 'POST']],
  ['a login and a refresh without a body', { login: 'GET /a', refresh: 'GET /a' }, ['--login', '--refresh']],
  ['a path without a slash', { signUp: 'a' }, ['--sign-up', '"a"']],
])('refuses one path for %s', (_title, options, named) => {
  const read = () => readAccountRoutes(options)
  for (const name of named) expect(read).toThrow(name)
})
