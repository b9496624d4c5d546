import express from 'express'
import { bearerToken, createApp, MemoryData } from '../../server'
import { ADA, sampleData } from '../support/data'
import { ask, authorized, json, logIn, question, serve, type TestServer, withHeaders } from '../support/http'

let server: TestServer
afterEach(() => server.close())

const silent = { log: false } as const

test('a token of one key passes no token check with another key that is a middleware of its server', async () => {
  const check = bearerToken({ key: 'another signing secret of these tests' })
  server = await serve(
    createApp({ ...silent, data: sampleData(), secret: 'one secret', middlewares: [check] }),
  )
  const headers = authorized(await logIn(server.url))
  expect((await ask(server.url, { path: '/users', headers })).status).toBe(401)
})

test('a server inside a sandbox of another has its own sandboxes', async () => {
  const inner = createApp({ ...silent, data: { nested: [{ id: 1 }] }, allow: 'all', sandboxes: true })
  const outer = { data: sampleData(), allow: 'all' as const, sandboxes: true, middlewares: [inner] }
  server = await serve(createApp({ ...silent, ...outer }))
  const answer = await ask(server.url, { path: '/nested', headers: { 'X-Sandbox': 'lab' } })
  expect([answer.status, json(answer)]).toEqual([200, [{ id: 1 }]])
})

test('a sign-up of a server inside another is stored there, and one of the outer server in its data', async () => {
  const inside = new MemoryData({ users: [] })
  const outside = new MemoryData({ users: [ADA] })
  const inner = createApp({ ...silent, data: inside, login: '/in/login', signUp: '/in/register' })
  const outer = createApp({
    ...silent,
    data: outside,
    login: '/login',
    signUp: '/register',
    allow: ['POST /in/register'],
    middlewares: [inner],
  })
  server = await serve(outer)
  const signUp = (path: string) =>
    ask(server.url, withHeaders(question(`POST ${path} {"email": "${path}", "password": "x"}`), {}))
  expect((await signUp('/in/register')).status).toBe(201)
  expect(inside.state.users).toMatchObject([{ email: '/in/register' }])
  expect(outside.state.users).toEqual([ADA])
})

test('in one application, each server knows its own tokens', async () => {
  const app = express()
  for (const name of ['one', 'two'])
    app.use(`/${name}`, createApp({ ...silent, data: sampleData(), secret: name, tokenIn: 'x-token' }))
  server = await serve(app)
  const tokenOf = async (name: string) => {
    const login = await ask(server.url, question(`POST /${name}/auth/login ${JSON.stringify(ADA)}`))
    return String(Object(json(login)).access_token)
  }
  for (const [path, name, status] of [
    ['/one/users', 'one', 200],
    ['/two/users', 'two', 200],
    ['/one/users', 'two', 401],
    ['/two/users', 'one', 401],
  ] as const) {
    const token = await tokenOf(name)
    expect((await ask(server.url, { path, headers: authorized(token) })).status).toBe(status)
    expect((await ask(server.url, { path, headers: { 'x-token': token } })).status).toBe(status)
  }
})
