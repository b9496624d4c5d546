import type { Express, RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { bearerToken, errorHandler, login } from '../../server'
import { ADA, sampleData } from '../support/data'
import { ask, authorized, json, logIn, serve, type TestServer } from '../support/http'

const jsonServer: {
  create(): Express
  bodyParser: RequestHandler[]
  defaults(options: { logger: boolean }): RequestHandler[]
  router(data: object): RequestHandler & { db: { get(name: string): { value(): unknown[] } } }
} = require('json-server')

const KEY = 'the signing secret of these tests only'

let server: TestServer
let claims: unknown

/** The three lines of docs/json-server.md, in a server of json-server's own. */
beforeAll(async () => {
  const app = jsonServer.create()
  const router = jsonServer.router(sampleData())
  app.use(jsonServer.defaults({ logger: false }))
  app.use(login({ key: KEY, users: () => router.db.get('users').value() }))
  app.use(bearerToken({ key: KEY }))
  app.use((request, _response, next) => {
    claims = request.auth
    next()
  })
  app.use(jsonServer.bodyParser)
  app.use(router)
  app.use(errorHandler())
  server = await serve(app)
})
beforeEach(() => {
  claims = undefined
})
afterAll(() => server.close())

const soon = () => Math.floor(Date.now() / 1000) + 60

test.each<[title: string, headers: Record<string, string>, challenge: RegExp]>([
  ['without a token', {}, /^Bearer$/],
  ['with a word that is no token', authorized('null'), /invalid_token.*the word null/],
  [
    'with a token of another server',
    authorized(jwt.sign({ exp: soon() }, 'b')),
    /invalid_token.*another secret/,
  ],
  ['with an expired token', authorized(jwt.sign({ exp: 1 }, KEY)), /invalid_token.*expired at 1970/],
  ['with a token without an expiry', authorized(jwt.sign({ ...ADA }, KEY)), /invalid_token/],
])(
  '%s -> 401, for every path and method, and the router does not run',
  async (_title, headers, challenge) => {
    for (const path of ['/', '/users', '/blogs', '/blogs/1', '/db', '/nothing'])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        // json-server's CORS responds to OPTIONS, and its own home page is a static file.
        if (path === '/' && (method === 'GET' || method === 'HEAD')) continue
        const answer = await ask(server.url, { method, path, headers })
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 })
        expect(answer.headers['www-authenticate']).toMatch(challenge)
        if (method !== 'HEAD') expect(json(answer)).toBe('Unauthorized')
      }
    expect(claims).toBeUndefined()
  },
)

test('with the token of a login -> the response of json-server, and its claims for the handlers behind', async () => {
  const headers = authorized(await logIn(server.url))
  expect(json(await ask(server.url, { path: '/users', headers }))).toEqual(sampleData().users)
  const [iat, exp] = [expect.any(Number), expect.any(Number)]
  const [sid, jti] = [expect.any(String), expect.any(String)]
  expect(claims).toEqual({ ...ADA, sub: '1', sid, jti, iat, exp })
})

test('a login with another password -> 401', async () => {
  await expect(logIn(server.url, { ...ADA, password: 'x' })).rejects.toThrow('401')
})

test('a body that is no JSON -> 400, without a stack trace', async () => {
  const headers = { ...authorized(await logIn(server.url)), 'Content-Type': 'application/json' }
  const answer = await ask(server.url, { method: 'POST', path: '/blogs', headers, body: '{' })
  expect([answer.status, json(answer)]).toEqual([400, { error: expect.stringContaining('JSON') }])
})
