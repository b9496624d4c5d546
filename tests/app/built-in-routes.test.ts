import { isFor } from '../../lib/auth/built-in-route'
import type { AppOptions } from '../../server'
import { makeApp } from '../support/built-in-routes'
import { ADA, sampleData } from '../support/data'
import { ask, authorized, json, logIn, serve } from '../support/http'
import '../support/rsa-key'

const CONNECT = '/protocol/openid-connect'
/** Requests for routes of which the start says nothing. */
const OTHERS = [
  ...['/docs', '/docs/data', '/docs/requests', '/docs/data.mjs', '/docs/swagger-ui.css', '/openapi.json'],
  ...['/__sandbox', '/__sandbox/requests', '/__sandbox/login'],
  ...['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/realms/x/account'],
  ...['auth', 'certs', 'userinfo', 'logout', '3p-cookies/step1.html', 'login-status-iframe.html'].map(
    (name) => `${CONNECT}/${name}`,
  ),
  ...['token', 'token/introspect', 'revoke'].map((name) => `${CONNECT}/${name}`),
].flatMap((path) => ['GET', 'POST', 'DELETE', 'PUT'].map((method) => ({ method, path })))

const WITH_EVERYTHING: Partial<AppOptions> = {
  docs: true,
  openid: true,
  sandboxes: true,
  login: '/in',
  signUp: '/up',
  me: ['/me', 'PATCH /me'],
  refresh: '/again',
  logout: '/out',
}

test.each([
  ['by default', {}],
  ['with everything', WITH_EVERYTHING],
])('each built-in route needs a token or not, as it says of itself: %s', async (_what, options) => {
  const state = sampleData()
  const { app, builtInRoutes } = makeApp({ data: state, log: false, ...options })
  const server = await serve(app)
  expect(builtInRoutes).not.toEqual([])
  // The token check alone refuses this token so: a login does not look at it, and a page has other words.
  const headers = { Authorization: 'Bearer wrong' }
  for (const builtIn of builtInRoutes) {
    const [shown] = builtIn.shown({ state, idProperty: 'id' })
    const route = shown ?? OTHERS.find((one) => isFor(builtIn, one))
    if (route === undefined) throw new Error(`No request is known for ${builtIn.hasPath}.`)
    const { method, path } = route
    expect({ route, isFor: isFor(builtIn, route) }).toEqual({ route, isFor: true })
    const { headers: sent, text } = await ask(server.url, { method, path, headers })
    const isOpen = !sent['www-authenticate']?.includes('invalid_token') || text !== '"Unauthorized"'
    expect({ route, isOpen }).toEqual({ route, isOpen: builtIn.isOpen })
  }
  await server.close()
})

describe('a path of an account at which the server itself would respond', () => {
  const options = { data: sampleData(), log: false }

  test.each<Partial<AppOptions>>([
    { me: '/blogs' },
    { me: '/blogs/1' },
    { me: ['/me', '/blog/1'] },
    { login: 'GET /blogs' },
    { docs: true, me: '/docs' },
    { docs: true, login: 'GET /docs' },
    { docs: true, me: '/docs/requests' },
    { docs: true, me: '/openapi.json' },
    { openid: true, login: `${CONNECT}/token` },
  ])('is refused: %j', (given) => {
    expect(() => makeApp({ ...options, ...given })).toThrow(/ cannot be --(me|login), /)
  })

  test.each<Partial<AppOptions>>([
    { me: '/blogs', publicCollection: false },
    { me: '/blogs', data: { users: [ADA] } },
    { me: '/docs' },
    { me: ['GET /me', 'PATCH /blogs'] },
    { docs: true, me: '/docs/me' },
  ])('is taken where it does not: %j', async (given) => {
    const server = await serve(makeApp({ ...options, ...given }).app)
    const line = [given.me].flat().at(-1) ?? ''
    const [path = '', method = 'GET'] = line.split(' ').reverse()
    const headers = authorized(await logIn(server.url))
    const body = method === 'PATCH' ? '{}' : undefined
    const answer = await ask(server.url, { method, path, headers, body })
    expect({ status: answer.status, body: json(answer) }).toMatchObject({
      status: 200,
      body: { email: ADA.email },
    })
    await server.close()
  })
})
