import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { ADA, sampleData } from '../../support/data'
import { ask, authorized, json, logIn, type TestServer } from '../../support/http'

let server: TestServer
afterEach(() => server.close())

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: sampleData(), ...options })
}

async function whoAmI(credentials = ADA, method = 'GET') {
  const headers = authorized(await logIn(server.url, credentials))
  return { send: () => ask(server.url, { method, path: '/auth/me', headers }), headers }
}

test('the record of the user, as GET /users/:id sends it', async () => {
  await start()
  const { send, headers } = await whoAmI()
  const answer = await send()
  const record = await ask(server.url, { path: '/users/1', headers })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(record.text)
  expect(answer.headers['content-type']).toBe(record.headers['content-type'])
  expect((await (await whoAmI(ADA, 'HEAD')).send()).status).toBe(200)
})

test('without a token -> 401, even if the path is allowed', async () => {
  await start({ allow: ['GET /auth/me'] })
  expect((await ask(server.url, { path: '/auth/me' })).status).toBe(401)
})

test('a login that is not in the data: its email alone', async () => {
  const login = { email: 'me', password: 'secret' }
  await start({ logins: [login] })
  expect(json(await (await whoAmI(login)).send())).toEqual({ email: 'me' })
})

test('among several with the same email, the one with the password of the token', async () => {
  const users = [
    null,
    { id: 1, email: 'ada@example.com', password: 'other' },
    { id: 2, ...ADA },
    { id: 3, ...ADA },
  ]
  await start({ data: { users } })
  expect(json(await (await whoAmI()).send())).toMatchObject({ id: 2 })
})

test('after a change of the password, the only one with the email; after a deletion, 404', async () => {
  await start()
  const { send, headers } = await whoAmI()
  const change = { method: 'PATCH', path: '/users/1', headers, body: '{"password": "new"}' }
  expect((await ask(server.url, change)).status).toBe(200)
  expect(json(await send())).toMatchObject({ id: 1, password: 'new' })
  await ask(server.url, { method: 'DELETE', path: '/users/1', headers })
  const answer = await send()
  expect({ status: answer.status, body: json(answer) }).toEqual({ status: 404, body: {} })
})

test('the one of several with the same email who has logged in, after all their passwords have changed', async () => {
  await start({ data: { users: [1, 2].map((id) => ({ id, ...ADA })) } })
  const { send, headers } = await whoAmI()
  for (const id of [1, 2])
    await ask(server.url, { method: 'PATCH', path: `/users/${id}`, headers, body: '{"password": "new"}' })
  expect(json(await send())).toMatchObject({ id: 1 })
})

test('after a deletion, not a login that has the same password', async () => {
  await start({ logins: [{ ...ADA, email: 'me' }] })
  const { send, headers } = await whoAmI()
  await ask(server.url, { method: 'DELETE', path: '/users/1', headers })
  expect((await send()).status).toBe(404)
})

test('a token whose sub is empty names nobody, even where a record has no id', async () => {
  const secret = 'the secret with which another server signs, too'
  await start({ data: { users: [{ ...ADA }] }, secret })
  const token = (claims: object) => jwt.sign({ ...ADA, ...claims }, secret, { expiresIn: 60 })
  const statuses = [{}, { sub: '' }].map(async (claims) => {
    const { status } = await ask(server.url, { path: '/auth/me', headers: authorized(token(claims)) })
    return status
  })
  expect(await Promise.all(statuses)).toEqual([200, 404])
})

test("the user's own middlewares come first, and may change what is sent, but not what is stored", async () => {
  const leaveOut: RequestHandler = (_request, response, next) => {
    const { jsonp } = response
    response.jsonp = (body) => {
      delete body.password
      return jsonp.call(response, body)
    }
    next()
  }
  await start({ middlewares: [leaveOut] })
  const { send } = await whoAmI()
  expect(json(await send())).toEqual({ id: 1, name: 'Ada', email: 'ada@example.com' })
  expect(await logIn(server.url)).not.toBe('')
})

test.each(['POST', 'PUT', 'DELETE'])('%s -> the 404 of the router', async (method) => {
  await start()
  const { send } = await whoAmI(ADA, method)
  expect((await send()).status).toBe(404)
})

test('if the data has a resource of that name, it responds', async () => {
  await start({ data: { ...sampleData(), auth: [{ id: 'me', mine: true }] } })
  expect(json(await (await whoAmI()).send())).toEqual({ id: 'me', mine: true })
})

test('in a sandbox, its own user', async () => {
  await start({ sandboxes: true })
  const token = await logIn(server.url)
  const headers = { ...authorized(token), 'X-Sandbox': 'lab' }
  await ask(server.url, { method: 'PATCH', path: '/users/1', headers, body: '{"name": "Lab"}' })
  expect(json(await ask(server.url, { path: '/auth/me', headers }))).toMatchObject({ name: 'Lab' })
  expect(json(await ask(server.url, { path: '/auth/me', headers: authorized(token) }))).toMatchObject({
    name: 'Ada',
  })
})
