import express from 'express'
import { serveApp } from '../../support/app'
import { ask, json, type TestServer } from '../../support/http'

const MIA = { id: 1, email: 'mia@example.com', password: 'sourdough' }

let server: TestServer
beforeAll(async () => {
  server = await serveApp({
    data: { users: [MIA] },
    login: '/login',
    signUp: '/register',
    refresh: '/refresh',
    logout: '/logout',
  })
})
afterAll(() => server.close())

/** Sends JSON, as if it was something else. */
function post(path: string, body: object, type: string) {
  return ask(server.url, {
    method: 'POST',
    path,
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  })
}

async function refreshToken(): Promise<string> {
  const { email, password } = MIA
  const answer = await post('/login', { email, password }, 'application/json')
  return String(Object(json(answer)).refreshToken)
}

describe.each(['application/x-www-form-urlencoded', 'text/plain'])('JSON that is sent as %s', (type) => {
  test('to a logout ends nothing, and the response says so', async () => {
    const sent = { refreshToken: await refreshToken() }
    const answer = await post('/logout', sent, type)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Content-Type')])
    expect((await post('/refresh', sent, 'application/json')).status).toBe(200)
    expect((await post('/logout', sent, 'application/json')).status).toBe(200)
  })

  test('to a sign-up is not read, and the response says so', async () => {
    const answer = await post('/register', { email: 'new@example.com', password: 'x' }, type)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('application/json')])
  })

  test('to a refresh is a 401', async () => {
    expect((await post('/refresh', { refreshToken: await refreshToken() }, type)).status).toBe(401)
  })
})

test('a type of JSON that nothing reads is said as well, and nothing is said of a body that is empty', async () => {
  const sent = { refreshToken: await refreshToken() }
  for (const type of ['text/json', 'application/ld+json'])
    expect((await post('/logout', sent, type)).status).toBe(400)
  const empty = { 'Content-Type': 'text/plain', 'Content-Length': '0' }
  expect((await ask(server.url, { method: 'POST', path: '/logout', headers: empty })).status).toBe(200)
  expect((await fetch(`${server.url}/logout`, { method: 'POST', body: new FormData() })).status).toBe(200)
})

test('a sign-up of another type that a middleware has read is one', async () => {
  const own = await serveApp({
    data: { users: [MIA] },
    login: '/login',
    signUp: '/register',
    middlewares: [express.json({ type: '*/*' })],
  })
  const body = JSON.stringify({ email: 'new@example.com', password: 'x' })
  const headers = { 'Content-Type': 'text/plain' }
  expect((await ask(own.url, { method: 'POST', path: '/register', headers, body })).status).toBe(201)
  await own.close()
})

test('a logout without a body, or whose body has no token, is one of somebody who is logged out', async () => {
  expect((await ask(server.url, { method: 'POST', path: '/logout' })).status).toBe(200)
  expect((await post('/logout', {}, 'application/json')).status).toBe(200)
})
