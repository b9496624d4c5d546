import { type LoginOptions, login } from '../../../lib/accounts/login'
import { randomSigningKey } from '../../../lib/auth/access-token'
import { bearerToken } from '../../../middlewares/bearer-token'
import { CookieClient } from '../../support/cookies'
import { ask, authorized, json, question, serveHandlers, type TestServer } from '../../support/http'

const USERS = [{ id: 1, username: 'ana', password: 'pa' }]
const LOGIN = 'POST /login {"username": "ana", "password": "pa"}'

let server: TestServer
afterEach(() => server.close())

/** A server with a login, an open route ahead of the token check, and closed ones after it. */
async function start(options: Partial<LoginOptions> = {}): Promise<void> {
  const key = randomSigningKey()
  const { tokenIn } = options
  server = await serveHandlers(
    login({ key, users: () => USERS, login: '/login', me: '/me', logout: '/logout', ...options }),
    // Another login knows nothing of the sessions of the first, with the same key or without.
    login({ key, users: () => USERS, login: '/other/login', logout: '/other/logout' }),
    login({ key: randomSigningKey(), users: () => USERS }),
    (request, response, next) => {
      if (request.path === '/public') response.json({ open: true })
      else next()
    },
    bearerToken({ key, ...(tokenIn !== undefined && { tokenIn }) }),
    (_request, response) => {
      response.json({ inside: true })
    },
  )
}

async function logIn(path = '/login'): Promise<string> {
  const { text } = await ask(server.url, question(LOGIN.replace('/login', path)))
  const { token } = JSON.parse(text)
  return token
}

test.each([
  ['/login', '/logout'],
  ['/other/login', '/other/logout'],
])(
  'a token of %s that %s has ended opens no closed route, and keeps nobody from an open one',
  async (path, end) => {
    await start()
    const headers = authorized(await logIn(path))
    const statusOf = async (line: string) => (await ask(server.url, { ...question(line), headers })).status
    expect(await statusOf('GET /closed')).toBe(200)
    expect(await statusOf(`POST ${end}`)).toBe(200)
    expect(await statusOf('GET /closed')).toBe(401)
    expect(await statusOf('GET /public')).toBe(200)
  },
)

test.each(['/closed', '/me'])('a cookie whose session has ended is cleared at %s', async (path) => {
  await start({ tokenIn: 'cookie:session' })
  const client = new CookieClient(server.url)
  await client.send('POST /login', { username: 'ana', password: 'pa' })
  const value = client.cookies.get('session')
  await client.send('POST /logout')
  const headers = { Cookie: `session=${value}` }
  const open = await ask(server.url, { path: '/public', headers })
  expect([open.status, json(open)]).toEqual([200, { open: true }])
  const { status, headers: said } = await ask(server.url, { path, headers })
  expect([status, said['set-cookie']]).toEqual([401, [expect.stringMatching(/^session=; Max-Age=0/)]])
})

test('token-refusal is the body for want of a token, and none of a refused login', async () => {
  await start({ tokenRefusal: { of: 'token', message: '$message' } })
  const token = await logIn()
  await ask(server.url, { ...question('POST /logout'), headers: authorized(token) })
  for (const path of ['/me', '/closed'])
    for (const headers of [{}, authorized('bad'), authorized(token)]) {
      const answer = await ask(server.url, { path, headers })
      expect([path, answer.status, json(answer)]).toEqual([
        path,
        401,
        { of: 'token', message: expect.any(String) },
      ])
    }
  const answer = await ask(server.url, question('POST /auth/login {"email": "ana", "password": "x"}'))
  expect([answer.status, json(answer)]).toEqual([401, 'Unauthorized'])
})
