import type { RequestHandler } from 'express'
import { serveApp } from '../../support/app'
import { ask, json, question, type TestServer, withHeaders } from '../../support/http'

let server: TestServer
afterEach(() => server.close())

const data = () => ({ users: [{ id: 1, email: 'a@x.org', password: 'p' }], items: [] })

test.each([
  [{ status: 403, body: { code: 50014, message: '$message', status: '$status' } }, 403],
  [{ status: 200, body: { code: '$status' } }, 200],
  [{ status: 401, body: '$message' }, 401],
])('token-refusal %j has the status %i', async (tokenRefusal, status) => {
  server = await serveApp({ data: data(), tokenRefusal })
  for (const Authorization of ['', 'Bearer x']) {
    const answer = await ask(server.url, withHeaders(question('GET /items'), { Authorization }))
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(typeof tokenRefusal.body === 'string' ? 'token' : String(status))
    expect('www-authenticate' in answer.headers).toBe(status === 401)
  }
})

test.each<Record<string, string | number>>([
  { status: 'error', body: 'x' },
  { status: 403 },
  { status: 403, body: 'x', code: 1 },
])('token-refusal %j is the body of a 401', async (tokenRefusal) => {
  server = await serveApp({ data: data(), tokenRefusal })
  const answer = await ask(server.url, question('GET /items'))
  expect([answer.status, json(answer)]).toEqual([401, tokenRefusal])
})

test('logout-response is the response of a logout', async () => {
  const logoutResponse = { code: 20000, data: 'success', message: '$message' }
  server = await serveApp({ data: data(), login: '/login', logout: 'DELETE /session', logoutResponse })
  const answer = await ask(server.url, question('DELETE /session'))
  expect([answer.status, json(answer)]).toEqual([
    200,
    { code: 20000, data: 'success', message: expect.any(String) },
  ])
})

/** The templates of an application that reads another body in each refusal. */
const TEMPLATES = {
  tokenRefusal: { of: 'token', message: '$message' },
  signUpRefusal: { status: 409, body: { of: 'sign-up', message: '$message' } },
  loginRefusal: { status: 401, body: { of: 'login', message: '$message' } },
}
const ACCOUNTS = { login: '/login', signUp: '/register', me: ['/me', 'PATCH /me'] }

test.each([{}, { tokenRefusal: TEMPLATES.tokenRefusal }])(
  'what a middleware refuses in a sign-up has the body of sign-up-refusal, beside %j',
  async (others) => {
    const { signUpRefusal } = TEMPLATES
    for (const status of [422, 401]) {
      const refuse: RequestHandler = (request, _response, next) => {
        next(request.path === '/register' ? { status } : undefined)
      }
      server = await serveApp({ data: data(), ...ACCOUNTS, signUpRefusal, ...others, middlewares: [refuse] })
      for (const Authorization of ['', 'Bearer x']) {
        const sent = question('POST /register {"email": "n@x.org", "password": "n"}')
        const answer = await ask(server.url, withHeaders(sent, { Authorization }))
        expect([answer.status, json(answer)]).toEqual([
          status,
          { of: 'sign-up', message: expect.stringMatching(/^Un/) },
        ])
      }
      if (status === 422) await server.close()
    }
  },
)

test.each([
  [{}, 'Unauthorized'],
  [{ tokenRefusal: TEMPLATES.tokenRefusal }, { of: 'token', message: expect.any(String) }],
])(
  'a request without a token has the body of the token check, %j, also where all is allowed',
  async (others, expected) => {
    const { loginRefusal } = TEMPLATES
    for (const allow of [[], 'all'] as const) {
      server = await serveApp({ data: data(), ...ACCOUNTS, loginRefusal, ...others, allow })
      for (const line of ['GET /me', 'PATCH /me {"city": "Bern"}', 'GET /me?_embed=items', 'GET /auth/me'])
        for (const Authorization of ['', 'Bearer x']) {
          const answer = await ask(server.url, withHeaders(question(line), { Authorization }))
          expect([line, answer.status, json(answer)]).toEqual([line, 401, expected])
        }
      if (allow === 'all') break
      await server.close()
    }
  },
)

const passOn: RequestHandler = (_request, _response, next) => next()

test('a refused login has its own body, also where it has waited for the middlewares', async () => {
  for (const allow of [[], ['POST /login', 'POST /auth/login'], 'all'] as const) {
    server = await serveApp({ data: data(), ...ACCOUNTS, ...TEMPLATES, allow, middlewares: [passOn] })
    for (const [path, expected] of [
      ['/login', { of: 'login', message: expect.any(String) }],
      ['/auth/login', 'Unauthorized'],
    ] as const) {
      const answer = await ask(server.url, question(`POST ${path} {"email": "a@x.org", "password": "x"}`))
      expect([allow, answer.status, json(answer)]).toEqual([allow, 401, expected])
    }
    if (allow === 'all') break
    await server.close()
  }
})

test('an error that a middleware passes on at a login that waits for it has the body of the login', async () => {
  const refuse: RequestHandler = (_request, _response, next) =>
    next(Object.assign(new Error('Too many.'), { status: 429, expose: true }))
  const allow = ['POST /login', 'POST /auth/login']
  server = await serveApp({ data: data(), ...ACCOUNTS, ...TEMPLATES, allow, middlewares: [refuse] })
  const body = '{"email": "a@x.org", "password": "x"}'
  expect(json(await ask(server.url, question(`POST /login ${body}`)))).toMatchObject({ of: 'login' })
  expect(json(await ask(server.url, question(`POST /auth/login ${body}`)))).toEqual({
    error: expect.any(String),
  })
})
