import jwt from 'jsonwebtoken'
import { isRecord } from '../../../lib/is-record'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, type TestServer, withHeaders } from '../../support/http'

let server: TestServer
afterEach(() => server.close())

const LONG = 'x'.repeat(2500)

async function start(options: Partial<AppOptions>): Promise<void> {
  server = await serveApp({
    login: '/login',
    me: '/me',
    signUp: '/register',
    data: { users: [] },
    ...options,
  })
}

function say(line: string, token?: unknown): Promise<Answer> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return ask(server.url, withHeaders(question(line), headers))
}

async function tokenFrom(line: string): Promise<string> {
  const answer = await say(line)
  const body = json(answer)
  if (!isRecord(body) || typeof body.token !== 'string') throw new Error(`${answer.status} ${answer.text}`)
  return body.token
}

describe('a token is that of its user', () => {
  test.each<[string, object, Partial<AppOptions>]>([
    ['a name that is too long for a token', { email: LONG, password: 'p' }, {}],
    ['only names that are', { email: LONG, username: `u${LONG}`, password: 'p' }, {}],
    ['a name that is the password', { username: 'admin', password: 'admin' }, {}],
    [
      'a name that is called as a claim of the server',
      { sid: 's-1', password: 'p' },
      { loginFields: { names: ['sid'] } },
    ],
    [
      'a name that is called as a password',
      { senha: 's-1', pin: 'p' },
      { loginFields: { names: ['senha'], password: 'pin' } },
    ],
    [
      'a name that every object has',
      { constructor: 's-1', password: 'p' },
      { loginFields: { names: ['constructor'] } },
    ],
    ['a name in a field of a long name', { [`e${'_'.repeat(2500)}mail`]: 'a', password: 'p' }, {}],
  ])('with %s', async (_title, user, options) => {
    await start({ ...options, private: ['notes'], data: { users: [], notes: [] } })
    const body = JSON.stringify(user)
    for (const token of [await tokenFrom(`POST /register ${body}`), await tokenFrom(`POST /login ${body}`)]) {
      for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, token)).status).toBe(200)
      expect((await say('POST /notes {"text": "a"}', token)).status).toBe(201)
    }
  })

  test.each(['admin', LONG])('of a login beside the users with one text for both, %#', async (text) => {
    await start({ logins: [{ email: text, password: text }] })
    for (const path of ['/login']) {
      const token = await tokenFrom(`POST ${path} ${JSON.stringify({ email: text, password: text })}`)
      expect((await say('GET /me', token)).status).toBe(200)
    }
  })

  test.each([
    [
      { email: LONG, password: 'p' },
      { email: `other${LONG}`, password: 'p' },
    ],
    [
      { email: LONG, password: 'p' },
      { email: 'short', password: 'p' },
    ],
    [
      { username: 'admin', password: 'admin' },
      { username: 'root', password: 'root' },
    ],
    [
      { email: 'a@x', name: 'Tom', password: 'p' },
      { email: 'b@x', name: 'Tom', password: 'p' },
    ],
    [
      { name: 'Tom', password: 'p' },
      { email: 'b@x', name: 'Tom', password: 'p' },
    ],
    [
      { email: 'a@x', name: 'Tom', password: 'p' },
      { name: 'Tom', password: 'p' },
    ],
  ])('and of nobody else who has got the id, %#', async (one, other) => {
    await start({})
    const token = await tokenFrom(`POST /register ${JSON.stringify(one)}`)
    expect((await say('DELETE /users/1', token)).status).toBe(200)
    const another = await tokenFrom(`POST /register ${JSON.stringify(other)}`)
    expect(json(await say('GET /me', another))).toMatchObject({ id: 1 })
    const isNobody = async () => {
      for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, token)).status).toBe(404)
    }
    await isNobody()
    // What the other was called before says no more than what that one is called.
    expect((await say('PATCH /users/1 {"name": "Bob"}', another)).status).toBe(200)
    await isNobody()
  })

  test.each<[string, object, object, number]>([
    ['the email', { email: 'a@x', name: 'Other' }, { email: 'a@x', name: 'Tom' }, 200],
    [
      'a display name beside another email',
      { email: 'b@x', name: 'Tom' },
      { email: 'a@x', name: 'Tom' },
      404,
    ],
    ['a display name alone, of somebody with an email', { name: 'Tom' }, { email: 'a@x', name: 'Tom' }, 200],
    ['a display name where there is nothing else', { name: 'Tom' }, { name: 'Tom' }, 200],
  ])('by what another program says: %s', async (_title, said, user, status) => {
    const secret = 'the secret with which another program signs, too'
    await start({ secret, data: { users: [{ id: 1, ...user }] } })
    const token = jwt.sign({ sub: '1', ...said }, secret, { expiresIn: 60 })
    for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, token)).status).toBe(status)
  })

  test.each([
    ['{"email": "b@x"}', '{"name": "Bob"}'],
    ['{"email": null}', '{"name": "Bob"}'],
  ])('after own changes of the email and of a shared name: %s', async (...changes) => {
    await start({ me: ['/me', 'PATCH /me'] })
    const token = await tokenFrom('POST /register {"email": "a@x", "name": "Tom", "password": "p"}')
    for (const change of changes) {
      expect((await say(`PATCH /me ${change}`, token)).status).toBe(200)
      for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, token)).status).toBe(200)
    }
  })

  test('whatever the id is, as often as one asks, and nobody else when another has got it', async () => {
    const ids = [1, '2', 'x y', '03', 3]
    const users = ids.map((id) => ({ id, email: `${typeof id} ${id}`, password: 'p' }))
    await start({ data: { users: [{ email: 'no id', password: 'p' }, ...users] } })
    const tokens = new Map<unknown, string[]>()
    for (const { id, email } of users) {
      const body = JSON.stringify({ email, password: 'p' })
      const specified = json(await say(`POST /auth/login ${body}`))
      const own = await tokenFrom(`POST /login ${body}`)
      tokens.set(id, [own, String(isRecord(specified) && specified.access_token)])
    }
    for (let round = 0; round < 12; round += 1)
      for (const { id, email } of users)
        for (const token of tokens.get(id) ?? [])
          expect(json(await say('GET /me', token))).toMatchObject({ id, email })
    const [token = '', specified] = tokens.get(1) ?? []
    expect((await say('PATCH /users/1 {"email": "renamed"}', token)).status).toBe(200)
    for (const sent of [token, specified])
      expect(json(await say('GET /me', sent))).toMatchObject({ id: 1, email: 'renamed' })
    expect((await say('DELETE /users/1', token)).status).toBe(200)
    expect((await say('POST /users {"id": 1, "email": "other", "password": "p"}', token)).status).toBe(201)
    for (const sent of [token, specified]) expect((await say('GET /me', sent)).status).toBe(404)
  })

  test.each([
    ['whose phone it has named', '{"email": "evil@x", "phone": "kim@x", "password": "e"}'],
    ['whose email it has had', '{"email": "kim@x", "password": "e"}'],
    ['whose display name it has had', '{"email": "Kim", "password": "e"}'],
  ])('and not that of a person who gets the id later, %s', async (_name, evil) => {
    let now = Date.now()
    const others = { me: ['/me', 'DELETE /me'], refresh: '/refresh', private: ['todos'] }
    await start({ ...others, clock: () => now, data: { users: [], todos: [] } })
    const signedUp = json(await say(`POST /register ${evil}`))
    const { email = '', password = '' } = JSON.parse(evil)
    const specified = json(await say(`POST /auth/login ${JSON.stringify({ email, password })}`))
    if (!isRecord(signedUp) || !isRecord(specified)) throw new Error('There are no tokens.')
    const tokens = [signedUp.token, signedUp.refresh_token, specified.access_token]
    expect((await say('DELETE /me', signedUp.token)).status).toBe(200)
    now += 1000
    const kim = await tokenFrom('POST /register {"email": "kim@x", "name": "Kim", "password": "k"}')
    expect((await say('PATCH /users/1 {"bio": "hi"}', kim)).status).toBe(200)
    expect((await say('POST /todos {"text": "secret"}', kim)).status).toBe(201)
    for (const token of tokens) {
      for (const line of ['GET /me', 'GET /auth/me', 'GET /todos', 'POST /refresh {}'])
        expect([line, (await say(line, token)).status >= 400]).toEqual([line, true])
    }
    for (const line of ['GET /me', 'GET /auth/me', 'GET /todos'])
      expect((await say(line, kim)).status).toBe(200)
  })

  test('and of a login of --user, also after a record with its name and password was added', async () => {
    let now = Date.now()
    const logins = [{ email: 'me', password: 'secret' }]
    await start({
      logins,
      private: ['todos'],
      clock: () => now,
      data: { users: [], todos: [{ id: 1, userId: 1 }] },
    })
    const specified = json(await say('POST /auth/login {"email": "me", "password": "secret"}'))
    const token = isRecord(specified) ? specified.access_token : ''
    now += 1000
    expect((await say('POST /users {"email": "me", "password": "secret"}', token)).status).toBe(201)
    expect(json(await say('GET /todos', token))).toHaveLength(1)
    expect(json(await say('GET /auth/me', token))).toEqual({ email: 'me' })
  })

  test('and, of two without an id and with one email, of nobody', async () => {
    const users = ['a', 'b'].map((password) => ({ email: 'same@x', password }))
    await start({ data: { users } })
    const token = await tokenFrom('POST /login {"email": "same@x", "password": "b"}')
    for (const path of ['/me', '/auth/me']) expect((await say(`GET ${path}`, token)).status).toBe(404)
  })

  test('after a change of the name, also to a long one and back', async () => {
    await start({ me: ['/me', 'PATCH /me'] })
    const token = await tokenFrom('POST /register {"email": "a", "password": "p"}')
    for (const email of [LONG, 'b', 'a']) {
      expect((await say(`PATCH /me ${JSON.stringify({ email })}`, token)).status).toBe(200)
      expect(json(await say('GET /me', token))).toMatchObject({ email })
    }
  })

  test('after twenty changes of the email, each of which counts once', async () => {
    await start({ data: { users: [{ id: 1, email: 'a0', password: 'p' }] } })
    const token = await tokenFrom('POST /login {"email": "a0", "password": "p"}')
    for (let change = 1; change <= 20; change += 1)
      expect((await say(`PATCH /users/1 {"email": "a${change}"}`, token)).status).toBe(200)
    expect(json(await say('GET /me', token))).toMatchObject({ id: 1, email: 'a20' })
  })

  test('and says the name and the role, also where the password is the same text', async () => {
    await start({ data: { users: [{ id: 1, username: 'admin', password: 'admin', role: 'admin' }] } })
    const token = await tokenFrom('POST /login {"username": "admin", "password": "admin"}')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ username: 'admin', role: 'admin' })
  })
})
